//! Tables that come and go by the Arrow C data interface, without copies of their own and without files: what pandas, polars,
//! pyarrow, DuckDB and others take and give.
#![allow(unsafe_code)]

use std::ffi::CStr;

use plymap_log::is_read;
use polars::prelude::{ArrowDataType, ArrowField, CompatLevel, DataFrame, IntoColumn as _, PolarsResult, Series};
use polars_arrow::array::{
    Array, DictionaryArray, MutableArray as _, MutableUtf8Array, StructArray, Utf8Array, Utf8ViewArray, new_empty_array,
};
use polars_arrow::ffi::{ArrowArrayStream, ArrowArrayStreamReader, export_iterator};
use polars_arrow::match_integer_type;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// The name that capsules of streams have by the interface.
const STREAM: &CStr = c"arrow_array_stream";

/// The method by which a table gives itself.
const GIVES: &str = "__arrow_c_stream__";

/// A table as a stream of its rows, in one piece for each of its chunks.
pub fn stream<'py>(py: Python<'py>, data: &DataFrame) -> PyResult<Bound<'py, PyCapsule>> {
    let mut data = data.clone();
    data.align_chunks_par();
    // Texts in their oldest form, which every reader knows.
    let level = CompatLevel::oldest();
    let fields: Vec<ArrowField> =
        data.schema().iter().map(|(name, dtype)| ArrowField::new(name.clone(), dtype.to_arrow(level), true)).collect();
    let dtype = ArrowDataType::Struct(fields);
    let field = ArrowField::new("".into(), dtype.clone(), false);
    let chunks: Vec<PolarsResult<Box<dyn Array>>> = data
        .iter_chunks(level, true)
        .map(|batch| {
            let n_rows = batch.len();
            let array = StructArray::try_new(dtype.clone(), n_rows, batch.into_arrays(), None)?;
            Ok(Box::new(array) as Box<dyn Array>)
        })
        .collect();
    PyCapsule::new_with_value(py, export_iterator(Box::new(chunks.into_iter()), field), STREAM)
}

/// The table that a Python object is, by the Arrow interface.
///
/// # Errors
///
/// `TypeError` if it is none; what its owner says where it cannot give its rows; a column of a type that plymap does not read.
pub fn frame(table: &Bound<'_, PyAny>) -> PyResult<DataFrame> {
    if !table.hasattr(GIVES)? {
        let kind = table.get_type().name()?.to_string();
        return Err(PyTypeError::new_err(format!(
            "a {kind} is no table: give one of pandas, polars, pyarrow, DuckDB or plymap, or whatever has {GIVES}"
        )));
    }
    let capsule = table.call_method0(GIVES)?;
    let capsule = capsule.cast::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(STREAM))?.cast::<ArrowArrayStream>();
    // SAFETY: by the interface a capsule of this name holds a stream that nobody else reads. It is taken out: what is left
    // is an empty one, which the capsule's own destructor knows as released.
    let mut stream = Box::new(unsafe { pointer.as_ptr().replace(ArrowArrayStream::empty()) });
    let wrong = |error: polars::prelude::PolarsError| PyValueError::new_err(error.to_string());
    // SAFETY: it is a stream by the interface.
    let mut reader = unsafe { ArrowArrayStreamReader::try_new(&mut *stream) }.map_err(wrong)?;
    let ArrowDataType::Struct(fields) = reader.field().dtype().clone() else {
        return Err(PyTypeError::new_err("the stream has no columns, and so it is no table"));
    };
    if let Some(field) = fields.iter().find(|field| !is_read(field.dtype())) {
        return Err(PyTypeError::new_err(format!(
            "column {:?} has the type {}, which is not read: leave it out, or make it text or numbers",
            field.name,
            format!("{:?}", field.dtype()).split('(').next().unwrap_or_default()
        )));
    }
    let mut chunks: Vec<Vec<Box<dyn Array>>> = fields.iter().map(|_| Vec::new()).collect();
    // SAFETY: as before.
    while let Some(batch) = unsafe { reader.next() } {
        let batch = batch.map_err(wrong)?;
        let columns = batch.as_any().downcast_ref::<StructArray>();
        let columns = columns.ok_or_else(|| PyValueError::new_err("a batch of the stream has no columns"))?;
        for (chunks, values) in chunks.iter_mut().zip(columns.values()) {
            chunks.push(plain(&**values));
        }
    }
    let columns = fields.iter().zip(chunks).map(|(field, chunks)| {
        let series = match chunks.is_empty() {
            false => Series::try_from((field.name.clone(), chunks))?,
            true => Series::from_arrow(field.name.clone(), new_empty_array(plain_type(field.dtype())))?,
        };
        Ok(series.into_column())
    });
    let columns = columns.collect::<PolarsResult<Vec<_>>>().map_err(wrong)?;
    DataFrame::new_infer_height(columns).map_err(wrong)
}

/// A type without categories, which are texts.
fn plain_type(dtype: &ArrowDataType) -> ArrowDataType {
    match dtype {
        ArrowDataType::Dictionary(..) => ArrowDataType::LargeUtf8,
        dtype => dtype.clone(),
    }
}

/// A column without categories.
fn plain(column: &dyn Array) -> Box<dyn Array> {
    let ArrowDataType::Dictionary(keys, ..) = column.dtype() else { return column.to_boxed() };
    match_integer_type!(keys, |$T| {
        let column = column.as_any().downcast_ref::<DictionaryArray<$T>>().expect("its type says so");
        let text = texts(&**column.values());
        let texts = column.keys_iter().map(|key| key.and_then(&text));
        MutableUtf8Array::<i64>::from_iter(texts).as_box()
    })
}

/// The texts that categories stand for, by their numbers.
fn texts<'a>(values: &'a dyn Array) -> Box<dyn Fn(usize) -> Option<&'a str> + 'a> {
    let any = values.as_any();
    if let Some(values) = any.downcast_ref::<Utf8Array<i32>>() {
        Box::new(|number| values.get(number))
    } else if let Some(values) = any.downcast_ref::<Utf8Array<i64>>() {
        Box::new(|number| values.get(number))
    } else {
        let values = any.downcast_ref::<Utf8ViewArray>().expect("categories of other types are not read");
        Box::new(|number| values.get(number))
    }
}
