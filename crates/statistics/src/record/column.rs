//! A column of results: its name, what its cells hold, and what they mean.

/// A column of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Name under which records hold its cells: its own, unless a table shows it under another.
    pub key: &'static str,
    /// Kind of its cells.
    pub kind: ColumnKind,
    /// Meaning of its values.
    pub meaning: &'static str,
    /// Unit of its values; empty for counts, names and flags.
    pub unit: &'static str,
    /// The values that it can take, where they are few.
    pub levels: &'static [&'static str],
}

/// Kind of the cells of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Numbers.
    Number,
    /// Whole numbers from 0.
    Count,
    /// Whole numbers, also negative ones.
    Whole,
    /// Text.
    Text,
    /// Yes or no.
    Flag,
}

impl Column {
    /// The same column with what it means for one estimator.
    pub const fn means(self, meaning: &'static str) -> Self {
        Self { meaning, ..self }
    }

    /// The same column under another name.
    pub const fn named(self, name: &'static str) -> Self {
        Self { name, key: name, ..self }
    }

    /// The cells of this column, shown under another name.
    pub const fn shown_as(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// The same column with the unit of its values.
    pub const fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// The same column with the values that it can take.
    pub const fn levels(self, levels: &'static [&'static str]) -> Self {
        Self { levels, ..self }
    }
}

const fn column(name: &'static str, kind: ColumnKind, meaning: &'static str) -> Column {
    Column { name, key: name, kind, meaning, unit: "", levels: &[] }
}

/// A column of numbers.
pub const fn number(name: &'static str, meaning: &'static str) -> Column {
    column(name, ColumnKind::Number, meaning)
}

/// A column of whole numbers.
pub const fn count(name: &'static str, meaning: &'static str) -> Column {
    column(name, ColumnKind::Count, meaning)
}

/// A column of whole numbers, also negative ones.
pub const fn whole(name: &'static str, meaning: &'static str) -> Column {
    column(name, ColumnKind::Whole, meaning)
}

/// A column of text.
pub const fn text(name: &'static str, meaning: &'static str) -> Column {
    column(name, ColumnKind::Text, meaning)
}

/// A column of yes or no.
pub const fn flag(name: &'static str, meaning: &'static str) -> Column {
    column(name, ColumnKind::Flag, meaning)
}

/// Groups of columns one behind the other.
macro_rules! joined {
    ($($group:expr),+ $(,)?) => {{
        const GROUPS: &[&[$crate::record::column::Column]] = &[$($group),+];
        const COLUMNS: [$crate::record::column::Column; $crate::record::column::n_columns(GROUPS)] = $crate::record::column::flattened(GROUPS);
        &COLUMNS
    }};
}

pub(crate) use joined;

/// Number of columns of all groups.
pub(crate) const fn n_columns(groups: &[&[Column]]) -> usize {
    let (mut n, mut group) = (0, 0);
    while group < groups.len() {
        n += groups[group].len();
        group += 1;
    }
    n
}

/// The columns of all groups, `N` in number.
pub(crate) const fn flattened<const N: usize>(groups: &[&[Column]]) -> [Column; N] {
    let mut columns = [groups[0][0]; N];
    let (mut n, mut group) = (0, 0);
    while group < groups.len() {
        let mut place = 0;
        while place < groups[group].len() {
            columns[n] = groups[group][place];
            (n, place) = (n + 1, place + 1);
        }
        group += 1;
    }
    columns
}
