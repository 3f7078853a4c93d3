//! Drawings of figures of a view, which are made once: a page asks for each of their pages by itself.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use plymap_report::figures::Screens;
use plymap_run::Drawings;
use serde::Deserialize;

use crate::problem::Problem;

/// Number of kinds of figures that are kept drawn.
const DRAWINGS_KEPT: usize = 8;

/// Size of the drawings of a view that are kept beside the last ones, in bytes.
const MOST_BYTES: usize = 32 << 20;

/// Request of the figures of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct FiguresRequest {
    /// Kind of the figures, as `plymap figures` names it.
    pub kind: String,
    /// Name of the only figure of the kind that is drawn; all of them where it is not given.
    #[serde(default)]
    pub name: Option<String>,
    /// The group that a figure of groups shows first; the first of their names where it is not given.
    #[serde(default)]
    pub first: Option<String>,
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
        let made = making.get_or_init(|| draw().map(Arc::new)).clone();
        self.keep_within(MOST_BYTES);
        made
    }

    /// Forgets the oldest drawings until the others have at most so many bytes; the last ones stay.
    fn keep_within(&self, most_bytes: usize) {
        let mut drawn = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut n_bytes = 0;
        let n_kept = drawn.iter().take_while(|(_, making)| {
            n_bytes += making.get().and_then(|made| made.as_ref().ok()).map_or(0, |made| size(made));
            n_bytes <= most_bytes
        });
        let n_kept = n_kept.count().max(1);
        drawn.truncate(n_kept);
    }
}

/// Returns the size of drawings, in bytes of their SVG for print and for screens.
fn size(drawings: &Drawings) -> usize {
    let mut n_bytes = 0;
    let mut last: Option<&Arc<Screens>> = None;
    for page in &drawings.illustrations {
        n_bytes += page.figure.svg.len();
        // The pages of a figure share those for screens.
        if last.is_none_or(|last| !Arc::ptr_eq(last, &page.screens)) {
            n_bytes += page.screens.wide.iter().chain(&page.screens.narrow).map(|svg| svg.len()).sum::<usize>();
        }
        last = Some(&page.screens);
    }
    n_bytes
}

#[cfg(test)]
mod tests {
    use plymap_puzzles::progress::Silent;

    use super::*;
    use crate::explore::{Views, tests::example};

    #[test]
    fn the_oldest_drawings_are_forgotten_beyond_a_size() {
        let folder = tempfile::tempdir().unwrap();
        let (project, views) = (example(&folder), Views::default());
        views.make(&project, &Silent).unwrap();
        let view = views.whole(&project).unwrap().unwrap();
        for kind in ["quality", "state-graph"] {
            view.figures(&FiguresRequest { kind: kind.to_owned(), name: None, first: None }).unwrap();
        }
        let kinds = || view.drawn.0.lock().unwrap().iter().map(|((of, _), _)| of.kind.clone()).collect::<Vec<_>>();
        let sizes: Vec<usize> =
            view.drawn.0.lock().unwrap().iter().map(|(_, made)| size(made.get().unwrap().as_ref().unwrap())).collect();
        view.drawn.keep_within(sizes.iter().sum());
        assert_eq!(kinds(), ["state-graph", "quality"]);
        view.drawn.keep_within(sizes.iter().sum::<usize>() - 1);
        assert_eq!(kinds(), ["state-graph"]);
        // Its pages are asked for one by one.
        view.drawn.keep_within(0);
        assert_eq!(kinds(), ["state-graph"]);
    }
}
