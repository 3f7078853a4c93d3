//! A table with the meaning of each of its columns.

use plymap_statistics::record::{self, ColumnKind, Record};
use polars::prelude::{
    ChunkTake as _, Column, DataFrame, DataType, IdxCa, IntoColumn as _, NamedFrom, ParquetCompression, ParquetReader,
    ParquetWriter, SerReader as _, Series, StringChunked,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

use crate::interner::Interner;

/// What one column of a table means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ColumnDoc {
    /// Name of the column.
    pub name: String,
    /// What a value in it means, for someone who has not read the code.
    pub meaning: String,
    /// Unit of its values; empty for counts, names and flags.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// The values that it can take, where they are few.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<String>,
}

impl ColumnDoc {
    /// A column without a unit.
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
    /// The first row with these texts in these columns.
    pub fn row(&self, wanted: &[(&str, &str)]) -> Option<usize> {
        let has = |row: usize, (column, text): &(&str, &str)| self.text_at(row, column).as_deref() == Some(*text);
        (0..self.data.height()).find(|&row| wanted.iter().all(|own| has(row, own)))
    }

    /// A cell as text; absent where it is missing, or there is no such column.
    pub fn text_at(&self, row: usize, column: &str) -> Option<String> {
        let cell = self.data.column(column).ok()?.slice(row as i64, 1).cast(&DataType::String).ok()?;
        cell.str().ok()?.get(0).map(str::to_owned)
    }

    /// A cell as a number; absent where it is none.
    pub fn number_at(&self, row: usize, column: &str) -> Option<f64> {
        let cell = self.data.column(column).ok()?.slice(row as i64, 1).cast(&DataType::Float64).ok()?;
        cell.f64().ok()?.get(0)
    }

    /// A table of results: one row for each record, one column for each that is declared.
    ///
    /// # Panics
    ///
    /// If two columns have one name.
    pub fn of_records(name: &str, caption: &str, columns: &[record::Column], records: &[Record]) -> Self {
        let add = |table: Columns, column: &record::Column| table.records(*column, records.iter());
        columns.iter().fold(Columns::new(), add).into_table(name, caption)
    }
}

/// What a table is kept as: its data as Parquet.
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
pub fn coded_texts<'t>(name: &str, text: impl Fn(u32) -> &'t str, codes: impl Iterator<Item = Option<u32>>) -> Column {
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
    let taken = texts.take(&codes).expect("a text for each code");
    taken.with_name(name.into()).into_column()
}

/// The columns of a table under construction, each with its documentation; one value for each row.
#[derive(Default)]
pub struct Columns {
    data: Vec<Column>,
    docs: Vec<ColumnDoc>,
}

impl Columns {
    /// No column yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether a column has this name.
    pub fn has(&self, name: &str) -> bool {
        self.docs.iter().any(|column| column.name == name)
    }

    /// These values, of whatever type tables can hold.
    pub fn values<T, Phantom: ?Sized>(mut self, doc: ColumnDoc, values: Vec<T>) -> Self
    where
        Series: NamedFrom<Vec<T>, Phantom>,
    {
        self.data.push(Column::new(doc.name.as_str().into(), values));
        self.docs.push(doc);
        self
    }

    /// Text.
    pub fn text<T>(self, rows: &[T], name: &str, meaning: &str, value: impl Fn(&T) -> String) -> Self {
        self.values(ColumnDoc::new(name, meaning), rows.iter().map(value).collect())
    }

    /// Texts of which many are the same, as codes of what `text` tells.
    pub fn coded<'t>(
        mut self,
        doc: ColumnDoc,
        text: impl Fn(u32) -> &'t str,
        codes: impl Iterator<Item = Option<u32>>,
    ) -> Self {
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
        let taken = |column: Column| column.take(rows).expect("a row of that number");
        Self { data: self.data.into_iter().map(taken).collect(), docs: self.docs }
    }

    /// Text that may be missing.
    pub fn label<T>(self, rows: &[T], name: &str, meaning: &str, value: impl Fn(&T) -> Option<String>) -> Self {
        self.values(ColumnDoc::new(name, meaning), rows.iter().map(value).collect())
    }

    /// Counts.
    pub fn count<T>(self, rows: &[T], name: &str, meaning: &str, value: impl Fn(&T) -> u64) -> Self {
        self.values(ColumnDoc::new(name, meaning), rows.iter().map(value).collect())
    }

    /// Whole numbers that may be missing.
    pub fn whole<T>(
        self,
        rows: &[T],
        name: &str,
        unit: &str,
        meaning: &str,
        value: impl Fn(&T) -> Option<i64>,
    ) -> Self {
        self.values(ColumnDoc::new(name, meaning).unit(unit), rows.iter().map(value).collect())
    }

    /// Numbers that may be missing.
    pub fn number<T>(
        self,
        rows: &[T],
        name: &str,
        unit: &str,
        meaning: &str,
        value: impl Fn(&T) -> Option<f64>,
    ) -> Self {
        self.values(ColumnDoc::new(name, meaning).unit(unit), rows.iter().map(value).collect())
    }

    /// Yes or no, which may be missing.
    pub fn flag<T>(self, rows: &[T], name: &str, meaning: &str, value: impl Fn(&T) -> Option<bool>) -> Self {
        self.values(ColumnDoc::new(name, meaning), rows.iter().map(value).collect())
    }

    /// A column of results: of the records, in their order.
    pub fn records<'a>(self, column: record::Column, records: impl Iterator<Item = &'a Record>) -> Self {
        let record::Column { name, key, kind, meaning, unit, levels } = column;
        let doc = ColumnDoc::new(name, meaning).unit(unit).levels(levels);
        let cells = records.map(|record| record.cell(key));
        // Counts and whole numbers are below 2^53, where a number of 64 bits is exact.
        match kind {
            ColumnKind::Number => self.values(doc, cells.map(|cell| cell.number()).collect()),
            ColumnKind::Count => self.values(doc, cells.map(|cell| cell.number().map(|n| n as u64)).collect()),
            ColumnKind::Whole => self.values(doc, cells.map(|cell| cell.number().map(|n| n as i64)).collect()),
            ColumnKind::Text => self.values(doc, cells.map(|cell| cell.text().map(str::to_owned)).collect()),
            ColumnKind::Flag => self.values(doc, cells.map(|cell| cell.flag()).collect()),
        }
    }

    /// The columns and what they mean, for a table that has others already.
    pub fn into_parts(self) -> (Vec<Column>, Vec<ColumnDoc>) {
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
