//! Ways to take the cells of a log apart before a row is one move.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

use regex::Regex;

use super::words;
use plymap_log::{PipelineStep, Sample, Split, Wide, is_instant, n_nested};

/// Steps of which one may make rows out of these: columns that repeat with a number, cells that hold JSON. Columns in
/// `columns_beside` stood beside cells that were taken apart, and are left as they are.
pub(super) fn shapes(sample: &Sample, columns_beside: &BTreeSet<String>) -> Vec<PipelineStep> {
    wide(sample, columns_beside).into_iter().chain(nested(sample, columns_beside)).collect()
}

/// Columns of a sample that stand beside those of which a step makes rows.
pub(super) fn beside<'s>(step: &PipelineStep, sample: &'s Sample) -> impl Iterator<Item = &'s String> {
    let with: HashSet<&String> = match step {
        PipelineStep::Split(split) => split.with.iter().collect(),
        _ => HashSet::new(),
    };
    let is_apart = move |name: &&String| match step {
        PipelineStep::Split(Split { into, .. }) if !into.is_empty() => false,
        PipelineStep::Split(split) => **name != split.column && !with.contains(name),
        PipelineStep::Wide(_) => true,
        _ => false,
    };
    sample.columns.iter().filter(is_apart)
}

/// Steps that take texts apart in which moves stand one behind the other, with something between them or letter by
/// letter.
pub(super) fn texts(sample: &Sample, columns_beside: &BTreeSet<String>) -> Vec<PipelineStep> {
    let mut shapes = Vec::new();
    let mut parts = Parts::default();
    for (place, column, cells) in columns_of_texts(sample, columns_beside) {
        // A trial without a move is a trial.
        let keep_empty = cells.len() < sample.rows.len().min(CELLS);
        let split = |split: Split| PipelineStep::Split(Split { column: column.to_owned(), keep_empty, ..split });
        if let Some(by) = between(&cells) {
            // Lists side by side, such as moves and their times.
            let with = parts.as_many(sample, by, place);
            if with[0] == place {
                let with = with[1..].iter().map(|&other| sample.columns[other].clone()).collect();
                shapes.push(split(Split { by: Some(by.to_owned()), with, ..Split::default() }));
            }
        } else if is_of_letters(&cells) {
            shapes.push(split(Split { by: Some(String::new()), ..Split::default() }));
        }
    }
    shapes
}

/// Columns of texts that may be moves, each with its place, name and some of its cells.
pub(super) fn columns_of_texts<'s>(
    sample: &'s Sample,
    columns_beside: &'s BTreeSet<String>,
) -> impl Iterator<Item = (usize, &'s str, Vec<&'s str>)> {
    let cells = |place: usize| sample.rows.iter().filter_map(move |row| row.cell(place)).take(CELLS).collect();
    let columns = sample.columns.iter().enumerate().filter(|(_, name)| !columns_beside.contains(*name));
    columns.map(move |(place, name)| (place, name.as_str(), cells(place))).filter(
        |(_, _, cells): &(_, _, Vec<&str>)| {
            cells.iter().collect::<BTreeSet<_>>().len() > 1 && !cells.iter().any(is_value)
        },
    )
}

fn is_value(cell: &&str) -> bool {
    cell.starts_with(['[', '{', '(']) || is_instant(cell)
}

/// Number of cells of a column that are looked at.
const CELLS: usize = 1000;
/// Separator of moves.
const BETWEEN: [&str; 10] = ["->", "→", ">", ";", "|", ",", "-", ":", "/", " "];

/// Separator of the elements of cells that have several, not always as many.
fn between(cells: &[&str]) -> Option<&'static str> {
    BETWEEN.into_iter().find(|by| {
        let counts: Vec<usize> = cells.iter().map(|cell| cell.split(*by).count()).collect();
        let n_several = counts.iter().filter(|count| **count > 2).count();
        let is_short = |cell: &&str| cell.split(*by).all(|part| (1..=8).contains(&part.trim().chars().count()));
        let differ = counts.iter().any(|count| *count != counts[0]);
        differ && 2 * n_several > cells.len() && cells.iter().all(is_short)
    })
}

/// Numbers of parts into which the cells of each column fall, by what stands between them; all columns are looked at
/// once for each.
#[derive(Default)]
struct Parts(HashMap<&'static str, Divided>);

/// Columns whose cells fall into as many parts each.
#[derive(Default)]
struct Divided {
    /// The number of the group of each column.
    group_of: Vec<usize>,
    groups: Vec<Vec<usize>>,
}

impl Parts {
    /// The columns whose cells fall into as many parts as those of a column, itself among them.
    fn as_many(&mut self, sample: &Sample, by: &'static str, place: usize) -> &[usize] {
        let divided = self.0.entry(by).or_insert_with(|| {
            let mut divided = Divided::default();
            let mut known: HashMap<Vec<Option<usize>>, usize> = HashMap::new();
            for column in 0..sample.columns.len() {
                let n_parts = |cell: &str| cell.split(by).count();
                let counts = sample.rows.iter().map(|row| row.cell(column).map(n_parts)).take(CELLS).collect();
                let group = *known.entry(counts).or_insert(divided.groups.len());
                if group == divided.groups.len() {
                    divided.groups.push(Vec::new());
                }
                divided.groups[group].push(column);
                divided.group_of.push(group);
            }
            divided
        });
        &divided.groups[divided.group_of[place]]
    }
}

/// `true` if cells are chains of few letters, such as `RRULD`.
fn is_of_letters(cells: &[&str]) -> bool {
    let letters: BTreeSet<char> = cells.iter().flat_map(|cell| cell.chars()).take(100_000).collect();
    let n: usize = cells.iter().map(|cell| cell.chars().count()).sum();
    (2..=8).contains(&letters.len())
        && letters.iter().all(|letter| letter.is_alphabetic())
        && n > cells.len()
        && cells.iter().any(|cell| cell.chars().count() > 2)
}

/// Least number of columns of a kind that are no accident.
const REPEATED: usize = 3;

static NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\d+").expect("a test compiles it"));

/// Names that differ in numbers alone, such as `move1`, `move2`, `move3`, with `{n}` where these stand.
pub(super) fn numbered<'s>(names: impl Iterator<Item = &'s String>) -> BTreeMap<String, Vec<&'s String>> {
    let mut groups: BTreeMap<String, Vec<&'s String>> = BTreeMap::new();
    for name in names.filter(|name| NUMBER.is_match(name)) {
        groups.entry(NUMBER.replace_all(name, "0").into_owned()).or_default().push(name);
    }
    groups.into_values().filter_map(pattern_of).collect()
}

/// The pattern of names that differ in numbers alone, and these; none if no number begins at 0 or 1.
fn pattern_of(names: Vec<&String>) -> Option<(String, Vec<&String>)> {
    let numbers: Vec<Vec<&str>> =
        names.iter().map(|name| NUMBER.find_iter(name).map(|number| number.as_str()).collect()).collect();
    let mut pattern = String::new();
    let mut end = 0;
    let mut is_first = false;
    for (place, number) in NUMBER.find_iter(names[0]).enumerate() {
        pattern += &names[0][end..number.start()];
        end = number.end();
        let varies = numbers.iter().any(|numbers| numbers[place] != number.as_str());
        pattern += if varies { "{n}" } else { number.as_str() };
        is_first |=
            varies && numbers.iter().any(|numbers| numbers[place].parse::<u32>().is_ok_and(|number| number <= 1));
    }
    (is_first && names.len() > 1).then(|| (pattern + &names[0][end..], names))
}

/// Steps that make rows of columns which repeat with a number: all that are about as many together, and the longest
/// alone.
fn wide(sample: &Sample, columns_beside: &BTreeSet<String>) -> Vec<PipelineStep> {
    let mut groups = numbered(sample.columns.iter().filter(|name| !columns_beside.contains(*name)));
    // Two of one kind may be an accident, two of two kinds hardly.
    if groups.len() == 1 {
        groups.retain(|_, names| names.len() >= REPEATED);
    }
    let Some(longest) = groups.values().map(Vec::len).max() else { return Vec::new() };
    let step = |patterns: Vec<&String>| {
        let mut columns = BTreeMap::new();
        for pattern in patterns {
            let mut name =
                pattern.replace("[{n}]", "").replace("{n}", "").trim_matches(['_', '-', '.', ' ']).to_owned();
            while name.is_empty() || sample.place(&name).is_some() || columns.contains_key(&name) {
                name.push('_');
            }
            columns.insert(name, pattern.clone());
        }
        PipelineStep::Wide(Wide { columns, number: None })
    };
    let alike = groups.iter().filter(|(_, names)| 2 * names.len() >= longest).map(|(pattern, _)| pattern).collect();
    let long = groups.iter().find(|(_, names)| names.len() == longest && longest >= REPEATED);
    let alone = long.map(|(pattern, _)| step(vec![pattern]));
    let mut steps: Vec<PipelineStep> = std::iter::once(step(alike)).chain(alone).collect();
    steps.dedup();
    steps
}

/// Names of columns whose cells are lists.
pub(super) fn lists(sample: &Sample) -> Vec<String> {
    let is_list = |place: usize| {
        let mut cells = sample.rows.iter().filter_map(|row| row.cell(place)).take(CELLS).peekable();
        cells.peek().is_some() && cells.all(|cell| matches!(n_nested(cell), Some(Some(_))))
    };
    (0..sample.columns.len()).filter(|&place| is_list(place)).map(|place| sample.columns[place].clone()).collect()
}

/// Columns whose cells are arrays or objects; lists of the same lengths side by side.
fn nested(sample: &Sample, columns_beside: &BTreeSet<String>) -> Vec<PipelineStep> {
    let sizes = |place: usize| -> Option<Vec<Option<Option<usize>>>> {
        let cells = sample.rows.iter().map(|row| row.cell(place)).take(1000);
        let sizes: Vec<_> = cells.map(|cell| cell.map(n_nested)).collect();
        let (n, n_all) = (sizes.iter().flatten().flatten().count(), sizes.iter().flatten().count());
        (n > 0 && 10 * n >= 9 * n_all).then(|| sizes.into_iter().map(Option::flatten).collect())
    };
    let is_free = |place: &usize| !columns_beside.contains(&sample.columns[*place]);
    let columns: Vec<_> =
        (0..sample.columns.len()).filter(is_free).filter_map(|place| Some((place, sizes(place)?))).collect();
    let step = |places: &[usize]| {
        let mut names = places.iter().map(|&place| sample.columns[place].clone());
        let column = names.next()?;
        // A trial without a move is a trial.
        let keep_empty = sample.rows.iter().any(|row| row.cell(places[0]).and_then(n_nested) == Some(Some(0)));
        Some(PipelineStep::Split(Split { column, with: names.collect(), keep_empty, ..Split::default() }))
    };
    // Lists of the same few elements can be the parts of a move.
    let of_parts = columns.iter().filter_map(|(place, sizes)| {
        let mut lengths = sizes.iter().flatten().map(|size| size.unwrap_or(0));
        let n = lengths.next().filter(|n| (2..=4).contains(n))?;
        let name = &sample.columns[*place];
        let into = || (1..=n).map(|number| format!("{name}_{number}")).collect();
        let split = || Split { column: name.clone(), into: into(), ..Split::default() };
        lengths.all(|length| length == n).then(|| PipelineStep::Split(split()))
    });
    let of_parts: Vec<PipelineStep> = of_parts.collect();
    // Lists of two halves of a session, one behind the other.
    let names: Vec<&String> = columns.iter().map(|(place, _)| &sample.columns[*place]).collect();
    let in_time = words::InTime::new(names.iter().copied());
    let of_halves = names.iter().enumerate().flat_map(|(number, name)| {
        let others = in_time.others(name).into_iter().filter(move |&other| other > number);
        others.map(|other| names[other]).filter_map(move |other| {
            let (first, second) = words::in_time(name, other)?;
            let (column, then) = (first.to_owned(), vec![second.to_owned()]);
            Some(PipelineStep::Split(Split { column, then, keep_empty: true, ..Split::default() }))
        })
    });
    let of_halves: Vec<PipelineStep> = of_halves.collect();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut first_of: HashMap<&[Option<Option<usize>>], usize> = HashMap::new();
    for (place, sizes) in &columns {
        let is_list = sizes.iter().flatten().all(Option::is_some);
        match first_of.get(sizes.as_slice()).filter(|_| is_list) {
            Some(&group) => groups[group].push(*place),
            None => {
                first_of.entry(sizes).or_insert(groups.len());
                groups.push(vec![*place]);
            }
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    of_parts.into_iter().chain(of_halves).chain(groups.iter().filter_map(|group| step(group))).collect()
}
