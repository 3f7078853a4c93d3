//! The interactive state-space maps of a page: the levels with their states, what people did there, and the pieces of
//! HTML that carry it. The scripts beside this file draw a map with WebGL2.
//!
//! Nothing here knows a game: [`LevelMap::new`] takes a valued level and what people did at it. A map is three parts,
//! which the page unpacks as it needs them: the picture, the moves, and the boards (`packed` says how).

use std::collections::{BTreeMap, HashSet};

use plymap_puzzles::progress::Progress;
use plymap_puzzles::valuation::{ValuedLevel, WholeMap};
use serde::Serialize;
use serde_json::json;

pub(crate) use packed::packed;
use packed::{Part, steps};
use states::ShownStates;

mod packed;
mod states;

/// The most states of all levels of a page: some 8 MB.
pub const MAX_STATES: usize = 1_000_000;

/// The most states of a level that is shown in part.
const MAX_PART: usize = 3_000;

/// Parts of a map that tell of each state: places, moves and boards.
const N_LONG_PARTS: u64 = 3;

/// The most attempts of a level that the page can replay.
pub const MAX_ATTEMPTS: usize = 300;

/// All maps of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateMaps {
    /// Names of the qualities of moves; [`AttemptTrajectory::qualities`] are indices into this list.
    pub qualities: Vec<String>,
    /// The levels, in the order in which the page offers them.
    pub levels: Vec<LevelMap>,
    /// Number of levels that are not shown because the page would become too large.
    pub n_left_out: usize,
}

/// The map of a level as the page holds it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelMap {
    /// Name of the level.
    level: String,
    /// Id in the page of the figure that shows the same states; without one the page points to none.
    figure: Option<String>,
    /// The picture, the moves and the boards.
    parts: [String; 3],
}

/// What people did at a level. States are numbers in its map.
#[derive(Clone, Debug, Default)]
pub struct LevelPlay {
    /// Names of the experimental conditions; empty without conditions.
    pub conditions: Vec<String>,
    /// Number of visits to each visited state, starts of attempts included: one for each condition, and one for the
    /// attempts without a condition.
    pub visits: BTreeMap<u32, Vec<u32>>,
    /// Number of times that each legal move was made, by the states before and after it.
    pub moves: BTreeMap<(u32, u32), u32>,
    /// Moves and events as they were logged; [`AttemptTrajectory::actions`] are indices into this list.
    pub played: Vec<String>,
    /// Number of attempts, those included that the page cannot replay.
    pub n_attempts: usize,
    /// Attempts, at most [`MAX_ATTEMPTS`].
    pub attempts: Vec<AttemptTrajectory>,
}

/// One recorded attempt, step by step: moves, resets and all other rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
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
    /// The state before the first step and after each; absent where it is not on the map.
    pub states: Vec<Option<u32>>,
    /// For each step the time since the one before it, in seconds; absent where it was not recorded.
    pub times: Vec<Option<f64>>,
    /// For each step its index in `played`.
    pub actions: Vec<u32>,
    /// For each step its index in `qualities`; absent for one that is no move.
    pub qualities: Vec<Option<u32>>,
}

/// Rounds a number to 3 decimals.
pub fn rounded(value: f64) -> f64 {
    let rounded = (value * 1_000.0).round() / 1_000.0;
    // No minus before a zero.
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// Returns the levels whose maps a page shows, in their order: those of `first` and others, as many as have together at
/// most `most` states, and the number of those that are left out.
pub fn shown_levels<'a>(
    levels: &'a [ValuedLevel],
    first: &[&'a ValuedLevel],
    most: usize,
) -> (Vec<&'a ValuedLevel>, usize) {
    let is_first: HashSet<&str> = first.iter().map(|level| level.id.as_str()).collect();
    let (drawn, others): (Vec<&ValuedLevel>, Vec<&ValuedLevel>) =
        levels.iter().filter(|level| has_map(level)).partition(|level| is_first.contains(level.id.as_str()));
    let (mut n_shown, mut left_out) = (0, HashSet::new());
    for level in drawn.iter().chain(&others) {
        // Of a level that is too large for any page, a part is shown.
        let n_states = if n_states(level) > most { MAX_PART.min(most) } else { n_states(level) };
        match n_shown + n_states <= most {
            true => n_shown += n_states,
            false => _ = left_out.insert(level.id.as_str()),
        }
    }
    let shown = levels.iter().filter(|level| has_map(level) && !left_out.contains(level.id.as_str())).collect();
    (shown, left_out.len())
}

/// Returns true if a level can be drawn: its states are known, and have distances.
pub fn has_map(level: &ValuedLevel) -> bool {
    n_states(level) > 0 && level.rules.unit().is_distance()
}

fn n_states(level: &ValuedLevel) -> usize {
    level.whole.as_ref().map_or(0, |whole| whole.map.n_states())
}

impl LevelMap {
    /// Returns the number of steps in which the map of a level is made.
    pub fn n_steps(level: &ValuedLevel) -> u64 {
        let n_states = n_states(level);
        N_LONG_PARTS * if n_states > MAX_STATES { MAX_PART } else { n_states } as u64
    }

    /// Returns the map of a level with what people did there; nothing if the level is not mapped, or the caller asks to
    /// stop. `progress` advances by about [`LevelMap::n_steps`].
    pub fn new(level: &ValuedLevel, play: &LevelPlay, progress: &dyn Progress) -> Option<Self> {
        let whole = level.whole.as_deref()?;
        let map = Self::of_states(level, whole, shown_states(whole, play, MAX_STATES, MAX_PART), play, progress);
        Some(map).filter(|_| !progress.is_cancelled())
    }

    fn of_states(
        level: &ValuedLevel,
        whole: &WholeMap,
        states: Vec<u32>,
        play: &LevelPlay,
        progress: &dyn Progress,
    ) -> Self {
        let shown = ShownStates::new(level, whole, states, progress);
        let write_picture = || {
            let mut picture = Part::default();
            picture.set("level", &level.id);
            picture.set("unit", level.rules.unit().name());
            picture.set("n_states", whole.map.n_states());
            picture.set("n_shown", shown.len());
            picture.set("start", shown.place(0));
            shown.write_places(&mut picture);
            write_play(&shown, play, &mut picture);
            picture
        };
        // Each takes seconds where there are many states.
        let ((mut picture, values), (moves, boards)) = rayon::join(
            || rayon::join(write_picture, || shown.values()),
            || rayon::join(|| shown.moves().pack(), || shown.boards().pack()),
        );
        values.iter().for_each(|values| picture.numbers("value", values));
        Self { level: level.id.clone(), figure: None, parts: [picture.pack(), moves, boards] }
    }

    /// The map, with the id in the page of the figure that shows the same states.
    pub fn with_figure(self, figure: Option<String>) -> Self {
        Self { figure, ..self }
    }

    /// Number of letters that the map takes in a page.
    pub fn n_letters(&self) -> usize {
        self.parts.iter().map(String::len).sum()
    }

    fn link(&self) -> Option<String> {
        let figure = self.figure.as_ref()?;
        Some(format!("<a href=\"#{}\">{}</a>", escape(figure), escape(&self.level)))
    }
}

/// Writes visits, moves that were made, and attempts.
fn write_play(shown: &ShownStates, play: &LevelPlay, part: &mut Part) {
    let place = |state: &u32| shown.place(*state);
    let visits = play.visits.iter().filter_map(|(state, counts)| Some((place(state)?, counts)));
    let visits: BTreeMap<u32, &Vec<u32>> = visits.collect();
    let moves = play.moves.iter().filter_map(|((from, to), n)| Some(((place(from)?, place(to)?), *n)));
    let moves: BTreeMap<(u32, u32), u32> = moves.collect();
    let renumbered = |attempt: &AttemptTrajectory| AttemptTrajectory {
        states: attempt.states.iter().map(|state| state.as_ref().and_then(place)).collect(),
        ..attempt.clone()
    };
    part.set("conditions", &play.conditions);
    part.set("played", &play.played);
    part.set("n_attempts", play.n_attempts);
    part.set("attempts", play.attempts.iter().map(renumbered).collect::<Vec<_>>());
    part.small_numbers("visited", &steps(visits.keys().copied()));
    part.small_numbers("visits", &visits.values().flat_map(|counts| counts.iter().copied()).collect::<Vec<_>>());
    part.small_numbers("made_from", &steps(moves.keys().map(|(from, _)| *from)));
    part.small_numbers("made_to", &moves.keys().map(|(_, to)| *to).collect::<Vec<_>>());
    part.small_numbers("made", &moves.values().copied().collect::<Vec<_>>());
}

/// Returns the states of a level that a page shows: all, if they are no more than `limit`. Else the start, the states
/// that people visited, those on shortest solutions, and the neighbours of all these, in this order, and among the
/// visited ones the most visited first, until there are `most`.
fn shown_states(whole: &WholeMap, play: &LevelPlay, limit: usize, most: usize) -> Vec<u32> {
    let n_states = whole.map.n_states() as u32;
    if n_states as usize <= limit {
        return (0..n_states).collect();
    }
    let mut visited: Vec<(u32, u32)> = play.visits.iter().map(|(state, n)| (n.iter().sum(), *state)).collect();
    visited.sort_by_key(|&(n_visits, state)| (std::cmp::Reverse(n_visits), state));
    let visited = visited.into_iter().map(|(_, state)| state);
    let mut seen = HashSet::new();
    let mut shown: Vec<u32> = std::iter::once(0).chain(visited).chain(on_shortest_paths(whole)).collect();
    shown.retain(|&state| seen.insert(state));
    for place in 0..shown.len() {
        let beside = whole.map.graph.successors(shown[place]);
        shown.extend(beside.iter().filter(|&&state| seen.insert(state)));
    }
    shown.truncate(most);
    shown
}

/// Returns the states on shortest solutions from the start.
fn on_shortest_paths(whole: &WholeMap) -> Vec<u32> {
    let WholeMap { map, distances, .. } = whole;
    let (mut seen, mut found, mut next) = (HashSet::from([0]), vec![0_u32], 0);
    while next < found.len() {
        let state = found[next];
        next += 1;
        let nearer = map.graph.successors(state).iter().filter(|&&after| distances.is_optimal(state, after));
        found.extend(nearer.filter(|&&after| seen.insert(after)));
    }
    found
}

/// Parts of a page that show the maps. The caller adds `style` to its style sheet, puts `markup` where the maps are
/// to stand and `script` at the end, and lets its content security policy allow `script`.
#[derive(Clone, Debug)]
pub struct Pieces {
    /// HTML: a sentence for browsers without JavaScript or WebGL, and the data.
    pub markup: String,
    /// The rules of `.map`.
    pub style: &'static str,
    /// The script that draws the maps, for a `<script>` behind the markup.
    pub script: &'static str,
}

const STYLE: &str = include_str!("state_map.css");

/// The scripts in the order in which each needs those before it.
const SCRIPT: &str = concat!(
    "\"use strict\";\n(() => {\n",
    include_str!("interactive/tools.js"),
    include_str!("interactive/level.js"),
    include_str!("interactive/board.js"),
    include_str!("interactive/colours.js"),
    include_str!("interactive/drawing.js"),
    include_str!("interactive/above.js"),
    include_str!("interactive/pointers.js"),
    include_str!("interactive/replay.js"),
    include_str!("interactive/state_map.js"),
    "})();\n"
);

/// The names of the parts of a map, in the ids of their elements.
const PARTS: [&str; 3] = ["picture", "moves", "boards"];

impl StateMaps {
    /// Returns the pieces of a page with these maps.
    pub fn pieces(&self) -> Pieces {
        let links: Vec<String> = self.levels.iter().filter_map(LevelMap::link).collect();
        let elsewhere = match links.is_empty() {
            true => String::new(),
            false => format!(" The same states are drawn in the figures: {}.", links.join(", ")),
        };
        let levels: Vec<&str> = self.levels.iter().map(|level| level.level.as_str()).collect();
        let data = json!({ "qualities": self.qualities, "levels": levels, "n_left_out": self.n_left_out });
        // Outside of texts JSON has no `<`, and inside of them an escape stands for the same sign.
        let data = data.to_string().replace('<', "\\u003c");
        let mut markup = format!(
            "<div class=\"map\" id=\"state-map\">\n\
             <p class=\"map-static\">The interactive map needs a browser with JavaScript and WebGL.{elsewhere}</p>\n\
             </div>\n\
             <script type=\"application/json\" id=\"state-map-data\">{data}</script>\n"
        );
        for (number, level) in self.levels.iter().enumerate() {
            for (name, part) in PARTS.iter().zip(&level.parts) {
                markup += &format!("<script type=\"text/plain\" id=\"state-map-{number}-{name}\">{part}</script>\n");
            }
        }
        Pieces { markup, style: STYLE, script: SCRIPT }
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests;
