//! How the cells of a log may have to be taken apart before a row is one move.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::log::{Sample, Split, Transform, Wide, n_nested};

/// Steps of which one may make rows out of these: columns that repeat with a number, cells that hold JSON.
pub(super) fn shapes(sample: &Sample) -> Vec<Transform> {
    wide(sample).into_iter().chain(nested(sample)).collect()
}

/// So many columns of a kind are no accident.
const REPEATED: usize = 3;

/// Columns whose names differ in a number alone, such as `move1`, `move2`, `move3`.
fn wide(sample: &Sample) -> Option<Transform> {
    static NUMBERED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^(.*?)(\d+)(\D*)$").expect("a test compiles it"));
    let mut groups: BTreeMap<(String, String), Vec<u32>> = BTreeMap::new();
    for name in &sample.columns {
        if let Some(parts) = NUMBERED.captures(name)
            && let Ok(number) = parts[2].parse()
        {
            groups.entry((parts[1].to_owned(), parts[3].to_owned())).or_default().push(number);
        }
    }
    groups.retain(|_, numbers| numbers.len() >= REPEATED && numbers.iter().any(|&number| number <= 1));
    let longest = groups.values().map(Vec::len).max()?;
    let mut columns = BTreeMap::new();
    for ((before, behind), _) in groups.iter().filter(|(_, numbers)| 2 * numbers.len() >= longest) {
        let mut name = format!("{before}{behind}").trim_matches(['_', '-', '.', ' ']).to_owned();
        while name.is_empty() || sample.columns.contains(&name) || columns.contains_key(&name) {
            name.push('_');
        }
        columns.insert(name, format!("{before}{{n}}{behind}"));
    }
    Some(Transform::Wide(Wide { columns, number: None }))
}

/// Columns whose cells are arrays or objects; lists of the same lengths side by side.
fn nested(sample: &Sample) -> Vec<Transform> {
    let sizes = |place: usize| -> Option<Vec<Option<Option<usize>>>> {
        let cells = sample.rows.iter().map(|row| row.cells[place].as_deref()).take(1000);
        let sizes: Vec<_> = cells.map(|cell| cell.map(n_nested)).collect();
        let (n, n_all) = (sizes.iter().flatten().flatten().count(), sizes.iter().flatten().count());
        (n > 0 && 10 * n >= 9 * n_all).then(|| sizes.into_iter().map(Option::flatten).collect())
    };
    let columns: Vec<_> = (0..sample.columns.len()).filter_map(|place| Some((place, sizes(place)?))).collect();
    let step = |places: &[usize]| {
        let mut names = places.iter().map(|&place| sample.columns[place].clone());
        let column = names.next()?;
        Some(Transform::Split(Split { column, with: names.collect(), ..Split::default() }))
    };
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (place, sizes) in &columns {
        let is_list = sizes.iter().flatten().all(Option::is_some);
        let alike = |group: &&mut Vec<usize>| columns.iter().any(|(other, known)| *other == group[0] && known == sizes);
        match groups.iter_mut().find(alike).filter(|_| is_list) {
            Some(group) => group.push(*place),
            None => groups.push(vec![*place]),
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    groups.iter().filter_map(|group| step(group)).collect()
}
