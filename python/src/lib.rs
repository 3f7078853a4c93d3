//! plymap for Python: what the package in `plymap/` is made of. Its classes and docstrings are there; here is what they call.
//!
//! Work is done on a thread of its own, without Python's lock, while the thread that called shows progress and listens for
//! Ctrl-C (`work`).

use std::ffi::OsString;

use pyo3::prelude::*;

mod arrow;
mod error;
mod figure;
mod level;
mod play;
mod propose;
mod statistics;
mod study;
mod table;
mod work;

/// Allocator that gives back what threads have freed, as that of the program does.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Notices of the parts that the module is made of.
const NOTICES: Result<&str, &str> = include!(concat!(env!("OUT_DIR"), "/notices.rs"));

/// Runs the command line with these arguments, the first of which is the name of the program; returns its exit code.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    plymap::cli::carry_notices(NOTICES);
    py.detach(|| plymap::cli::main(&arguments).0)
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("UNREACHABLE", plymap::plymap_puzzles::graph::UNREACHABLE)?;
    module.add_class::<level::Level>()?;
    module.add_class::<level::Map>()?;
    module.add_class::<figure::Figure>()?;
    module.add_class::<propose::Proposal>()?;
    module.add_class::<table::Table>()?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    module.add_function(wrap_pyfunction!(level::read_levels, module)?)?;
    module.add_function(wrap_pyfunction!(play::play, module)?)?;
    module.add_function(wrap_pyfunction!(play::figures, module)?)?;
    module.add_function(wrap_pyfunction!(play::figure_kinds, module)?)?;
    module.add_function(wrap_pyfunction!(propose::propose, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::estimate, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::estimators, module)?)?;
    module.add_function(wrap_pyfunction!(study::run, module)?)?;
    module.add_function(wrap_pyfunction!(study::study_files, module)?)?;
    module.add_function(wrap_pyfunction!(study::shard, module)?)?;
    module.add_function(wrap_pyfunction!(study::simulate, module)?)?;
    module.add_function(wrap_pyfunction!(study::power_curve, module)?)?;
    module.add_function(wrap_pyfunction!(study::label_shard, module)?)?;
    module.add_function(wrap_pyfunction!(table::read_table, module)?)?;
    Ok(())
}
