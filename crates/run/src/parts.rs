//! The parts of a run, each made on its own: what fails is left out and named, and the rest is made all the same.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::RunError;
use plymap_report::{FailedPart, PartKind};

/// Advice where plymap itself is at fault.
const REPORT: &str = "please report this as a defect of plymap, with the study and its log if they may be shown";

/// Makes a part of a run, or tells why it could not be made. A panic counts as a failure of this part alone: what made
/// it is given up.
///
/// # Errors
///
/// [`RunError::Interrupted`] if the caller asked to stop: that is no failure of the part.
pub fn attempt<T, E: Into<RunError>>(
    kind: PartKind,
    name: &str,
    make: impl FnOnce() -> Result<T, E>,
) -> Result<Result<T, FailedPart>, RunError> {
    let failed = |reason, remedy| FailedPart { kind, name: name.to_owned(), reason, remedy };
    match catch_unwind(AssertUnwindSafe(make)) {
        Ok(Ok(value)) => Ok(Ok(value)),
        Ok(Err(error)) => match error.into() {
            RunError::Interrupted => Err(RunError::Interrupted),
            error => {
                let said = error.to_string();
                let reason = said.strip_prefix(&format!("{} {name}: ", kind.name())).unwrap_or(&said);
                Ok(Err(failed(reason.to_owned(), remedy(kind, name))))
            }
        },
        Err(panic) => {
            let remedy = format!("{REPORT}; {}", remedy(kind, name));
            Ok(Err(failed(format!("a defect of plymap ({})", said_by(&*panic)), remedy)))
        }
    }
}

/// Returns advice on a part that could not be made.
fn remedy(kind: PartKind, name: &str) -> String {
    match kind {
        PartKind::Baseline => {
            "mend the players of [[baseline]]; without any (baseline = []), nobody is simulated".to_owned()
        }
        PartKind::Analysis => format!("analyses in [statistics] without {name:?} makes the study without it"),
        PartKind::Figure => {
            "its numbers are in the tables; other settings of it, in [figures] or [figures.each], may let it be drawn"
                .to_owned()
        }
        PartKind::Maps => "interactive = false in [output] makes the report without them".to_owned(),
        PartKind::Answer => format!("questions in [report] without {name:?} make the report without it"),
        PartKind::Page => "tables and figures are whole".to_owned(),
    }
}

/// The message of a panic.
fn said_by(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("it did not say why")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_and_a_panic_are_failures_of_their_part_alone() {
        let part = attempt(PartKind::Analysis, "within", || Ok::<_, RunError>(7)).unwrap();
        assert_eq!(part.unwrap(), 7);
        let failed = attempt(PartKind::Baseline, "players", || Err::<(), _>(RunError::Nobody)).unwrap().unwrap_err();
        assert_eq!(failed.reason, RunError::Nobody.to_string());
        let numbers: Vec<u8> = Vec::new();
        let failed = attempt(PartKind::Analysis, "within", || Ok::<_, RunError>(numbers[3])).unwrap().unwrap_err();
        assert_eq!((failed.kind, &*failed.name), (PartKind::Analysis, "within"));
        assert!(failed.reason.contains("index out of bounds"), "{failed}");
        assert!(failed.remedy.contains("report this as a defect"), "{failed}");
    }

    #[test]
    fn to_be_interrupted_is_no_failure_of_a_part() {
        let ended = attempt(PartKind::Analysis, "within", || Err::<(), _>(RunError::Interrupted));
        assert!(matches!(ended, Err(RunError::Interrupted)));
    }
}
