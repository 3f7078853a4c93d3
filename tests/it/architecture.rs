//! The direction of the house, read from its sources: no circle joins rooms or files, no arrow goes up, and no crate outgrows
//! its bound. The tables of ARCHITECTURE.md are made of the same reading.
//!
//! A room is a module at the top of a crate. One file knows another if it names something that is defined there; what a file
//! only passes on (`pub use`) it does not know.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::iter::Peekable;
use std::path::{Path, PathBuf};

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use proc_macro2::token_stream::IntoIter;
use proc_macro2::{Delimiter, Group, LineColumn, Spacing, TokenStream, TokenTree};

use crate::common::repository;
use crate::documentation;

/// The crates from the lowest to the highest: each may know those before it.
const CRATES: [&str; 23] = [
    "expression",
    "picture",
    "lua",
    "puzzles",
    "certify",
    "tablebase",
    "walks",
    "statistics",
    "choice",
    "figures",
    "notices",
    "tables",
    "documents",
    "log",
    "import",
    "measures",
    "analysis",
    "players",
    "play",
    "report",
    "run",
    "server",
    "open",
];

/// The rooms of the root package from the lowest to the highest: each may know those before it.
const ROOMS: [&str; 9] =
    ["begin", "simulation", "power", "calibration", "tournament", "search_study", "experiment", "export", "cli"];

/// The most lines of code of the root package, and of every other crate.
const MOST_LINES: [usize; 2] = [14_000, 22_000];

/// The path of a module in its crate; of the crate itself it is empty.
type Module = Vec<String>;

/// A path as a file names it, with the line in which it stands.
type Named = (Vec<String>, usize);

/// A source file of a crate.
struct Source {
    /// Lines with code: no comments, no blank lines, nothing for tests alone.
    n_lines: usize,
    /// The names that it uses.
    uses: Vec<Named>,
    /// The names that it passes on or imports, with where they come from.
    aliases: HashMap<String, Vec<String>>,
    /// Lines in which a column of a table is read by a text.
    read_by_text: Vec<usize>,
    /// The first sentence of its head.
    head: String,
}

/// The files of a crate by their modules.
struct Crate(BTreeMap<Module, Source>);

impl Crate {
    fn read(folder: &Path) -> Self {
        let mut files = BTreeMap::new();
        collect(folder, &mut Vec::new(), &mut files);
        Self(files.into_iter().map(|(module, file)| (module, Source::read(&file))).collect())
    }

    /// Returns the file that defines what another file names, if it is in this crate.
    fn definition(&self, from: &Module, path: &[String], depth: usize) -> Option<&Module> {
        let mut module = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "self" => from.clone(),
            "super" => from[..from.len().checked_sub(1)?].to_vec(),
            child => {
                let inner: Module = from.iter().cloned().chain([child.to_owned()]).collect();
                if !self.0.contains_key(&inner) {
                    return None;
                }
                inner
            }
        };
        for (place, name) in path.iter().enumerate().skip(1) {
            if name == "super" {
                module.pop();
                continue;
            }
            let inner: Module = module.iter().cloned().chain([name.clone()]).collect();
            if self.0.contains_key(&inner) {
                module = inner;
                continue;
            }
            let alias = self.0.get(&module)?.aliases.get(name).filter(|_| depth > 0);
            let passed_on = alias.and_then(|alias| {
                let path: Vec<String> = alias.iter().chain(&path[place + 1..]).cloned().collect();
                self.definition(&module, &path, depth - 1)
            });
            return passed_on.or_else(|| self.0.get_key_value(&module).map(|(module, _)| module));
        }
        self.0.get_key_value(&module).map(|(module, _)| module)
    }

    /// The files that each file knows, with the line of the first name.
    fn arrows(&self) -> BTreeMap<(&Module, &Module), usize> {
        let mut arrows = BTreeMap::new();
        for (from, source) in &self.0 {
            for (path, line) in &source.uses {
                if let Some(to) = self.definition(from, path, 8).filter(|to| *to != from) {
                    arrows.entry((from, to)).or_insert(*line);
                }
            }
        }
        arrows
    }

    fn n_lines(&self) -> usize {
        self.0.values().map(|source| source.n_lines).sum()
    }
}

/// The files below a folder of sources by their modules, without those of tests.
fn collect(folder: &Path, module: &mut Module, files: &mut BTreeMap<Module, PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
        let path = entry.path();
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if stem == "tests" {
            continue;
        }
        module.push(stem.clone());
        if path.is_dir() {
            collect(&path, module, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") && stem != "main" {
            let is_root = stem == "lib" && module.len() == 1;
            files.insert(if is_root { Module::new() } else { module.clone() }, path);
        }
        module.pop();
    }
}

impl Source {
    fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).expect("a text");
        let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut reading = Reading::default();
        reading.read(tokens);
        Self {
            n_lines: reading.lines.len(),
            uses: reading.uses,
            aliases: reading.aliases,
            read_by_text: reading.read_by_text,
            head: first_sentence(&head_of(&text, path)),
        }
    }
}

/// The text at the head of a file, or of the page that it takes in.
fn head_of(text: &str, path: &Path) -> String {
    if text.starts_with("#![doc = include_str!") {
        let page = path.parent().and_then(Path::parent).expect("a crate").join("README.md");
        let page = fs::read_to_string(page).expect("a page");
        return page.split("\n\n").nth(1).unwrap_or_default().replace('\n', " ");
    }
    let lines = text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim);
    lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

fn first_sentence(text: &str) -> String {
    let end = text.match_indices(['.', ':']).find(|(place, _)| text[place + 1..].starts_with(' '));
    text[..end.map_or(text.len(), |(place, _)| place)].trim_end_matches('.').to_owned()
}

/// Facts gathered from a file, token by token.
#[derive(Default)]
struct Reading {
    lines: BTreeSet<usize>,
    uses: Vec<Named>,
    aliases: HashMap<String, Vec<String>>,
    read_by_text: Vec<usize>,
}

impl Reading {
    fn read(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        let (mut is_public, mut is_method) = (false, false);
        while let Some(token) = tokens.next() {
            match &token {
                TokenTree::Punct(mark) if mark.as_char() == '#' => {
                    if matches!(tokens.peek(), Some(TokenTree::Punct(mark)) if mark.as_char() == '!') {
                        tokens.next();
                    }
                    let Some(TokenTree::Group(attribute)) = tokens.next() else { continue };
                    let attribute_text = attribute.stream().to_string().replace(' ', "");
                    if attribute_text.starts_with("cfg(test)") || attribute_text.starts_with("cfg(all(test") {
                        skip_item(&mut tokens);
                    } else if !attribute_text.starts_with("doc=") {
                        self.count(token.span().start());
                        self.group(&attribute);
                    }
                    continue;
                }
                TokenTree::Ident(word) if word == "use" => {
                    self.count(word.span().start());
                    self.import(&mut tokens, is_public);
                    is_public = false;
                    continue;
                }
                TokenTree::Ident(word) if word == "pub" => {
                    is_public = true;
                    self.count(word.span().start());
                    if let Some(TokenTree::Group(group)) = tokens.peek()
                        && group.delimiter() == Delimiter::Parenthesis
                    {
                        tokens.next();
                    }
                    continue;
                }
                TokenTree::Ident(word) => {
                    self.count(word.span().start());
                    let line = word.span().start().line;
                    let mut path = vec![word.to_string()];
                    self.rest_of_path(&mut tokens, &mut path);
                    let is_read = match path.last().map(String::as_str) {
                        Some("Named") => true,
                        Some("column") => is_method,
                        _ => false,
                    };
                    if is_read && is_of_text(tokens.peek()) {
                        self.read_by_text.push(line);
                    }
                    if path.len() > 1 {
                        self.uses.push((path, line));
                    }
                }
                TokenTree::Group(group) => self.group(group),
                TokenTree::Literal(literal) => {
                    let (start, end) = (literal.span().start().line, literal.span().end().line);
                    self.lines.extend(start..=end);
                }
                TokenTree::Punct(mark) => self.count(mark.span().start()),
            }
            is_public = false;
            is_method = matches!(&token, TokenTree::Punct(mark) if mark.as_char() == '.');
        }
    }

    fn count(&mut self, place: LineColumn) {
        self.lines.insert(place.line);
    }

    fn group(&mut self, group: &Group) {
        self.count(group.span_open().start());
        self.count(group.span_close().start());
        self.read(group.stream());
    }

    /// Names behind `::`, as far as they go.
    fn rest_of_path(&mut self, tokens: &mut Peekable<IntoIter>, path: &mut Vec<String>) {
        while is_path(tokens) {
            tokens.next();
            tokens.next();
            match tokens.peek() {
                Some(TokenTree::Ident(word)) => {
                    path.push(word.to_string());
                    self.count(word.span().start());
                    tokens.next();
                }
                _ => return,
            }
        }
    }

    /// The tree of a `use`.
    fn import(&mut self, tokens: &mut Peekable<IntoIter>, is_public: bool) {
        let mut tree = Vec::new();
        for token in tokens.by_ref() {
            if matches!(&token, TokenTree::Punct(mark) if mark.as_char() == ';') {
                break;
            }
            tree.push(token);
        }
        self.branch(tree, &[], is_public);
    }

    fn branch(&mut self, tree: Vec<TokenTree>, before: &[String], is_public: bool) {
        let mut path = before.to_vec();
        let mut alias = None;
        let mut tokens = tree.into_iter();
        let mut line = 0;
        while let Some(token) = tokens.next() {
            self.count(token.span().start());
            match token {
                TokenTree::Ident(word) if word == "as" => {
                    alias = tokens.next().map(|name| name.to_string());
                }
                TokenTree::Ident(word) => {
                    line = word.span().start().line;
                    path.push(word.to_string());
                }
                TokenTree::Punct(mark) if mark.as_char() == '*' => {
                    if !is_public {
                        self.uses.push((path, line));
                    }
                    return;
                }
                TokenTree::Group(group) => {
                    self.count(group.span_close().start());
                    let mut branch = Vec::new();
                    for token in group.stream() {
                        if matches!(&token, TokenTree::Punct(mark) if mark.as_char() == ',') {
                            self.branch(std::mem::take(&mut branch), &path, is_public);
                        } else {
                            branch.push(token);
                        }
                    }
                    if !branch.is_empty() {
                        self.branch(branch, &path, is_public);
                    }
                    return;
                }
                _ => {}
            }
        }
        if path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let Some(name) = alias.or_else(|| path.last().cloned()) else { return };
        if !is_public {
            self.uses.push((path.clone(), line));
        }
        self.aliases.insert(name, path);
    }
}

/// `true` if the next tokens are `::`.
fn is_path(tokens: &mut Peekable<IntoIter>) -> bool {
    matches!(tokens.peek(), Some(TokenTree::Punct(mark)) if mark.as_char() == ':' && mark.spacing() == Spacing::Joint)
}

/// `true` if a text is the first of the arguments.
fn is_of_text(arguments: Option<&TokenTree>) -> bool {
    let Some(TokenTree::Group(group)) = arguments else { return false };
    let is_reference = |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == '&');
    let first = group.stream().into_iter().find(|token| !is_reference(token));
    matches!(first, Some(TokenTree::Literal(literal)) if literal.to_string().starts_with(['"', 'r']))
}

/// Leaves out the item behind an attribute.
fn skip_item(tokens: &mut Peekable<IntoIter>) {
    for token in tokens.by_ref() {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => return,
            TokenTree::Punct(mark) if mark.as_char() == ';' => return,
            _ => {}
        }
    }
}

/// The crates by their names; the root package is `plymap`.
fn crates() -> BTreeMap<String, Crate> {
    let members =
        CRATES.map(|name| (name.to_owned(), Crate::read(&repository().join("crates").join(name).join("src"))));
    members.into_iter().chain([("plymap".to_owned(), Crate::read(&repository().join("src")))]).collect()
}

/// The groups of nodes that are joined by circles.
fn circles<'n>(arrows: impl Iterator<Item = (&'n str, &'n str)>) -> Vec<Vec<&'n str>> {
    let mut graph: DiGraph<&str, ()> = DiGraph::new();
    let mut nodes: HashMap<&str, NodeIndex> = HashMap::new();
    for (from, to) in arrows {
        let [from, to] = [from, to].map(|name| *nodes.entry(name).or_insert_with(|| graph.add_node(name)));
        graph.update_edge(from, to, ());
    }
    let groups = tarjan_scc(&graph).into_iter().filter(|group| group.len() > 1);
    groups.map(|group| group.into_iter().map(|node| graph[node]).collect()).collect()
}

/// The name of a file in messages.
fn file_name(module: &Module) -> String {
    if module.is_empty() { "lib".to_owned() } else { module.join("/") }
}

fn room(module: &Module) -> &str {
    module.first().map_or("lib", String::as_str)
}

#[test]
fn no_circle_joins_files_or_rooms() {
    let mut problems = String::new();
    for (name, sources) in crates() {
        let arrows = sources.arrows();
        let names: HashMap<&Module, String> = sources.0.keys().map(|module| (module, file_name(module))).collect();
        let joined = circles(arrows.keys().map(|(from, to)| (names[from].as_str(), names[to].as_str())));
        for circle in joined {
            writeln!(problems, "{name}: {} files are joined by a circle", circle.len()).unwrap();
            for ((from, to), line) in &arrows {
                if circle.contains(&names[from].as_str()) && circle.contains(&names[to].as_str()) {
                    writeln!(problems, "    {}:{line} knows {}", names[from], names[to]).unwrap();
                }
            }
        }
    }
    assert!(problems.is_empty(), "move what files share into one below them:\n{problems}");
}

/// Circles of rooms are told apart from those of files: two rooms can know each other by different files.
#[test]
fn no_circle_joins_rooms_without_joining_files() {
    for (name, sources) in crates() {
        let arrows = sources.arrows();
        let between = arrows.keys().map(|(from, to)| (room(from), room(to))).filter(|(from, to)| from != to);
        let joined: BTreeSet<&str> = circles(between).into_iter().flatten().collect();
        assert!(joined.is_empty(), "{name}: rooms {joined:?}");
    }
}

#[test]
fn no_arrow_of_the_root_package_goes_up() {
    let root = Crate::read(&repository().join("src"));
    let floor = |name: &str| ROOMS.iter().position(|room| *room == name);
    let mut problems = String::new();
    for ((from, to), line) in root.arrows() {
        let (from_room, to_room) = (room(from), room(to));
        // The root names all rooms.
        if from_room == to_room || from_room == "lib" {
            continue;
        }
        let (Some(above), Some(below)) = (floor(from_room), floor(to_room)) else {
            panic!("{from_room} or {to_room} is a new room: give it its place in ROOMS");
        };
        if above < below {
            writeln!(problems, "src/{}.rs:{line} knows {}", file_name(from), file_name(to)).unwrap();
        }
    }
    assert!(problems.is_empty(), "a room may know those before it in ROOMS:\n{problems}");
}

#[test]
fn no_crate_knows_one_above_it() {
    for (place, name) in CRATES.iter().enumerate() {
        let manifest = fs::read_to_string(repository().join("crates").join(name).join("Cargo.toml")).unwrap();
        for above in &CRATES[place..] {
            assert!(!manifest.contains(&format!("plymap-{above}.workspace")), "{name} depends on {above}");
        }
    }
}

#[test]
fn no_crate_outgrows_its_bound() {
    for (name, sources) in crates() {
        let most = MOST_LINES[usize::from(name != "plymap")];
        assert!(sources.n_lines() <= most, "{name} has {} lines of code, and {most} at most", sources.n_lines());
    }
}

/// A column that the program declares is read by its constant, which the compiler checks; [`plymap_tables::Named`] is for
/// those that only a user names.
#[test]
fn no_column_is_read_by_a_text() {
    for (name, sources) in crates() {
        // Those below know no table.
        let is_below = CRATES.iter().take_while(|known| **known != "tables").any(|known| *known == name);
        for (module, source) in sources.0.iter().filter(|_| !is_below) {
            let lines = &source.read_by_text;
            assert!(lines.is_empty(), "{name}, {}, reads columns by texts in lines {lines:?}", file_name(module));
        }
    }
}

/// Small files are read as the tests above need it.
#[test]
fn a_file_is_read_as_what_it_knows() {
    let text = "//! Head of a file. More.\n\nuse crate::a::{self, B as C, d::*};\npub use e::F;\n\n// No code.\n\
                fn f() -> crate::g::H {\n    /* none */ i::j().column(\"x\").column(X, column(\"y\"));\n    a(k::Named(&r\"z\"), Named(Z));\n    \"two\nlines\"\n}\n\n#[cfg(test)]\nmod tests {\n    use crate::never;\n}\n";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.rs");
    fs::write(&file, text).unwrap();
    let source = Source::read(&file);
    assert_eq!((source.n_lines, source.head.as_str()), (8, "Head of a file"));
    assert_eq!(source.read_by_text, [8, 9]);
    let named = |path: &[String]| path.join("::");
    let uses: Vec<String> = source.uses.iter().map(|(path, line)| format!("{} {line}", named(path))).collect();
    assert_eq!(uses, ["crate::a 3", "crate::a::B 3", "crate::a::d 3", "crate::g::H 7", "i::j 8", "k::Named 9"]);
    assert_eq!(named(&source.aliases["C"]), "crate::a::B");
    assert_eq!(named(&source.aliases["F"]), "e::F");
}

/// A number with commas between its thousands.
fn with_commas(number: usize) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", number / 1_000, number % 1_000),
    }
}

/// The number of lines as the page has it where that is still right within a twentieth, else the new one: not every edit of the
/// code is one of the page.
fn lines_of(name: &str, n_lines: usize, column: usize, there: &[&str]) -> String {
    let cells = there.iter().map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    let known = cells.into_iter().find(|cells| cells.get(1) == Some(&name)).and_then(|cells| {
        let number: usize = cells.get(column)?.replace(',', "").parse().ok()?;
        (20 * number.abs_diff(n_lines) <= number).then_some(number)
    });
    with_commas(known.unwrap_or(n_lines))
}

#[test]
fn the_rooms_of_the_architecture_are_those_of_the_code() {
    let crates = crates();
    let table = |marker: &str, there: &[&str]| match marker {
        "crates" => {
            let rows = CRATES.iter().copied().chain(["plymap"]).map(|name| {
                let sources = &crates[name];
                let rooms: BTreeSet<&str> =
                    sources.0.keys().filter_map(|module| module.first()).map(String::as_str).collect();
                let n_lines = lines_of(name, sources.n_lines(), 3, there);
                documentation::row(&[name, &rooms.len().to_string(), &n_lines])
            });
            Some(documentation::head(&["crate", "rooms", "lines of code"]).into_iter().chain(rows).collect())
        }
        "rooms" => {
            let root = &crates["plymap"];
            let rows = ROOMS.iter().map(|name| {
                let files = root.0.iter().filter(|(module, _)| room(module) == *name);
                let n_lines: usize = files.map(|(_, source)| source.n_lines).sum();
                let (name, head) = (format!("`{name}`"), &root.0[&vec![(*name).to_owned()]].head);
                documentation::row(&[&name, &lines_of(&name, n_lines, 2, there), head])
            });
            Some(documentation::head(&["room", "lines of code", "holds"]).into_iter().chain(rows).collect())
        }
        _ => None,
    };
    ["ARCHITECTURE.md", "docs/development.md"].iter().for_each(|page| documentation::check(page, table));
}
