//! Numbers of elements that steps make rows of.

use plymap_log::PipelineStep;

/// The column that numbers the elements of a cell.
pub(crate) const NUMBER: &str = "element";
/// The column that numbers the lists that they stand in.
pub(crate) const LIST: &str = "list_of_elements";

/// Has the last step that makes rows number them, and the one before it the lists that these stood in.
pub(crate) fn number_elements(steps: &mut [PipelineStep]) {
    let names = [Some(NUMBER), Some(LIST)].into_iter().chain(std::iter::repeat(None));
    numbers_of(steps).zip(names).for_each(|(number, name)| *number = name.map(str::to_owned));
}

pub(crate) fn forget_numbers(steps: &mut [PipelineStep]) {
    numbers_of(steps).for_each(|number| *number = None);
}

/// The columns of numbers of the steps that make rows, the last first.
pub(crate) fn numbers_of(steps: &mut [PipelineStep]) -> impl Iterator<Item = &mut Option<String>> {
    steps.iter_mut().rev().filter_map(|step| match step {
        PipelineStep::Split(split) if split.into.is_empty() => Some(&mut split.number),
        PipelineStep::Wide(wide) => Some(&mut wide.number),
        _ => None,
    })
}
