//! Texts of experiments: Markdown, in the study or in a file of its own, as HTML with its images.

use std::io;
use std::path::{Component, Path, PathBuf};

use plymap_puzzles::diagnostic::separator_hint;
use plymap_puzzles::foreign::read_text;
use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, html};

use super::address;

/// Converter of texts to HTML, which collects their images as files of the page.
#[derive(Debug)]
pub struct Texts<'a> {
    /// The folder that paths start from.
    folder: &'a Path,
    /// Images: the address relative to the page, and the file.
    media: Vec<(String, PathBuf)>,
    /// Files of texts.
    files: Vec<PathBuf>,
}

impl<'a> Texts<'a> {
    /// Texts of a study in this folder.
    pub fn new(folder: &'a Path) -> Self {
        Self { folder, media: Vec::new(), files: Vec::new() }
    }

    /// The images of all texts: the address relative to the page, and the file.
    pub fn into_media(self) -> Vec<(String, PathBuf)> {
        self.media
    }

    /// Returns the files of all texts and of their images.
    pub fn into_files(self) -> Vec<PathBuf> {
        self.files.into_iter().chain(self.media.into_iter().map(|(_, file)| file)).collect()
    }

    /// A text as HTML. One line that ends in `.md` names a file. HTML in it is shown as text, and links open another window.
    ///
    /// # Errors
    ///
    /// The file, or an image, cannot be read, or does not lie in the folder; a link leads to what is no page.
    pub fn html(&mut self, text: &str) -> Result<String, String> {
        let is_file = !text.contains('\n') && text.ends_with(".md");
        let file = self.folder.join(text);
        let content = match is_file {
            true => self.within(text, &file).and_then(|()| read_text(&file).map_err(unreadable(&file)))?,
            false => text.to_owned(),
        };
        if is_file && !self.files.contains(&file) {
            self.files.push(file.clone());
        }
        let around = if is_file { file.parent().unwrap_or(self.folder) } else { self.folder };
        let of_file = |why: String| if is_file { format!("{}: {why}", file.display()) } else { why };
        let events = Parser::new_ext(&content, Options::ENABLE_TABLES)
            .map(|event| self.event(event, around))
            .collect::<Result<Vec<_>, String>>()
            .map_err(of_file)?;
        let mut page = String::new();
        html::push_html(&mut page, events.into_iter());
        // Whoever follows a link comes back to where the session was. No text has such words: `<` is escaped in them.
        Ok(page.replace("<a href=", r#"<a target="_blank" rel="noopener" href="#))
    }

    /// Checks that a file lies in the folder of the study, wherever links lead: a page publishes it.
    fn within(&self, name: &str, file: &Path) -> Result<(), String> {
        let real = |path: &Path| path.canonicalize().map_err(unreadable(path));
        // What is an address on another system is none of a file on any.
        let is_plain = !name.contains([':', '\\'])
            && Path::new(name).components().all(|part| !matches!(part, Component::RootDir | Component::Prefix(_)));
        let folder = if self.folder.as_os_str().is_empty() { Path::new(".") } else { self.folder };
        if is_plain && real(file)?.starts_with(real(folder)?) {
            return Ok(());
        }
        Err(format!(
            "{name:?} does not lie in the folder of the study, {}: copy it there, for pages publish nothing from elsewhere",
            folder.display()
        ))
    }

    fn event<'t>(&mut self, event: Event<'t>, around: &Path) -> Result<Event<'t>, String> {
        Ok(match event {
            Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                let dest_url = CowStr::from(self.image(&dest_url, around)?);
                Event::Start(Tag::Image { link_type, dest_url, title, id })
            }
            Event::Start(Tag::Link { link_type, ref dest_url, .. }) => {
                // Of an address of mail there is no `mailto:` yet.
                let is_mail = link_type == LinkType::Email;
                address::of_link(&if is_mail { format!("mailto:{dest_url}") } else { dest_url.to_string() })?;
                event
            }
            other => other,
        })
    }

    /// Returns the address that an image has on the page, and collects its file.
    fn image(&mut self, address: &str, around: &Path) -> Result<String, String> {
        let file = around.join(address);
        self.within(address, &file).map_err(|why| format!("the image {why}"))?;
        if !file.is_file() {
            return Err(format!("there is no image {}", file.display()));
        }
        if let Some((known, _)) = self.media.iter().find(|(_, known_file)| *known_file == file) {
            return Ok(known.clone());
        }
        let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_lowercase();
        if kind_of(&extension).is_none() {
            return Err(format!(
                "{} is no image that browsers show: they show {}",
                file.display(),
                KINDS.map(|(name, _)| name).join(", ")
            ));
        }
        let name = format!("media/{}.{extension}", self.media.len() + 1);
        self.media.push((name.clone(), file));
        Ok(name)
    }
}

fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> String {
    move |error| format!("{} cannot be read: {error}{}", path.display(), separator_hint(path, error.kind()))
}

/// Images that browsers show.
const KINDS: [(&str, &str); 6] = [
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("svg", "image/svg+xml"),
];

/// The kind of content of an image, by the end of its name.
pub fn kind_of(extension: &str) -> Option<&'static str> {
    KINDS.iter().find(|(name, _)| *name == extension).map(|(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_html_without_anything_from_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("texts")).unwrap();
        std::fs::write(folder.path().join("texts/board.png"), "").unwrap();
        std::fs::write(folder.path().join("texts/one.md"), "Look:\n\n![the *board*](board.png)\n").unwrap();
        let mut texts = Texts::new(folder.path());
        assert_eq!(
            texts.html("texts/one.md").unwrap(),
            "<p>Look:</p>\n<p><img src=\"media/1.png\" alt=\"the board\" /></p>\n"
        );
        assert_eq!(
            texts.html("![again](texts/board.png)").unwrap(),
            "<p><img src=\"media/1.png\" alt=\"again\" /></p>\n"
        );
        assert_eq!(
            texts.html("Is *1 < 2*? <script>no</script>").unwrap(),
            "<p>Is <em>1 &lt; 2</em>? &lt;script&gt;no&lt;/script&gt;</p>\n"
        );
        let link = texts.html("[here](https://example.org/?a=1&b=\"2\")").unwrap();
        assert_eq!(
            link,
            "<p><a target=\"_blank\" rel=\"noopener\" href=\"https://example.org/?a=1&amp;b=%222%22\">here</a></p>\n"
        );
        for (text, words) in [
            ("![x](https://example.org/x.png)", "does not lie in the folder of the study"),
            ("![x](/etc/x.png)", "publish nothing from elsewhere"),
            ("![x](none.png)", "cannot be read"),
            ("![x](texts)", "no image"),
            ("![x](texts/one.md)", "browsers show"),
            ("none.md", "cannot be read"),
        ] {
            let error = texts.html(text).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
        assert_eq!(texts.into_media(), [("media/1.png".to_owned(), folder.path().join("texts/board.png"))]);
    }

    /// A folder of a study, and beside it what is not of it.
    fn lab() -> tempfile::TempDir {
        let lab = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(lab.path().join("study/texts")).unwrap();
        for name in ["study/board.png", "study/texts/one.md", "secret.png", "secret.md", "study-2.png"] {
            std::fs::write(lab.path().join(name), "![x](../board.png)").unwrap();
        }
        lab
    }

    #[test]
    fn files_outside_of_the_study_are_not_published() {
        let lab = lab();
        let folder = lab.path().join("study");
        let mut texts = Texts::new(&folder);
        assert_eq!(texts.html("texts/one.md").unwrap(), "<p><img src=\"media/1.png\" alt=\"x\" /></p>\n");
        let absolute = lab.path().join("secret.png").display().to_string();
        for text in [
            "../secret.md",
            "texts/../../secret.md",
            "![x](../secret.png)",
            "![x](texts/../../secret.png)",
            "![x](../study-2.png)",
            &format!("![x]({absolute})"),
            &absolute.replace("png", "md"),
            "![x](C:secret.png)",
            "![x](C:/secret.png)",
            "![x](\\\\\\\\host\\share\\secret.png)",
            "![x](file:///secret.png)",
            "![x][1]\n\n[1]: ../secret.png",
        ] {
            let error = texts.html(text).unwrap_err();
            assert!(error.contains("does not lie in the folder of the study"), "{text}: {error}");
        }
        assert_eq!(texts.into_media().len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_of_the_file_system_lead_nowhere_outside_of_the_study() {
        use std::os::unix::fs::symlink;
        let lab = lab();
        let folder = lab.path().join("study");
        symlink("../secret.png", folder.join("own.png")).unwrap();
        symlink(lab.path(), folder.join("lab")).unwrap();
        symlink("board.png", folder.join("again.png")).unwrap();
        symlink(&folder, lab.path().join("other")).unwrap();
        let mut texts = Texts::new(&folder);
        for text in ["![x](own.png)", "![x](lab/secret.png)", "lab/secret.md"] {
            let error = texts.html(text).unwrap_err();
            assert!(error.contains("does not lie in the folder of the study"), "{text}: {error}");
        }
        assert!(texts.html("![x](again.png)").is_ok(), "a link within the study");
        let other = lab.path().join("other");
        assert!(Texts::new(&other).html("texts/one.md").is_ok(), "the folder itself may be a link");
    }

    #[test]
    fn links_of_texts_run_no_script_however_they_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let mut texts = Texts::new(folder.path());
        for text in [
            "[x](javascript:alert(1))",
            "[x](JAVASCRIPT:alert(1))",
            "[x](<java\tscript:alert(1)>)",
            "[x](java&#9;script:alert(1))",
            "[x](java&NewLine;script:alert(1))",
            "[x](&#x6A;avascript:alert(1))",
            "[x](javascript&colon;alert(1))",
            "[x](&#1;javascript:alert(1))",
            "[x](\\javascript:alert(1))",
            "<javascript:alert(1)>",
            "[x][1]\n\n[1]: javascript:alert(1)",
            "[x]\n\n[x]: <javascript:alert(1)> \"title\"",
            "[![y](data:image/png;base64,AA)](https://example.org)",
            "| a |\n|---|\n| [x](vbscript:x) |",
            "[x](data:text/html;base64,PHNjcmlwdD4=)",
            "<data:text/html,x>",
        ] {
            let result = texts.html(text);
            assert!(result.is_err(), "{text}: {result:?}");
        }
        assert_eq!(
            texts.html("<lab@example.org> <https://example.org> [part](#part)").unwrap(),
            "<p><a target=\"_blank\" rel=\"noopener\" href=\"mailto:lab@example.org\">lab@example.org</a> \
             <a target=\"_blank\" rel=\"noopener\" href=\"https://example.org\">https://example.org</a> \
             <a target=\"_blank\" rel=\"noopener\" href=\"#part\">part</a></p>\n"
        );
    }
}
