//! A table with the meaning of each of its columns.
//!
//! A column is declared once, as a constant [`Column`]: its documentation, and the key by which its cells are read. There
//! is a second form, [`ColumnDoc`], because a constant cannot own text, and a table has columns that are known at run time
//! only: those of a log, of a file that is read, of a factor that a user names.

use plymap_statistics::record::{Column, ColumnKind, Record};
use polars::prelude::{
    self, ChunkTake as _, DataFrame, DataType, IdxCa, IntoColumn as _, NamedFrom, ParquetCompression, ParquetReader,
    ParquetWriter, PolarsResult, SerReader as _, Series, StringChunked,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

use crate::interner::Interner;

/// The documentation of a column, as its table carries it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ColumnDoc {
    /// Name of the column.
    pub name: String,
    /// Meaning of its values, for someone who has not read the code.
    pub meaning: String,
    /// Unit of its values; empty for counts, names and flags.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// The values that it can take, where they are few.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<String>,
}

impl ColumnDoc {
    /// A column that is known at run time only, without a unit.
    pub fn new(name: &str, meaning: &str) -> Self {
        Self { name: name.to_owned(), meaning: meaning.to_owned(), unit: String::new(), levels: Vec::new() }
    }

    /// The same column with a unit.
    pub fn unit(mut self, unit: &str) -> Self {
        self.unit = unit.to_owned();
        self
    }

    /// The same column with the values that it can take.
    pub fn levels(mut self, levels: &[&str]) -> Self {
        self.levels = levels.iter().map(|&level| level.to_owned()).collect();
        self
    }
}

impl From<Column> for ColumnDoc {
    fn from(column: Column) -> Self {
        Self::new(column.name, column.meaning).unit(column.unit).levels(column.levels)
    }
}

/// Key of a column that is read.
pub trait ColumnKey {
    /// Name of the column.
    fn name(&self) -> &str;

    /// Kind of its cells, where it is declared.
    fn kind(&self) -> Option<ColumnKind>;
}

impl ColumnKey for Column {
    fn name(&self) -> &str {
        self.name
    }

    fn kind(&self) -> Option<ColumnKind> {
        Some(self.kind)
    }
}

/// A column that only a user names: of a log, or in a file of settings.
#[derive(Clone, Copy)]
pub struct Named<'a>(pub &'a str);

impl ColumnKey for Named<'_> {
    fn name(&self) -> &str {
        self.0
    }

    fn kind(&self) -> Option<ColumnKind> {
        None
    }
}

/// A table that can be written: its data, and what each column means.
#[derive(Clone, Debug)]
pub struct Table {
    /// Name of the table and stem of its files, such as `trials`.
    pub name: String,
    /// One sentence: what a row is and what the table is for.
    pub caption: String,
    /// The rows.
    pub data: DataFrame,
    /// One entry for each column of `data`, in the same order.
    pub columns: Vec<ColumnDoc>,
}

impl Table {
    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.data.height()
    }

    /// Returns true if there is such a column.
    pub fn has(&self, column: impl ColumnKey) -> bool {
        self.data.column(column.name()).is_ok()
    }

    /// A column as text; missing is empty.
    ///
    /// # Errors
    ///
    /// If there is no such column.
    pub fn texts(&self, column: impl ColumnKey) -> PolarsResult<Vec<String>> {
        debug_assert!(matches!(column.kind(), None | Some(ColumnKind::Text)), "{} is no text", column.name());
        let cells = self.data.column(column.name())?.cast(&DataType::String)?;
        Ok(cells.str()?.iter().map(|cell| cell.unwrap_or_default().to_owned()).collect())
    }

    /// A column as numbers.
    ///
    /// # Errors
    ///
    /// If there is no such column.
    pub fn numbers(&self, column: impl ColumnKey) -> PolarsResult<Vec<Option<f64>>> {
        debug_assert!(column.kind() != Some(ColumnKind::Text), "{} is text", column.name());
        let cells = self.data.column(column.name())?.cast(&DataType::Float64)?;
        Ok(cells.f64()?.iter().collect())
    }

    /// A column of counts.
    ///
    /// # Errors
    ///
    /// If there is no such column.
    pub fn counts(&self, column: impl ColumnKey) -> PolarsResult<Vec<Option<u64>>> {
        Ok(self.numbers(column)?.into_iter().map(|cell| cell.map(|count| count as u64)).collect())
    }

    /// The first row with these texts in these columns.
    pub fn row(&self, wanted: &[(impl ColumnKey + Copy, &str)]) -> Option<usize> {
        let has = |row: usize, &(column, text): &(_, &str)| self.text_at(row, column).as_deref() == Some(text);
        (0..self.n_rows()).find(|&row| wanted.iter().all(|cell| has(row, cell)))
    }

    /// A cell as text; absent where it is missing, or there is no such column.
    pub fn text_at(&self, row: usize, column: impl ColumnKey) -> Option<String> {
        let cell = self.data.column(column.name()).ok()?.slice(row as i64, 1).cast(&DataType::String).ok()?;
        cell.str().ok()?.get(0).map(str::to_owned)
    }

    /// A cell as a number; absent where it is none.
    pub fn number_at(&self, row: usize, column: impl ColumnKey) -> Option<f64> {
        debug_assert!(column.kind() != Some(ColumnKind::Text), "{} is text", column.name());
        let cell = self.data.column(column.name()).ok()?.slice(row as i64, 1).cast(&DataType::Float64).ok()?;
        cell.f64().ok()?.get(0)
    }

    /// A table of results: one row for each record, one column for each that is declared.
    ///
    /// # Panics
    ///
    /// If two columns have one name.
    pub fn of_records(name: &str, caption: &str, columns: &[Column], records: &[Record]) -> Self {
        let add = |table: Columns, column: &Column| table.records(*column, records.iter());
        columns.iter().fold(Columns::new(), add).into_table(name, caption)
    }
}

/// Serialised form of a table: its data as Parquet.
#[derive(Serialize, Deserialize)]
struct Kept {
    name: String,
    caption: String,
    data: Vec<u8>,
    /// Name, meaning, unit and levels of each column.
    columns: Vec<(String, String, String, Vec<String>)>,
}

impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut data = Vec::new();
        // Whoever keeps it compresses it.
        let writer = ParquetWriter::new(&mut data).with_compression(ParquetCompression::Uncompressed);
        writer.finish(&mut self.data.clone()).map_err(ser::Error::custom)?;
        let doc = |doc: &ColumnDoc| (doc.name.clone(), doc.meaning.clone(), doc.unit.clone(), doc.levels.clone());
        let columns = self.columns.iter().map(doc).collect();
        Kept { name: self.name.clone(), caption: self.caption.clone(), data, columns }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Table {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Kept { name, caption, data, columns } = Kept::deserialize(deserializer)?;
        let data = ParquetReader::new(std::io::Cursor::new(data)).finish().map_err(de::Error::custom)?;
        let doc = |(name, meaning, unit, levels)| ColumnDoc { name, meaning, unit, levels };
        Ok(Self { name, caption, data, columns: columns.into_iter().map(doc).collect() })
    }
}

/// A column of texts of which many are the same: `text` tells what each of the `codes` stands for, and each text is held
/// once.
pub fn coded_texts<'t>(
    name: &str,
    text: impl Fn(u32) -> &'t str,
    codes: impl Iterator<Item = Option<u32>>,
) -> prelude::Column {
    // A few rows may stand for a part of very many texts.
    let mut met = Interner::default();
    let mut last = None;
    let codes = codes.map(|code| {
        let code = code?;
        if last.is_none_or(|(known, _)| known != code) {
            last = Some((code, met.number(code)));
        }
        last.map(|(_, place)| place)
    });
    let codes: IdxCa = codes.collect();
    let texts: StringChunked = met.into_items().into_iter().map(|code| Some(text(code))).collect();
    // Cells of a taken column are views of the texts that it was taken from.
    let column = texts.take(&codes).expect("a text for each code");
    column.with_name(name.into()).into_column()
}

/// The columns of a table under construction, each with its documentation; one value for each row.
#[derive(Default)]
pub struct Columns {
    data: Vec<prelude::Column>,
    docs: Vec<ColumnDoc>,
}

impl Columns {
    /// Creates a set of no columns.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns true if a column has this name.
    pub fn has(&self, name: &str) -> bool {
        self.docs.iter().any(|column| column.name == name)
    }

    /// Adds a column of these values, of whatever type tables can hold.
    pub fn values<T, Phantom: ?Sized>(mut self, column: impl Into<ColumnDoc>, values: Vec<T>) -> Self
    where
        Series: NamedFrom<Vec<T>, Phantom>,
    {
        let doc = column.into();
        self.data.push(prelude::Column::new(doc.name.as_str().into(), values));
        self.docs.push(doc);
        self
    }

    /// As [`Columns::values`], if there is to be such a column.
    pub fn values_if<T, Phantom: ?Sized>(self, is_asked: bool, column: impl Into<ColumnDoc>, values: Vec<T>) -> Self
    where
        Series: NamedFrom<Vec<T>, Phantom>,
    {
        if is_asked { self.values(column, values) } else { self }
    }

    /// A column with a value for each row.
    pub fn column<T, V, Phantom: ?Sized>(
        self,
        rows: &[T],
        column: impl Into<ColumnDoc>,
        value: impl Fn(&T) -> V,
    ) -> Self
    where
        Series: NamedFrom<Vec<V>, Phantom>,
    {
        self.values(column, rows.iter().map(value).collect())
    }

    /// Texts of which many are the same, as codes of what `text` tells.
    pub fn coded<'t>(
        mut self,
        column: impl Into<ColumnDoc>,
        text: impl Fn(u32) -> &'t str,
        codes: impl Iterator<Item = Option<u32>>,
    ) -> Self {
        let doc = column.into();
        self.data.push(coded_texts(&doc.name, text, codes));
        self.docs.push(doc);
        self
    }

    /// The columns of another table behind those of this one.
    pub fn beside(mut self, other: Self) -> Self {
        self.data.extend(other.data);
        self.docs.extend(other.docs);
        self
    }

    /// The same columns with a row for each number of one of theirs.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn taken(self, rows: &IdxCa) -> Self {
        let selected = |column: prelude::Column| column.take(rows).expect("a row of that number");
        Self { data: self.data.into_iter().map(selected).collect(), docs: self.docs }
    }

    /// A column of results: of the records, in their order.
    pub fn records<'a>(self, column: Column, records: impl Iterator<Item = &'a Record>) -> Self {
        let cells = records.map(|record| record.cell(column.key));
        // Counts and whole numbers are below 2^53, where a number of 64 bits is exact.
        match column.kind {
            ColumnKind::Number => self.values(column, cells.map(|cell| cell.number()).collect()),
            ColumnKind::Count => self.values(column, cells.map(|cell| cell.number().map(|n| n as u64)).collect()),
            ColumnKind::Whole => self.values(column, cells.map(|cell| cell.number().map(|n| n as i64)).collect()),
            ColumnKind::Text => self.values(column, cells.map(|cell| cell.text().map(str::to_owned)).collect()),
            ColumnKind::Flag => self.values(column, cells.map(|cell| cell.flag()).collect()),
        }
    }

    /// The columns and what they mean, for a table that has others already.
    pub fn into_parts(self) -> (Vec<prelude::Column>, Vec<ColumnDoc>) {
        (self.data, self.docs)
    }

    /// The table of these columns.
    ///
    /// # Panics
    ///
    /// If columns differ in length, or two have one name.
    pub fn into_table(self, name: &str, caption: &str) -> Table {
        let data = DataFrame::new_infer_height(self.data);
        let data = data.expect("the columns of a table are of equal length, and each has a name of its own");
        Table { name: name.to_owned(), caption: caption.to_owned(), data, columns: self.docs }
    }
}
