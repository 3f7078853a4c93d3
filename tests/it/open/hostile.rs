//! Files that nobody should have made, dropped on the page or lying in its folder: links, archives that are too much, parts
//! that are too large, and cells that a browser would obey.

use std::io::{Cursor, Write as _};

use serde_json::json;
use zip::write::SimpleFileOptions;

use super::{OWN, Page, data};

/// Largest body of a request, in bytes, as `answers.rs` has it.
const MOST_BYTES: usize = 8 << 20;

fn archive(fill: impl FnOnce(&mut zip::ZipWriter<Cursor<Vec<u8>>>)) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    fill(&mut zip);
    zip.finish().expect("an archive").into_inner()
}

fn add(zip: &mut zip::ZipWriter<Cursor<Vec<u8>>>, name: &str, content: &[u8]) {
    zip.start_file(name, SimpleFileOptions::default()).expect("a file");
    zip.write_all(content).expect("its content");
}

#[test]
fn links_of_an_archive_are_left_out_and_told() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("secret.csv"), "participant,level,action\nme,x,y\n").expect("a file");
    let page = Page::new(folder.path(), &["--out", "study"]);
    let bytes = archive(|zip| {
        add(zip, "demo/levels/article-1.txt", &data("demo/levels/article-1.txt"));
        let options = SimpleFileOptions::default();
        zip.add_symlink("demo/link.csv", "../secret.csv", options).expect("a link");
        // A link to a folder, and a file that would be written through it.
        zip.add_symlink("demo/out", "../..", options).expect("a link");
        add(zip, "demo/out/written.csv", b"participant,level,action\n");
    });
    let received = page.drop_file("demo.zip", &bytes)["received"].clone();
    assert_eq!(received["added"], json!(["levels/article-1.txt", "out/written.csv"]));
    let left_out = received["left_out"].as_array().expect("what was left out");
    assert_eq!(left_out.len(), 2, "{received}");
    for (left_out, name) in left_out.iter().zip(["demo/link.csv", "demo/out"]) {
        assert_eq!(left_out["error"], format!("{name}: it is no plain file"));
    }
    assert!(!folder.path().join("written.csv").exists() && folder.path().join("study/out/written.csv").is_file());
    assert!(!folder.path().join("study/link.csv").exists());
}

#[test]
fn an_archive_of_too_many_files_is_refused_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = Page::new(folder.path(), &["--out", "study"]);
    let of = |n: usize| archive(|zip| (0..n).for_each(|number| add(zip, &format!("a/{number}.csv"), b"")));
    let send = |bytes: &[u8]| {
        let path = format!("/{}/api/files?name=a.zip&offset=0&last=true", page.token);
        page.ask("POST", &path, &[OWN], bytes)
    };
    let refused = send(&of(20_001));
    assert!(refused.status == 400 && refused.text().contains("more than 20000 files"), "{}", refused.text());
    assert_eq!(page.value("api/project")["files"], json!({ "levels": [], "logs": [] }));
    assert_eq!(send(&of(2)).status, 200);
}

#[test]
fn a_part_that_is_too_large_is_refused_and_the_page_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = Page::new(folder.path(), &["--out", "study"]);
    let send = |n_bytes: usize| {
        let path = format!("/{}/api/files?name=log.csv&offset=0&last=true", page.token);
        page.ask("POST", &path, &[OWN], &vec![b'a'; n_bytes])
    };
    assert_eq!(send(MOST_BYTES + 1).status, 413);
    assert_eq!(page.value("api/project")["files"]["logs"], json!([]));
    assert_eq!(send(MOST_BYTES).status, 200);
    assert_eq!(page.value("api/project")["files"]["logs"][0]["n_bytes"], json!(MOST_BYTES));
}

/// A link in the folder of the study may lead anywhere: it is not listed, and nothing is read or written through it.
#[cfg(unix)]
#[test]
fn links_in_the_folder_lead_nowhere() {
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().expect("a folder");
    let elsewhere = tempfile::tempdir().expect("a folder");
    let secret = "participant,level,action\nsecret,article-1,B+3\n";
    std::fs::write(elsewhere.path().join("secret.csv"), secret).expect("a file");
    let study = folder.path().join("study");
    std::fs::create_dir(&study).expect("a folder");
    for (target, link) in [
        (elsewhere.path().join("secret.csv"), "link.csv"),
        (elsewhere.path().to_owned(), "out"),
        (study.clone(), "circle"),
    ] {
        symlink(target, study.join(link)).expect("a link");
    }
    let page = Page::new(folder.path(), &["--out", "study"]);
    page.drop_file("article-1.txt", &data("demo/levels/article-1.txt"));
    assert_eq!(page.value("api/project")["files"]["logs"], json!([]));
    for file in ["link.csv", "out/secret.csv"] {
        let text = format!("[study]\nname = \"a\"\n[levels]\nfiles = [\"levels\"]\n[log]\nfiles = [\"{file}\"]\n");
        let refused = page.post("api/study", &json!({ "text": text }));
        assert!(refused.status == 409 && refused.text().contains("outside the folder"), "{}", refused.text());
    }
    let path = format!("/{}/api/files?name=out/new.csv&offset=0&last=true", page.token);
    let refused = page.ask("POST", &path, &[OWN], b"participant,level,action\n");
    assert!(refused.status == 409 && refused.text().contains("outside the folder"), "{}", refused.text());
    assert!(!elsewhere.path().join("new.csv").exists());
    for (path, body) in [
        ("api/files/remove", json!({ "name": "out/secret.csv" })),
        ("api/files/kind", json!({ "name": "out/secret.csv", "kind": "levels" })),
    ] {
        let refused = page.post(path, &body);
        assert!((400..500).contains(&refused.status), "{path}: {}", refused.text());
    }
    assert_eq!(std::fs::read_to_string(elsewhere.path().join("secret.csv")).expect("a file"), secret);
}

/// Names that a browser would obey stay text in all that is drawn and served.
#[test]
fn markup_in_cells_stays_text() {
    const MARKUP: &str = "<img src=x onerror=alert(1)>";
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("levels.txt", &String::from_utf8(data("tower_of_london/levels.txt")).expect("text"));
    let moves = |who: &str, group: &str| format!("{who},two-moves,2>3,1.5,{group}\n{who},two-moves,2>1,0.5,{group}\n");
    let log: String = [moves(MARKUP, MARKUP), moves("p2", "b"), moves("p3", MARKUP), moves("p4", "b")].concat();
    write("log.csv", &format!("participant,level,action,rt_s,condition\n{log}"));
    write(
        "study.toml",
        "[study]\nname = \"s\"\n[levels]\ngame = \"tower-of-london\"\nfiles = [\"levels.txt\"]\n[log]\nfiles = \
         [\"log.csv\"]\n",
    );
    let page = Page::new(folder.path(), &["study.toml"]);
    // The page gets it as it is, and sets it as text.
    assert_eq!(page.value("api/reading")["rows"][0]["cells"][0], MARKUP);
    let escaped = "&lt;img src=x onerror=alert(1)&gt;";
    let mut n_escaped = 0;
    for path in ["api/figure?kind=raincloud&name=raincloud-time-s-by-condition&screen=wide", "api/map?name=two-moves"] {
        let answer = page.get(path);
        let text = answer.text();
        assert!(answer.status == 200 && !text.contains("<img src=x"), "{path}: {} {text:.300}", answer.status);
        n_escaped += usize::from(text.contains(escaped) || text.contains("\\u003cimg src=x"));
    }
    assert!(n_escaped > 0, "the name is in some of them");
    assert_eq!(page.task("api/run", &json!({ "fast": true }))["state"], "done");
    let report = page.get("preview/report.html").text();
    assert!(report.contains(escaped) && !report.contains("<img src=x"));
}
