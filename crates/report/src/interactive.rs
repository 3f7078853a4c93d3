//! The interactive state-space map of a level in the page: what it shows as JSON, and the pieces of HTML
//! that carry it. `state_map.js` draws it with plotly.js, which the crate `plotly` carries.
//!
//! Nothing here knows a game or a table: whoever makes a [`LevelMap`] numbers the states that are shown from 0 and
//! fills one entry for each. [`shown_states`] chooses them where a level has more than a page can carry.

use std::io::Write as _;
use std::sync::LazyLock;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use flate2::{Compression, GzBuilder};
use serde::{Deserialize, Serialize};

use super::error::ReportError;
use plymap_play::page_picture::{Board, BoardShape, Paint};

/// The most states of a level that the page shows with their boards.
pub const MAX_STATES: usize = 3_000;

/// The most attempts of a level that the page can replay.
pub const MAX_ATTEMPTS: usize = 300;

/// The target of a move from which no goal can be reached, and which is not on the map; see [`off_map`].
const NO_WAY: i64 = -1;

/// All maps of a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StateMaps {
    /// Names of the qualities of moves; [`AttemptTrajectory::qualities`] are indices into this list.
    pub qualities: Vec<String>,
    /// The levels, in the order in which the page offers them.
    pub levels: Vec<LevelMap>,
}

/// The states of one level that are shown. Lists of states have one entry for each of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LevelMap {
    /// Name of the level.
    pub level: String,
    /// Unit of distances, in the plural, such as `moves`.
    pub unit: String,
    /// Id in the page of the figure that shows the same states; without one the page points to none.
    pub figure: Option<String>,
    /// Number of states of the level, those included that are not shown.
    pub n_states: usize,
    /// The state in which the level starts.
    pub start: Option<u32>,
    /// Place along the axis of distance; 1 is the way from one distance to the next.
    pub x: Vec<f64>,
    /// Place across it, upwards, in the same unit, 0 in the middle.
    pub y: Vec<f64>,
    /// Least space between two states of one distance, in the same unit.
    pub spacing: f64,
    /// Distance to the nearest goal; absent where none can be reached.
    pub distance: Vec<Option<u32>>,
    /// The states in which the level is solved, ascending.
    pub goals: Vec<u32>,
    /// Number of visits of people to the state, starts of attempts included.
    pub visits: Vec<u32>,
    /// The states in the notation of tables and commands; empty, or one for each state.
    pub notations: Vec<String>,
    /// The moves of state `s` are those from `first_move[s]` to before `first_move[s + 1]`; one entry more than states.
    pub first_move: Vec<u32>,
    /// For each move the state that it leads to, or what [`off_map`] gives.
    pub targets: Vec<i64>,
    /// For each move its index in `actions`.
    pub move_actions: Vec<u32>,
    /// For each move the number of times that people made it.
    pub made: Vec<u32>,
    /// Moves in the notation of logs, with their cost in the unit of the distance.
    pub actions: Vec<(String, u32)>,
    /// The board on which all states stand.
    pub board: Board,
    /// Looks of shapes, to which they refer by index.
    pub paints: Vec<Paint>,
    /// Every shape that occurs in a state, once.
    pub shapes: Vec<BoardShape>,
    /// For each state its shapes, as indices into `shapes`, in the order in which they are drawn.
    pub boards: Vec<Vec<u32>>,
    /// Moves and events as they were logged; [`AttemptTrajectory::actions`] are indices into this list.
    pub played: Vec<String>,
    /// Number of attempts of people, those included that the page cannot replay.
    pub n_attempts: usize,
    /// Attempts of people, at most [`MAX_ATTEMPTS`].
    pub attempts: Vec<AttemptTrajectory>,
}

/// One recorded attempt, step by step: moves, resets and all other rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AttemptTrajectory {
    /// Id of the participant.
    pub participant: String,
    /// Name of the session.
    pub session: String,
    /// Number of the attempt.
    pub attempt: i64,
    /// Experimental condition; may be empty.
    pub condition: String,
    /// True if it solved the level.
    pub solved: bool,
    /// The state before the first step and after each; -1 where it is not shown.
    pub states: Vec<i64>,
    /// For each step the time since the one before it, in seconds; absent where it was not recorded.
    pub times: Vec<Option<f64>>,
    /// For each step its index in `played`.
    pub actions: Vec<u32>,
    /// For each step its index in `qualities`; absent for one that is no move.
    pub qualities: Vec<Option<u32>>,
}

/// The target of a move that leads to a state which is not shown, from its distance: -1 for none, else
/// `-2 - distance`.
pub fn off_map(distance: Option<u32>) -> i64 {
    distance.map_or(NO_WAY, |distance| -2 - i64::from(distance))
}

/// Rounds a number to 3 decimals.
pub fn rounded(value: f64) -> f64 {
    let rounded = (value * 1_000.0).round() / 1_000.0;
    // No minus before a zero.
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// The states that a page shows, ascending: all, if they are no more than `limit`. Else the start, the states that
/// people visited (`visits`, one entry for each state), those on shortest solutions, and the neighbours of all these,
/// in this order, and among the visited ones the most visited first, until the limit is reached.
pub fn shown_states<N: IntoIterator<Item = u32>>(
    limit: usize,
    start: u32,
    visits: &[u32],
    is_on_solution: impl Fn(u32) -> bool,
    neighbours: impl Fn(u32) -> N,
) -> Vec<u32> {
    let n_states = visits.len() as u32;
    if visits.len() <= limit {
        return (0..n_states).collect();
    }
    let mut visited: Vec<u32> = (0..n_states).filter(|&state| visits[state as usize] > 0).collect();
    visited.sort_by_key(|&state| (std::cmp::Reverse(visits[state as usize]), state));
    let mut is_shown = vec![false; visits.len()];
    let mut shown = Vec::with_capacity(limit);
    let mut show = |state: u32, shown: &mut Vec<u32>| {
        let is_new = is_shown.get(state as usize).is_some_and(|is_shown| !is_shown);
        if is_new && shown.len() < limit {
            is_shown[state as usize] = true;
            shown.push(state);
        }
    };
    let on_solutions = (0..n_states).filter(|&state| is_on_solution(state));
    for state in std::iter::once(start).chain(visited).chain(on_solutions) {
        show(state, &mut shown);
    }
    for inner in shown.clone() {
        neighbours(inner).into_iter().for_each(|state| show(state, &mut shown));
    }
    shown.sort_unstable();
    shown
}

/// Parts of a page that show the maps. The caller adds `style` to its style sheet, puts `markup` where the maps are
/// to stand and `script` at the end, and lets its content security policy allow `script`, `library` and
/// [`EMPTY_STYLE`].
#[derive(Clone, Debug)]
pub struct Pieces {
    /// HTML: a sentence for browsers without JavaScript, the data, and plotly.js as packed text.
    pub markup: String,
    /// The rules of `.map`.
    pub style: &'static str,
    /// The script that draws the maps, for a `<script>` behind the markup.
    pub script: &'static str,
    /// plotly.js as it is run: the policy has to allow its hash, like that of `script`.
    pub library: &'static str,
}

/// The text whose hash `style-src` has to allow beside that of the page: plotly.js makes an empty style element and
/// fills it rule by rule.
pub const EMPTY_STYLE: &str = "";

const STYLE: &str = include_str!("state_map.css");
const SCRIPT: &str = include_str!("state_map.js");

/// plotly.js, which the script of the build took out of the crate that carries it.
const LIBRARY: &str = include_str!(concat!(env!("OUT_DIR"), "/plotly.js"));

/// plotly.js compressed and written in base64; it takes a moment.
static PACKED: LazyLock<String> = LazyLock::new(|| {
    // Without a time, so that the same text gives the same bytes.
    let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    let packed = encoder.write_all(LIBRARY.as_bytes()).and_then(|()| encoder.finish());
    BASE64_STANDARD.encode(packed.expect("memory takes all bytes"))
});

impl StateMaps {
    /// The maps as one line of JSON that may stand inside `<script>`: no `<` occurs in it.
    ///
    /// # Errors
    /// A map whose lists do not fit together.
    pub fn to_json(&self) -> Result<String, ReportError> {
        for level in &self.levels {
            level
                .check(self.qualities.len())
                .map_err(|problem| ReportError::StateMap { level: level.level.clone(), problem })?;
        }
        // Outside of texts JSON has no `<`, and inside of them an escape stands for the same sign.
        Ok(serde_json::to_string(self)?.replace('<', "\\u003c"))
    }

    /// The pieces of a page with these maps.
    ///
    /// # Errors
    /// A map whose lists do not fit together.
    pub fn pieces(&self) -> Result<Pieces, ReportError> {
        let links: Vec<String> = self.levels.iter().filter_map(LevelMap::link).collect();
        let elsewhere = match links.is_empty() {
            true => String::new(),
            false => format!(" The same states are drawn in the figures: {}.", links.join(", ")),
        };
        let markup = format!(
            "<div class=\"map\" id=\"state-map\">\n\
             <p class=\"map-static\">The interactive map needs a browser with JavaScript.{elsewhere}</p>\n\
             </div>\n\
             <script type=\"application/json\" id=\"state-map-data\">{}</script>\n\
             <script type=\"text/plain\" id=\"state-map-library\">{}</script>\n",
            self.to_json()?,
            *PACKED
        );
        Ok(Pieces { markup, style: STYLE, script: SCRIPT, library: LIBRARY })
    }
}

impl LevelMap {
    fn link(&self) -> Option<String> {
        let figure = self.figure.as_ref()?;
        Some(format!("<a href=\"#{}\">{}</a>", escape(figure), escape(&self.level)))
    }

    /// Checks that every list is as long as it has to be, and that every number in it points to something.
    fn check(&self, n_qualities: usize) -> Result<(), String> {
        let n_shown = self.x.len();
        let lengths = [
            ("y", self.y.len()),
            ("distance", self.distance.len()),
            ("visits", self.visits.len()),
            ("boards", self.boards.len()),
            ("notations", if self.notations.is_empty() { n_shown } else { self.notations.len() }),
            ("first_move", self.first_move.len().saturating_sub(1)),
        ];
        if n_shown == 0 || n_shown > self.n_states {
            return Err(format!("{n_shown} of {} states cannot be shown", self.n_states));
        }
        if let Some((name, length)) = lengths.iter().find(|(_, length)| *length != n_shown) {
            return Err(format!("{name} has {length} entries for {n_shown} states"));
        }
        let n_moves = self.targets.len();
        let offsets = &self.first_move;
        if self.move_actions.len() != n_moves
            || self.made.len() != n_moves
            || offsets.first() != Some(&0)
            || offsets.last() != Some(&(n_moves as u32))
            || !offsets.is_sorted()
        {
            return Err(format!("first_move, move_actions and made do not fit {n_moves} moves"));
        }
        let is_finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
        if !is_finite(&self.x) || !is_finite(&self.y) || !self.spacing.is_finite() {
            return Err("a place is not a number".to_owned());
        }
        let states = self.start.iter().chain(&self.goals).map(|&state| i64::from(state));
        within("a state", states.chain(self.targets.iter().copied()), n_shown)?;
        within("an action", self.move_actions.iter().map(|&action| i64::from(action)), self.actions.len())?;
        within("a shape", self.boards.iter().flatten().map(|&shape| i64::from(shape)), self.shapes.len())?;
        within("a paint", self.shapes.iter().map(|shape| i64::from(shape.4)), self.paints.len())?;
        for trajectory in &self.attempts {
            let n_steps = trajectory.times.len();
            if trajectory.states.len() != n_steps + 1
                || trajectory.actions.len() != n_steps
                || trajectory.qualities.len() != n_steps
            {
                return Err(format!("an attempt of {} has lists of different lengths", trajectory.participant));
            }
            within("a state of an attempt", trajectory.states.iter().copied(), n_shown)?;
            within("a step", trajectory.actions.iter().map(|&action| i64::from(action)), self.played.len())?;
            within("a quality", trajectory.qualities.iter().flatten().map(|&quality| i64::from(quality)), n_qualities)?;
        }
        Ok(())
    }
}

/// Checks that all indices lie below a length; negative ones mean something else.
fn within(what: &str, mut indices: impl Iterator<Item = i64>, length: usize) -> Result<(), String> {
    match indices.find(|&index| index >= length as i64) {
        Some(index) => Err(format!("{what} has the number {index} of {length}")),
        None => Ok(()),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests;
