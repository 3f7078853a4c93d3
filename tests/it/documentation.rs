//! The tables of the documentation whose rows the code declares: columns of results, analyses, estimators, commands. Each stands between a marker, `<!-- columns: trials -->`, and `<!-- end -->`; what is around stays as it was
//! written, and so do rows whose first cell begins with `…`, each behind the row that it follows. The values of a column
//! may be written by hand where the code lists none.
//!
//! Beside them: examples in the pages, and links.

use std::collections::BTreeMap;
use std::path::Path;

use plymap::power::PowerCurve;
use plymap::{search_study, tournament};
use plymap_analysis::ANALYSES;
use plymap_log::presets;
use plymap_puzzles::game::Unit;
use plymap_puzzles::progress::Silent;
use plymap_puzzles::registry::{GAMES, RuleOptions};
use plymap_report::claims::claims_table;
use plymap_report::settings::FigureFormat;
use plymap_report::survey;
use plymap_run::RunOptions;
use plymap_run::study::{PowerTest, Study};
use plymap_statistics::estimator::{ResultTable, Role};
use plymap_statistics::methods::{self, other_names};
use plymap_statistics::record::Column;
use plymap_tables::{Codebook, CodebookTable, ColumnDoc};

use crate::common::{demo_run, program, repository, updates_golden};

mod commands;
mod examples;
mod links;

/// The columns of tables by the name of the table.
type Tables = BTreeMap<String, Vec<ColumnDoc>>;

/// Tables that count what an attempt did; most of their columns are the same.
const PLAY: [&str; 5] = ["attempts", "trials", "participants", "conditions", "level_play"];

const START: &str = "<!-- ";
const END: &str = "<!-- end -->";

/// A page with its generated tables written anew, and the markers of those that changed.
struct Rewritten {
    page: String,
    stale: Vec<String>,
}

/// The text of a file of the project.
fn text_of(file: &str) -> String {
    std::fs::read_to_string(repository().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Returns the text of the first cell of a row, which tells it from others.
fn first_cell(row: &str) -> &str {
    row.trim_start_matches('|').split(" | ").next().unwrap_or_default().trim()
}

/// The last cell of the row of this name, which may be written by hand.
fn last_cell(name: &str, rows: &[&str]) -> String {
    let row = rows.iter().find(|row| first_cell(row) == code(name));
    let cell = row.and_then(|row| row.strip_suffix('|')?.rsplit(" |").next()).unwrap_or_default();
    cell.trim().replace("\\|", "|")
}

/// The rows of a table, `generated` by the code, with those of the page that are written by hand.
fn with_rows_by_hand(generated: &[String], there: &[&str]) -> Vec<String> {
    let is_by_hand = |row: &str| first_cell(row).starts_with('…');
    let mut rows = generated.to_vec();
    for (place, by_hand) in there.iter().enumerate().filter(|(_, row)| is_by_hand(row)) {
        let is_same = |new: &str, old: &str| new == old || (!is_by_hand(old) && first_cell(new) == first_cell(old));
        let before = there[..place].iter().rev().find_map(|row| rows.iter().position(|new| is_same(new, row)));
        rows.insert(before.map_or(rows.len(), |place| place + 1), (*by_hand).to_owned());
    }
    rows
}

/// Writes what stands between markers anew: `table` makes it of a marker's words and the rows that are there, or gives
/// nothing for a comment that is no marker.
fn rewritten(page: &str, table: impl Fn(&str, &[&str]) -> Option<Vec<String>>) -> Rewritten {
    let mut rewritten = Rewritten { page: String::new(), stale: Vec::new() };
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        rewritten.page += &format!("{line}\n");
        let Some(marker) = line.strip_prefix(START).and_then(|line| line.strip_suffix(" -->")) else { continue };
        let there: Vec<&str> = lines.clone().take_while(|line| !line.starts_with(START)).collect();
        let Some(generated) = table(marker, &there) else { continue };
        assert_eq!(lines.nth(there.len()), Some(END), "what ends {line}");
        let generated = with_rows_by_hand(&generated, &there);
        if generated != there {
            rewritten.stale.push(marker.to_owned());
        }
        rewritten.page += &format!("{}\n{END}\n", generated.join("\n"));
    }
    rewritten
}

/// Holds a page to the code; after a wanted change, `UPDATE_GOLDEN=1` writes it anew.
pub fn check(page: &str, table: impl Fn(&str, &[&str]) -> Option<Vec<String>>) {
    let file = repository().join(page);
    let text = std::fs::read_to_string(&file).expect("a page");
    let Rewritten { page: made, stale } = rewritten(&text, table);
    if updates_golden() {
        std::fs::write(&file, made).expect("a page");
        return;
    }
    assert!(
        stale.is_empty(),
        "{page} is stale: {}. UPDATE_GOLDEN=1 cargo test --test it documentation writes it anew.",
        stale.join("; ")
    );
}

/// A row of a table in Markdown.
pub fn row(cells: &[&str]) -> String {
    let cells = cells.iter().map(|cell| cell.replace('|', "\\|"));
    let cells = cells.map(|cell| if cell.is_empty() { " |".to_owned() } else { format!(" {cell} |") });
    format!("|{}", cells.collect::<String>())
}

/// The two lines above the rows of a table.
pub fn head(names: &[&str]) -> Vec<String> {
    vec![row(names), format!("|{}", "---|".repeat(names.len()))]
}

fn code(name: &str) -> String {
    format!("`{name}`")
}

/// Names as code, separated by commas.
fn codes<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(code).collect::<Vec<_>>().join(", ")
}

/// The unit of a column, or the values that it can take, of which some have commas.
fn unit_or_values(column: &ColumnDoc) -> String {
    if column.unit.is_empty() { column.levels.join("; ") } else { column.unit.clone() }
}

/// Meanings of the columns of a run: where distances are moves, where they are cells, and where values are points.
struct Documentation {
    moves: Tables,
    cells: Tables,
    points: Tables,
}

impl Documentation {
    /// Returns the columns of runs of the demo, of the first study that `plymap init` writes, and of a small study of
    /// 2048.
    fn of_runs() -> Self {
        let moves = tables_of_run(demo_run());
        let folder = tempfile::tempdir().expect("a folder");
        program().current_dir(&folder).args(["init", "first"]).assert().success();
        let first = folder.path().join("first/study.toml");
        let text = std::fs::read_to_string(&first).expect("a study");
        std::fs::write(&first, text.replace("metric = \"slide\"", "metric = \"cell\"")).expect("a study");
        let cells = tables_of_study(&first, &[]);
        // These analyses take most of the time, and their columns are the same; without `phases`, `moves` has no `phase`.
        let points = tables_of_study(&repository().join("data/2048/study.toml"), &["choice", "phases"]);
        let mut documentation = Self { moves, cells, points };
        let shared = documentation.shared();
        for (tables, columns) in
            [&mut documentation.moves, &mut documentation.cells, &mut documentation.points].into_iter().zip(shared)
        {
            tables.insert("shared".to_owned(), columns);
        }
        documentation
    }

    /// Returns the columns of commands other than `run`, whose tables declare their columns before they have rows.
    fn of_commands() -> Self {
        let power = PowerCurve { points: Vec::new(), needed: None, test: PowerTest::Welch };
        let [moves, cells, points] = [Unit::Moves, Unit::Cells, Unit::Points].map(|unit| {
            let tables = [
                search_study::algorithms_table(&[]),
                search_study::searches_table(&[]),
                search_study::heuristics_table(&[]),
                search_study::times_table(&[]),
                tournament::results_table(&[], unit),
                tournament::games_table(&[], unit),
                tournament::times_table(&[]),
                tournament::disqualified_table(&[]),
                power.table(),
                survey::sizes_table(&[], true),
                survey::patterns_table(&[]),
                survey::distances_table(&[]),
                claims_table(&[]),
            ];
            tables.into_iter().map(|table| (table.name, table.columns)).collect()
        });
        Self { moves, cells, points }
    }

    /// Holds these pages to the code, and every table to be on one of them.
    fn check(&self, pages: &[&str]) {
        for page in pages {
            check(page, |marker, there| self.table(marker, there));
        }
        let text: String = pages.iter().map(|page| text_of(page)).collect();
        for table in self.moves.keys() {
            let is_there =
                [" -->", " except "].iter().any(|end| text.contains(&format!("{START}columns: {table}{end}")));
            assert!(
                is_there,
                "no page has the columns of {table}: write {START}columns: {table} --> and {END} into one"
            );
        }
    }

    /// The columns that the tables of play share, for each kind of values.
    fn shared(&self) -> [Vec<ColumnDoc>; 3] {
        [&self.moves, &self.cells, &self.points].map(|tables| {
            let in_all = |column: &&ColumnDoc| PLAY.iter().all(|table| tables[*table].contains(column));
            tables["attempts"].iter().filter(in_all).cloned().collect()
        })
    }

    /// The columns of a table, with all units that they can have.
    fn columns(&self, table: &str) -> Vec<ColumnDoc> {
        let columns =
            self.moves.get(table).unwrap_or_else(|| panic!("a marker names the table {table:?}, which no run has"));
        let with_units = |column: &ColumnDoc| {
            let mut units = vec![column.unit.clone()];
            for tables in [&self.cells, &self.points] {
                let same_name =
                    tables.get(table).and_then(|columns| columns.iter().find(|other| other.name == column.name));
                units.extend(same_name.filter(|other| other.meaning == column.meaning).map(|other| other.unit.clone()));
            }
            units.dedup();
            let (last, others) = units.split_last().expect("a unit");
            let unit = if others.is_empty() { last.clone() } else { format!("{} or {last}", others.join(", ")) };
            ColumnDoc { unit, ..column.clone() }
        };
        columns.iter().map(with_units).collect()
    }

    /// The table that a marker stands for.
    fn table(&self, marker: &str, there: &[&str]) -> Option<Vec<String>> {
        let (what, except) = marker.split_once(" except ").unwrap_or((marker, ""));
        let except: Vec<&str> = except.split(", ").collect();
        if what == "columns with points" {
            return Some(self.only_with_points(&except));
        }
        if what == "columns without points" {
            return Some(self.only_without_points(&except));
        }
        let table = what.strip_prefix("columns: ")?;
        let elsewhere: Vec<ColumnDoc> =
            except.iter().filter(|name| self.moves.contains_key(**name)).flat_map(|name| self.columns(name)).collect();
        let is_here = |column: &&ColumnDoc| !except.contains(&column.name.as_str()) && !elsewhere.contains(column);
        let rows = self
            .columns(table)
            .iter()
            .filter(is_here)
            .map(|column| {
                let declared = unit_or_values(column);
                let values = if declared.is_empty() { last_cell(&column.name, there) } else { declared };
                row(&[&code(&column.name), &column.meaning, &values])
            })
            .collect::<Vec<_>>();
        Some([head(&["column", "meaning", "unit or values"]), rows].concat())
    }

    /// The tables that a study of each kind has, each with its columns where values are points.
    fn tables_in_both(&self) -> impl Iterator<Item = (&str, &[ColumnDoc], &[ColumnDoc])> {
        let names = ["moves", "shared"].into_iter().chain(PLAY);
        let others = self
            .moves
            .keys()
            .map(String::as_str)
            .filter(|name| !["moves", "shared"].contains(name) && !PLAY.contains(name));
        names.chain(others).filter_map(|name| Some((name, &**self.moves.get(name)?, &**self.points.get(name)?)))
    }

    /// The columns that are there, or mean something else, only where values are points.
    fn only_with_points(&self, except: &[&str]) -> Vec<String> {
        let mut rows: Vec<(Vec<&str>, &ColumnDoc)> = Vec::new();
        for (table, usual, with_points) in self.tables_in_both() {
            for column in with_points {
                let is_usual = usual.iter().any(|usual| {
                    usual.name == column.name && usual.meaning == column.meaning && usual.levels == column.levels
                });
                let is_shared = PLAY.contains(&table) && self.points["shared"].contains(column);
                if is_usual || is_shared || except.contains(&column.name.as_str()) {
                    continue;
                }
                match rows.iter_mut().find(|(_, known)| *known == column) {
                    Some((tables, _)) => tables.push(table),
                    None => rows.push((vec![table], column)),
                }
            }
        }
        let rows = rows.into_iter().map(|(tables, column)| {
            row(&[&names_of(&tables), &code(&column.name), &column.meaning, &unit_or_values(column)])
        });
        head(&["table", "column", "meaning", "unit or values"]).into_iter().chain(rows).collect()
    }

    /// The columns that are not there where values are points.
    fn only_without_points(&self, except: &[&str]) -> Vec<String> {
        let mut rows: Vec<(Vec<&str>, &str)> = Vec::new();
        for (table, usual, with_points) in self.tables_in_both() {
            for column in usual {
                let is_there = with_points.iter().any(|other| other.name == column.name);
                let is_shared = PLAY.contains(&table) && self.moves["shared"].contains(column);
                if is_there || is_shared || except.contains(&column.name.as_str()) {
                    continue;
                }
                match rows.iter_mut().find(|(_, known)| *known == column.name) {
                    Some((tables, _)) => tables.push(table),
                    None => rows.push((vec![table], column.name.as_str())),
                }
            }
        }
        let mut by_tables: Vec<(String, Vec<&str>)> = Vec::new();
        for (tables, column) in rows {
            let tables = names_of(&tables);
            match by_tables.iter_mut().find(|(known, _)| *known == tables) {
                Some((_, columns)) => columns.push(column),
                None => by_tables.push((tables, vec![column])),
            }
        }
        let rows = by_tables.into_iter().map(|(tables, columns)| row(&[&tables, &codes(columns)]));
        head(&["table", "columns that are not there"]).into_iter().chain(rows).collect()
    }
}

/// Names of tables; the columns that tables of play share are no table.
fn names_of(tables: &[&str]) -> String {
    if tables == ["shared"] { "shared columns".to_owned() } else { codes(tables.iter().copied()) }
}

/// The columns of all tables of a run, as its codebook tells.
fn tables_of_run(run: &Path) -> Tables {
    let codebook = Codebook::read(run).expect("a codebook");
    let entry = |table: CodebookTable| (table.name, table.columns.into_iter().map(ColumnDoc::from).collect());
    codebook.tables.into_iter().map(entry).collect()
}

/// The columns of the tables of a study, which is run with as little else as can be.
fn tables_of_study(file: &Path, without: &[&str]) -> Tables {
    let mut study = Study::read(file).expect("a study");
    study.figures.formats = vec![FigureFormat::Svg];
    study.figures.only = vec!["moves-against-time".to_owned()];
    study.output.interactive = false;
    let analyses = study.statistics.analyses().map(|analysis| analysis.name.to_owned());
    study.statistics.analyses = Some(analyses.filter(|name| !without.contains(&name.as_str())).collect());
    let target = tempfile::tempdir().expect("a folder");
    let run = target.path().join("run");
    plymap_run::run(&study, file, &run, &RunOptions::default(), &Silent).expect("a run");
    tables_of_run(&run)
}

/// The page that describes an analysis and its tables.
fn page_of_analysis(name: &str) -> String {
    format!("docs/statistics/{name}.md")
}

/// Each analysis with its section of the report and its tables.
#[test]
fn the_analyses_of_the_documentation_are_those_of_the_code() {
    check("docs/statistics.md", |marker, _| {
        let rows = ANALYSES.iter().map(|analysis| {
            let page = format!("statistics/{}.md", analysis.name);
            let tables: Vec<String> =
                analysis.tables.iter().map(|table| format!("[`{table}`]({page}#{table})")).collect();
            row(&[&format!("[`{}`]({page})", analysis.name), analysis.heading, &tables.join(", ")])
        });
        let names = ["analysis", "section of the report", "tables"];
        (marker == "analyses").then(|| head(&names).into_iter().chain(rows).collect())
    });
}

#[test]
fn the_columns_of_the_documentation_are_those_of_the_tables() {
    let of_analyses = ANALYSES.iter().map(|analysis| page_of_analysis(analysis.name));
    let pages: Vec<String> =
        ["docs/outputs.md".to_owned(), page_of_analysis("confirmatory")].into_iter().chain(of_analyses).collect();
    Documentation::of_runs().check(&pages.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn the_columns_of_other_commands_in_the_documentation_are_those_of_the_tables() {
    let pages =
        ["docs/searches.md", "docs/tournament.md", "docs/simulation.md", "docs/lights_out.md", "docs/claims.md"];
    Documentation::of_commands().check(&pages);
}

/// The estimators of a topic: from the one that the marker names to the one that the next marker names.
fn estimators_from(first: &str, firsts: &[String]) -> Vec<ResultTable> {
    let tables: Vec<ResultTable> = methods::tables().collect();
    let place = |name: &str| {
        tables.iter().position(|table| table.name == name).unwrap_or_else(|| panic!("no estimator {name}"))
    };
    let start = place(first);
    let end = firsts.iter().map(|name| place(name)).filter(|&place| place > start).min();
    tables[start..end.unwrap_or(tables.len())].to_vec()
}

fn roles(table: &ResultTable) -> String {
    let estimator = table.estimator;
    let optional = estimator.listed(false);
    if optional.is_empty() { estimator.listed(true) } else { format!("{}, [{optional}]", estimator.listed(true)) }
}

/// Returns true if an example names every role that the estimator needs, and none that it does not take.
fn is_example(ResultTable { estimator, .. }: &ResultTable, example: &str) -> bool {
    let words = example.trim_matches('`').split_whitespace();
    let named_roles: Vec<Role> = words.filter_map(|word| word.strip_prefix("--")?.parse().ok()).collect();
    let is_taken = |role: &Role| estimator.roles.iter().any(|need| need.role == *role);
    named_roles.iter().all(is_taken)
        && estimator.roles.iter().all(|need| !need.is_required() || named_roles.contains(&need.role))
}

fn table_of_estimators(estimators: &[ResultTable], there: &[&str]) -> Vec<String> {
    let rows = estimators.iter().map(|table| {
        let example = last_cell(table.name, there);
        assert!(
            is_example(table, &example),
            "the example of {} in docs/estimators.md has other roles: {example:?}",
            table.name
        );
        row(&[&code(table.name), &format!("{} {}", table.summary, table.source), &roles(table), &example])
    });
    head(&["estimator", "what it gives", "roles", "example"]).into_iter().chain(rows).collect()
}

/// Each estimator that other programs have names for.
fn table_of_other_names() -> Vec<String> {
    let names = methods::tables().map(|table| (table.name, codes(other_names(table.name))));
    let rows = names.filter(|(_, others)| !others.is_empty()).map(|(name, others)| row(&[&code(name), &others]));
    head(&["estimator", "also taken"]).into_iter().chain(rows).collect()
}

/// Each estimator that gives several tables.
fn table_of_tables() -> Vec<String> {
    let tables = methods::ESTIMATORS.iter().map(|estimator| (estimator.name, estimator.tables()));
    let row_of = |(name, tables): (&str, Vec<ResultTable>)| {
        row(&[&code(name), &codes(tables.iter().skip(1).map(|table| table.name))])
    };
    let rows = tables.filter(|(_, tables)| tables.len() > 1).map(row_of);
    head(&["estimator", "further tables of its fit"]).into_iter().chain(rows).collect()
}

/// Each assumption with the estimators that make it.
fn table_of_assumptions() -> Vec<String> {
    let mut rows: Vec<(&str, Vec<&str>)> = Vec::new();
    for table in methods::tables().filter(|table| !table.assumptions.is_empty()) {
        match rows.iter_mut().find(|(known, _)| *known == table.assumptions) {
            Some((_, names)) => names.push(table.name),
            None => rows.push((table.assumptions, vec![table.name])),
        }
    }
    let rows = rows.into_iter().map(|(assumption, names)| row(&[assumption, &codes(names)]));
    head(&["assumption", "estimators"]).into_iter().chain(rows).collect()
}

/// Returns the rows on the columns of results and their meanings. Estimators are named where a column means different
/// things; those that are not named share the first meaning.
fn table_of_results() -> Vec<String> {
    let mut columns: BTreeMap<&str, Vec<(Column, Vec<&str>)>> = BTreeMap::new();
    for table in methods::tables() {
        for column in table.columns() {
            let meanings = columns.entry(column.name).or_default();
            match meanings.iter_mut().find(|(known, _)| (known.meaning, known.unit) == (column.meaning, column.unit)) {
                Some((_, names)) => names.push(table.name),
                None => meanings.push((*column, vec![table.name])),
            }
        }
    }
    let mut rows = head(&["column", "meaning", "unit", "estimators"]);
    for (name, mut meanings) in columns {
        meanings.sort_by_key(|(_, estimators)| std::cmp::Reverse(estimators.len()));
        let is_shared = meanings.len() == 1 || meanings[0].1.len() > meanings[1].1.len();
        for (place, (column, estimators)) in meanings.iter().enumerate() {
            let named = if place == 0 && is_shared { String::new() } else { codes(estimators.iter().copied()) };
            rows.push(row(&[&code(name), column.meaning, column.unit, &named]));
        }
    }
    rows
}

#[test]
fn the_estimators_of_the_documentation_are_those_of_the_code() {
    let page = "docs/estimators.md";
    let text = text_of(page);
    let first = |line: &str| Some(line.strip_prefix("<!-- estimators from ")?.strip_suffix(" -->")?.to_owned());
    let firsts: Vec<String> = text.lines().filter_map(first).collect();
    assert!(firsts.iter().any(|name| name == methods::ESTIMATORS[0].name), "{page} leaves out the first estimators");
    check(page, |marker, there| match marker {
        "roles" => {
            let rows = Role::ALL.iter().map(|role| row(&[&code(&format!("--{role}")), role.meaning()]));
            Some(head(&["role", "the column holds"]).into_iter().chain(rows).collect())
        }
        "assumptions" => Some(table_of_assumptions()),
        "other names" => Some(table_of_other_names()),
        "tables of a fit" => Some(table_of_tables()),
        "columns of results" => Some(table_of_results()),
        marker => {
            let first = marker.strip_prefix("estimators from ")?;
            Some(table_of_estimators(&estimators_from(first, &firsts), there))
        }
    });
}

#[test]
fn the_presets_of_the_documentation_are_those_of_the_code() {
    let presets = presets();
    let help = plymap_help(&["import"]).split_whitespace().collect::<Vec<_>>().join(" ");
    let names: Vec<&str> = presets.iter().map(|(name, _)| *name).collect();
    assert!(help.contains(&names.join(", ")), "{help}");
    check("docs/import.md", |marker, _| {
        let rows = presets.iter().map(|(name, preset)| {
            let about = &preset.about;
            assert!(!about.says.is_empty() && !about.asks.is_empty(), "{name} says nothing of itself");
            row(&[&code(name), &about.title, &about.says, &about.asks])
        });
        let names = ["`preset`", "files of", "what it says", "what the study says"];
        (marker == "presets").then(|| head(&names).into_iter().chain(rows).collect())
    });
}

/// Returns the help of a command.
fn plymap_help(command: &[&str]) -> String {
    let output = program().args(command).arg("--help").output().expect("help");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_functions_of_expressions_are_those_of_the_code() {
    check("docs/expressions.md", |marker, _| {
        let rows = plymap_expression::FUNCTIONS.iter().map(|(_, usage, meaning)| row(&[&code(usage), meaning]));
        (marker == "functions").then(|| head(&["function", "gives"]).into_iter().chain(rows).collect())
    });
}

#[test]
fn rows_by_hand_stay_behind_the_row_that_they_follow() {
    let page = "# Page\n\n<!-- a table -->\n| `a` | old |\n| … | by hand |\n| `gone` | old |\n<!-- end -->\n\nText <!-- end -->\n";
    let rows = || vec!["| `a` | new |".to_owned(), "| `b` | new |".to_owned()];
    let rewritten = rewritten(page, |marker, _| (marker == "a table").then(rows));
    assert_eq!(rewritten.stale, ["a table"]);
    let expected = "# Page\n\n<!-- a table -->\n| `a` | new |\n| … | by hand |\n| `b` | new |\n<!-- end -->\n\nText <!-- end -->\n";
    assert_eq!(rewritten.page, expected);
}

#[test]
fn the_settings_of_levels_in_the_documentation_are_those_of_the_code() {
    check("docs/levels.md", |marker, _| {
        let rows = GAMES.iter().filter(|game| game.name != "lua").map(|game| {
            let names = (game.settings_of_levels)(&RuleOptions::default()).names;
            let names: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
            let listed = if names.is_empty() { "none".to_owned() } else { codes(names) };
            row(&[game.title, &listed])
        });
        (marker == "settings of levels").then(|| head(&["game", "columns and keys"]).into_iter().chain(rows).collect())
    });
}

#[test]
fn the_games_of_the_documentation_are_those_of_the_code() {
    check("docs/games.md", |marker, there| {
        let rows = GAMES.iter().map(|game| {
            let link = format!("[{}]({}.md)", game.title, game.name.replace('-', "_"));
            let is_same = |row: &&&str| row.contains(&format!(" {} ", code(game.name)));
            let by_hand = there.iter().find(is_same).and_then(|row| row.strip_suffix(" |")?.rsplit(" | ").next());
            row(&[&link, &code(game.name), by_hand.unwrap_or_default()])
        });
        let names = ["game", "name in studies", "values and largest practical size"];
        (marker == "games").then(|| head(&names).into_iter().chain(rows).collect())
    });
}
