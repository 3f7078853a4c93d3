//! Texts of experiments: Markdown, in the study or in a file of its own, as HTML with its images.

use std::path::{Component, Path, PathBuf};

use plymap_puzzles::fault::separator_hint;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, html};

/// Texts become HTML, and their images files of the page.
#[derive(Debug)]
pub struct Texts<'a> {
    /// The folder that paths start from.
    folder: &'a Path,
    /// The images: where a page has them, and where they are.
    media: Vec<(String, PathBuf)>,
}

impl<'a> Texts<'a> {
    /// Texts of a study in this folder.
    pub fn new(folder: &'a Path) -> Self {
        Self { folder, media: Vec::new() }
    }

    /// The images of all texts: the address relative to the page, and the file.
    pub fn into_media(self) -> Vec<(String, PathBuf)> {
        self.media
    }

    /// A text as HTML. One line that ends in `.md` names a file. HTML in it is shown as text, and links open another window.
    ///
    /// # Errors
    ///
    /// The file, or an image, cannot be read, or an image lies on another host.
    pub fn html(&mut self, text: &str) -> Result<String, String> {
        let is_file = !text.contains('\n') && text.ends_with(".md");
        let file = self.folder.join(text);
        let content = match is_file {
            true => std::fs::read_to_string(&file).map_err(|error| {
                let hint = separator_hint(&file, error.kind());
                format!("{} cannot be read: {error}{hint}", file.display())
            })?,
            false => text.to_owned(),
        };
        let around = if is_file { file.parent().unwrap_or(self.folder) } else { self.folder };
        let events = Parser::new_ext(&content, Options::ENABLE_TABLES)
            .map(|event| self.event(event, around))
            .collect::<Result<Vec<_>, String>>()?;
        let mut found = String::new();
        html::push_html(&mut found, events.into_iter());
        // Whoever follows a link comes back to where the sitting was. No text has such words: `<` is escaped in them.
        Ok(found.replace("<a href=", r#"<a target="_blank" rel="noopener" href="#))
    }

    fn event<'t>(&mut self, event: Event<'t>, around: &Path) -> Result<Event<'t>, String> {
        Ok(match event {
            Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                let dest_url = CowStr::from(self.image(&dest_url, around)?);
                Event::Start(Tag::Image { link_type, dest_url, title, id })
            }
            other => other,
        })
    }

    /// Where the page has an image.
    fn image(&mut self, address: &str, around: &Path) -> Result<String, String> {
        let is_relative = !address.contains(':')
            && Path::new(address).components().all(|part| !matches!(part, Component::RootDir | Component::Prefix(_)));
        if !is_relative {
            return Err(format!(
                "the image {address:?} must be a file beside the study: pages load nothing from elsewhere"
            ));
        }
        let file = around.join(address);
        if !file.is_file() {
            return Err(format!("there is no image {}", file.display()));
        }
        if let Some((known, _)) = self.media.iter().find(|(_, own)| *own == file) {
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
            ("![x](https://example.org/x.png)", "elsewhere"),
            ("![x](/etc/x.png)", "elsewhere"),
            ("![x](none.png)", "no image"),
            ("![x](texts/one.md)", "browsers show"),
            ("none.md", "cannot be read"),
        ] {
            let found = texts.html(text).unwrap_err();
            assert!(found.contains(words), "{found}");
        }
        assert_eq!(texts.into_media(), [("media/1.png".to_owned(), folder.path().join("texts/board.png"))]);
    }
}
