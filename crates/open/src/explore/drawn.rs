//! Drawings of figures of a view, which are made once: a page asks for each of their pages by itself.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use plymap_run::Drawings;
use serde::Deserialize;

use crate::problem::Problem;

/// Number of kinds of figures that are kept drawn.
const DRAWINGS_KEPT: usize = 8;

/// Request of the figures of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct FiguresRequest {
    /// Kind of the figures, as `plymap figures` names it.
    pub kind: String,
    /// Name of the only figure of the kind that is drawn; all of them where it is not given.
    #[serde(default)]
    pub name: Option<String>,
}

/// Drawings that were made of a view, the last ones.
#[derive(Debug, Default)]
pub struct Drawn(Mutex<VecDeque<(DrawnOf, Making)>>);

/// What is drawn, and whether for a page on a screen.
type DrawnOf = (FiguresRequest, bool);

/// Drawings that one request makes and others wait for.
type Making = Arc<OnceLock<Result<Arc<Drawings>, Problem>>>;

impl Drawn {
    /// Returns the drawings of a request, which are made where they are not kept; whoever asks meanwhile waits.
    ///
    /// # Errors
    ///
    /// They cannot be made.
    pub fn get(&self, of: DrawnOf, draw: impl FnOnce() -> Result<Drawings, Problem>) -> Result<Arc<Drawings>, Problem> {
        let mut drawn = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = drawn.iter().find(|(known, _)| *known == of).map(|(_, making)| Arc::clone(making));
        let making = known.unwrap_or_else(|| {
            let making = Making::default();
            drawn.push_front((of, Arc::clone(&making)));
            drawn.truncate(DRAWINGS_KEPT);
            making
        });
        drop(drawn);
        making.get_or_init(|| draw().map(Arc::new)).clone()
    }
}
