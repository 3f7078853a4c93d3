//! Errors as exceptions that carry their faults as data.

use std::any::Any;
use std::error::Error;

use plymap::plymap_puzzles::diagnostic::{Diagnostic, Severity};
use plymap::plymap_puzzles::valuation::LoadError;
use plymap_log::LogError;
use plymap_report::ReportError;
use plymap_run::RunError;
use plymap_run::study::StudyError;
use plymap_tables::TableError;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::de::DeserializeOwned;

/// The longest text of a file that is given as the value of a fault.
const LONGEST_VALUE: usize = 200;

/// Failure of some work, before Python is told.
#[derive(Debug, Default)]
pub struct Failed {
    message: String,
    faults: Vec<Found>,
    is_interrupted: bool,
}

/// Diagnostic with the fields of `plymap.Fault`.
#[derive(Debug, Default)]
struct Found {
    code: &'static str,
    is_warning: bool,
    message: String,
    file: Option<String>,
    line: Option<u64>,
    column: Option<String>,
    value: Option<String>,
    help: Option<String>,
}

impl Failed {
    /// A failure in one sentence.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }

    /// The caller asked to stop.
    pub fn interrupted() -> Self {
        Self { is_interrupted: true, ..Self::default() }
    }

    /// A panic, which no input should lead to.
    pub fn defect(panic: &(dyn Any + Send)) -> Self {
        let said = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
        Self::new(format!(
            "{}; please report this as a defect of plymap",
            said.unwrap_or("the work ended unexpectedly")
        ))
    }

    /// Creates a failure with the message of an error and its causes.
    pub fn of(error: &dyn Error) -> Self {
        let mut message = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            let reason = error.to_string();
            if !message.contains(&reason) {
                message = format!("{message}: {reason}");
            }
            cause = error.source();
        }
        Self::new(message)
    }

    /// The exception that Python raises.
    pub fn raised(self, py: Python<'_>) -> PyErr {
        if self.is_interrupted {
            return PyKeyboardInterrupt::new_err(());
        }
        let Self { message, faults, .. } = self;
        let exception = || -> PyResult<PyErr> {
            let module = py.import("plymap.errors")?;
            let faults = faults.into_iter().map(|fault| fault.in_python(py, &module.getattr("Fault")?));
            let faults: Vec<_> = faults.collect::<PyResult<_>>()?;
            Ok(PyErr::from_value(module.getattr("PlymapError")?.call1((message, faults))?))
        };
        exception().unwrap_or_else(|error| error)
    }
}

/// A setting that is one word of a few.
///
/// # Errors
///
/// Which words there are.
pub fn word<T: DeserializeOwned>(setting: &str, word: &str) -> Result<T, Failed> {
    serde_json::from_value(word.into()).map_err(|error| Failed::new(format!("{setting}: {error}")))
}

impl Found {
    fn in_python<'py>(self, py: Python<'py>, class: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let fields = PyDict::new(py);
        fields.set_item("code", self.code)?;
        fields.set_item("severity", if self.is_warning { "warning" } else { "error" })?;
        fields.set_item("message", self.message)?;
        fields.set_item("file", self.file)?;
        fields.set_item("line", self.line)?;
        fields.set_item("column", self.column)?;
        fields.set_item("value", self.value)?;
        fields.set_item("help", self.help)?;
        class.call((), Some(&fields))
    }
}

impl From<&Diagnostic> for Found {
    fn from(fault: &Diagnostic) -> Self {
        let (line, column) = fault.place.line_and_column();
        let has_place = !fault.place.span.is_empty();
        let value = fault.place.source.text.get(fault.place.span.clone()).filter(|text| !text.is_empty());
        Self {
            code: fault.code,
            is_warning: fault.severity == Severity::Warning,
            message: fault.message.clone(),
            file: Some(fault.place.source.path.display().to_string()),
            line: has_place.then_some(line as u64),
            column: has_place.then(|| column.to_string()),
            value: value.map(|text| text.chars().take(LONGEST_VALUE).collect()),
            help: fault.help.clone(),
        }
    }
}

impl From<Vec<Diagnostic>> for Failed {
    fn from(faults: Vec<Diagnostic>) -> Self {
        let message = faults.iter().map(Diagnostic::to_string).collect::<Vec<_>>().join("\n");
        Self { message, faults: faults.iter().map(Found::from).collect(), ..Self::default() }
    }
}

impl From<LoadError> for Failed {
    fn from(LoadError(faults): LoadError) -> Self {
        faults.into()
    }
}

impl From<StudyError> for Failed {
    fn from(error: StudyError) -> Self {
        match error {
            StudyError::Diagnostics(faults) => faults.into(),
            error => Self::of(&error),
        }
    }
}

impl From<LogError> for Failed {
    fn from(error: LogError) -> Self {
        if matches!(error, LogError::Cancelled) {
            return Self::interrupted();
        }
        let place = error.place();
        let fault = Found {
            code: "unreadable-log",
            message: error.to_string(),
            file: place.file.map(|path| path.display().to_string()),
            line: place.line,
            column: place.column.map(str::to_owned),
            help: place.fix.map(str::to_owned),
            ..Found::default()
        };
        Self { faults: vec![fault], ..Self::of(&error) }
    }
}

impl From<RunError> for Failed {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Levels(error) => error.into(),
            RunError::Log(error) => error.into(),
            RunError::Interrupted => Self::interrupted(),
            error => Self::of(&error),
        }
    }
}

impl From<ReportError> for Failed {
    fn from(error: ReportError) -> Self {
        Self::of(&error)
    }
}

impl From<TableError> for Failed {
    fn from(error: TableError) -> Self {
        Self::of(&error)
    }
}
