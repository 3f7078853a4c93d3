//! Search for the notation of moves: in one column or in several, in words, or as the positions that they lead to.

use crate::proposal::Certainty;
use crate::words;
use plymap_expression::{Template, Value};
use plymap_log::{ColumnSpec, PipelineStep, SampleRow};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::finder::Finder;
use super::found::Found;
use super::plays::Said;
use super::replay::Replayed;
use crate::quoted::quoted;
use without::Without;

mod clicks;
mod replaced;
mod slots;
mod without;
mod written;

/// Number of rows that are looked at before a column is replayed; the share [`FITS`] of their cells has to be moves.
const LOOKED_AT: usize = 200;
/// Number of these rows that tell that a text is no move at all.
const FEW: usize = 20;
const FITS: f64 = 0.2;
/// Longest part of a move, in letters.
const LONG: usize = 24;
/// Number of columns with short cells that are put together in pairs, and of pairs that are replayed.
const SHORT: usize = 16;
const PAIRS: usize = 40;
/// Number of ways to write moves that are read by the reader itself.
const BEST: usize = 6;
/// Score above which no other way to write moves is tried.
const GOOD: f64 = 0.8;
/// Weight of names that fit beside a whole replay.
pub(crate) const NAMES: f64 = 0.05;

/// A way in which moves may be written.
#[derive(Clone, Debug)]
pub(crate) struct Actions {
    steps: Vec<PipelineStep>,
    columns: Vec<(&'static str, ColumnSpec)>,
    /// Values of the column of actions that are no moves.
    events: Vec<(String, &'static str, Certainty, String)>,
    certainty: Certainty,
    reason: String,
    /// The column of moves that rows may lack.
    lacks: Option<usize>,
    /// The rows without a move, once that column was looked at: it is for the best alone.
    without: Option<Without>,
    /// A step that made columns of the parts of a text, in whose place the last step stands.
    instead_of: Option<PipelineStep>,
    /// Columns that are used up.
    pub(super) places: Vec<usize>,
    /// `true` if the names of the columns are those of moves.
    pub is_named: bool,
    /// `true` if the elements of the last step `split` have to be numbered.
    pub needs_number: bool,
    /// Score in the sample, see [`Replayed::score`].
    pub score: f64,
}

impl Actions {
    fn new(places: &[usize], columns: Vec<(&'static str, ColumnSpec)>, is_named: bool, reason: String) -> Self {
        Self {
            steps: Vec::new(),
            columns,
            events: Vec::new(),
            certainty: Certainty::Sure,
            reason,
            lacks: None,
            without: None,
            instead_of: None,
            places: places.to_vec(),
            is_named,
            needs_number: false,
            score: 0.0,
        }
    }

    fn of_action(places: &[usize], action: ColumnSpec, is_named: bool, reason: String) -> Self {
        Self::new(places, vec![("action", action)], is_named, reason)
    }

    /// Nearness to a proposal, for messages.
    pub fn nearness(&self) -> f64 {
        1.0 + self.score
    }

    /// `true` if it uses one of these columns.
    pub fn uses_any(&self, places: &[usize]) -> bool {
        self.places.iter().any(|place| places.contains(place))
    }

    fn rated(mut self, replayed: &Replayed) -> Option<Self> {
        self.score = replayed.score() + if self.is_named { NAMES } else { 0.0 };
        (replayed.score() > 0.0).then_some(self)
    }
}

/// Joint meaning of two columns, by the words in their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parts {
    PieceAndSteps,
    PieceAndCell,
    FromAndTo,
    RowAndColumn,
}

impl Parts {
    fn are_named(self, left: &str, right: &str) -> bool {
        let (ones, others): (&[&str], &[&str]) = match self {
            Self::PieceAndSteps => (&words::PIECES, &words::STEPS),
            Self::PieceAndCell => (&words::PIECES, &words::CELLS),
            Self::FromAndTo => (&words::FROM, &words::TO),
            Self::RowAndColumn => (&words::ROWS, &words::COLUMNS),
        };
        words::is_called(left, ones) && words::is_called(right, others)
    }
}

/// A template of one column or two, which are given as expressions name them.
type OfOne = fn(&str) -> String;
type OfTwo = fn(&str, &str) -> String;

/// Ways to write a move in two columns. Some logs count places from 0, and a number may lack its sign.
const OF_TWO: [(OfTwo, Parts); 8] = [
    (|a, b| format!("{{{a}}}{{{b}}}"), Parts::PieceAndSteps),
    (|a, b| format!("{{{a}}}{{signed({b})}}"), Parts::PieceAndSteps),
    (|a, b| format!("{{{a}}}@{{{b}}}"), Parts::PieceAndCell),
    (|a, b| format!("{{{a}}}@{{{b} - 1}}"), Parts::PieceAndCell),
    (|a, b| format!("{{{a}}}>{{{b}}}"), Parts::FromAndTo),
    (|a, b| format!("{{{a} + 1}}>{{{b} + 1}}"), Parts::FromAndTo),
    (|a, b| format!("{{{a}}} {{{b}}}"), Parts::RowAndColumn),
    (|a, b| format!("{{{a} + 1}} {{{b} + 1}}"), Parts::RowAndColumn),
];

/// Ways to write a move in one column that the game does not read as it stands.
const OF_ONE: [OfOne; 2] = [|a| format!("@{{{a}}}"), |a| format!("@{{{a} - 1}}")];

impl Found {
    /// With a way in which moves may be written.
    pub(crate) fn with(mut self, actions: &Actions) -> Self {
        if let (Some(without), false) = (&actions.without, self.has_events) {
            self.leave_out(without);
        }
        self.spec.steps.retain(|step| actions.instead_of.as_ref() != Some(step));
        self.spec.steps.extend(actions.steps.iter().cloned());
        if let Some(PipelineStep::Pair(pair)) = actions.steps.last() {
            self.add_times_of(&pair.prefix);
        }
        for (key, column) in &actions.columns {
            if *column != ColumnSpec::column(key) {
                self.spec.columns.insert((*key).to_owned(), column.clone());
            }
            self.say(key, actions.certainty, actions.reason.clone());
        }
        for (value, event, certainty, reason) in &actions.events {
            self.spec.events.insert(value.clone(), (*event).to_owned());
            self.say(&format!("events.{value}"), *certainty, reason.clone());
        }
        self
    }
}

impl Found {
    /// Adds the time of the first row of each pair to that of the second, where both have durations.
    pub(super) fn add_times_of(&mut self, prefix: &str) {
        let Some(ColumnSpec::Column { column, .. }) = self.spec.columns.get("rt").cloned() else { return };
        let sum = format!("{} + {}", quoted(&format!("{prefix}{column}")), quoted(&column));
        self.spec.steps.push(PipelineStep::Set(BTreeMap::from([(column.clone(), sum)])));
        self.say("set", Certainty::Likely, format!("{column:?} of the two rows of a move together is its time"));
    }
}

/// The sample as it is looked at before anything is replayed, and the runs that are replayed then.
struct Tried<'s> {
    rows: Vec<(&'s SampleRow, usize)>,
    runs: Vec<Vec<usize>>,
    shares: &'s Shares,
}

/// Shares of rows in which a text is a move, by the columns of levels and the text. They do not depend on who played.
pub(crate) type Shares = RefCell<HashMap<(Vec<usize>, String), f64>>;

impl Finder<'_> {
    /// The ways in which moves may be written, the best first. `is_split` says whether the last step took cells apart.
    pub(crate) fn actions(&self, is_split: bool, shares: &Shares) -> Vec<Actions> {
        let play: Vec<(&SampleRow, usize)> =
            self.sample.rows.iter().zip(&self.level).filter_map(|(row, level)| Some((row, (*level)?))).collect();
        // Spread over the rows, for the first of them may be of one kind.
        let step = (play.len() / LOOKED_AT).max(1);
        let tried = Tried { rows: play.iter().step_by(step).copied().collect(), runs: self.runs_to_replay(), shares };
        let mut candidates = self.columns_of_moves(&tried);
        candidates.extend(self.positions(&tried));
        candidates.extend(self.choices_before_chance(&tried));
        candidates.extend(self.pairs_of_columns(&tried));
        candidates.extend(self.directions(&tried));
        candidates.extend(self.lettered(&tried));
        // Templates of parts are many, and are only tried where nothing simpler fits.
        if candidates.iter().all(|actions| actions.score < GOOD) {
            candidates.extend(self.parts_of_moves(&tried));
        }
        candidates.extend(self.pairs_of_clicks(&tried, is_split));
        candidates.sort_by(|left, right| right.score.total_cmp(&left.score));
        candidates.truncate(BEST);
        for actions in &mut candidates {
            actions.without = actions.lacks.and_then(|place| self.without(place));
        }
        candidates
    }

    /// The share of the rows that were looked at in which a text is a move. A few of them tell what is none, which most
    /// pairs of columns are.
    fn share(&self, tried: &Tried<'_>, name: &str, text: &dyn Fn(&SampleRow) -> Option<String>) -> f64 {
        if let Some(share) = tried.shares.borrow().get(&(self.level_places.clone(), name.to_owned())) {
            return *share;
        }
        let of_rows = |step: usize| {
            let (mut n, mut n_told) = (0, 0);
            for (row, level) in tried.rows.iter().step_by(step) {
                let Some(text) = text(row) else { continue };
                n_told += 1;
                n += usize::from(self.plays.is_move(*level, &text));
            }
            let n_rows = tried.rows.len().div_ceil(step);
            // The root weighs rows without a text less than rows with a wrong one: events stand between moves.
            if n_told == 0 { 0.0 } else { n as f64 / n_told as f64 * (n as f64 / n_rows as f64).sqrt() }
        };
        let few = if tried.rows.len() > 5 * FEW { of_rows(tried.rows.len() / FEW) } else { 1.0 };
        let share = if few == 0.0 { 0.0 } else { of_rows(1) };
        tried.shares.borrow_mut().insert((self.level_places.clone(), name.to_owned()), share);
        share
    }

    /// Replay of the moves that a text of each row tells.
    fn replayed_as(&self, tried: &Tried<'_>, text: &dyn Fn(&SampleRow) -> Option<String>) -> Replayed {
        self.replayed(&tried.runs, &mut |row| text(&self.sample.rows[row]).map_or(Said::Nothing, Said::Move))
    }

    /// Columns that tell moves by themselves.
    fn columns_of_moves(&self, tried: &Tried<'_>) -> Vec<Actions> {
        let of_cell = |place: usize| {
            let text = |row: &SampleRow| row.cell(place).map(str::to_owned);
            let name = self.name(place);
            if self.share(tried, &quoted(name), &text) < FITS {
                return None;
            }
            let is_named = words::is_called(name, &words::MOVES) && !words::counts(name);
            let reason = "its values are moves that the rules know".to_owned();
            let (certainty, reason) = match self.key_among_words(place) {
                Some(key) => (
                    Certainty::Ask,
                    format!("{reason}; is {key:?} a move, or a key for something else? Say so in [log.events]"),
                ),
                None => (Certainty::Sure, reason),
            };
            let actions = Actions {
                certainty,
                events: self.events_among_moves(place),
                lacks: Some(place),
                ..Actions::of_action(&[place], ColumnSpec::column(name), is_named, reason)
            };
            actions.rated(&self.replayed_as(tried, &text))
        };
        let of_number = |place: usize| {
            let is_named = words::is_called(self.name(place), &words::CELLS);
            let forms = OF_ONE.iter().filter(|_| self.is_whole(place));
            let column = quoted(self.name(place));
            let templates = forms.filter_map(|form| self.template(tried, form(&column), &[place], is_named));
            templates.max_by(|left, right| left.score.total_cmp(&right.score))
        };
        self.free().filter_map(of_cell).chain(self.free().filter_map(of_number)).collect()
    }

    /// A letter among words: moves that are written out, and perhaps the key for a reset or an undo.
    fn key_among_words(&self, place: usize) -> Option<&str> {
        let values = self.distinct(place);
        let n_words = values.iter().filter(|value| n_letters(value) > 1).count();
        let keys: Vec<&str> = values.iter().copied().filter(|value| n_letters(value) == 1).collect();
        (n_words > keys.len()).then(|| keys.first().copied()).flatten()
    }

    /// `true` if all cells are whole numbers.
    pub(super) fn is_whole(&self, place: usize) -> bool {
        let values = self.distinct(place);
        !values.is_empty() && values.iter().all(|value| value.parse::<i64>().is_ok())
    }

    /// A template of these columns, as it is replayed.
    fn template(&self, tried: &Tried<'_>, template: String, places: &[usize], is_named: bool) -> Option<Actions> {
        let parsed = Template::parse(&template).ok()?;
        let text = self.filled(&parsed);
        if self.share(tried, &template, &text) < FITS {
            return None;
        }
        let names: Vec<String> = places.iter().map(|&place| format!("{:?}", self.name(place))).collect();
        let reason = match &names[..] {
            [one] => format!("{one} tells the place of each move"),
            _ => format!("{} together are moves", names.join(" and ")),
        };
        let actions = Actions {
            lacks: Some(places[0]),
            ..Actions::of_action(places, ColumnSpec::Template { template }, is_named, reason)
        };
        actions.rated(&self.replayed_as(tried, &text))
    }

    /// The text of a template in each row, whose columns are among those of the sample.
    fn filled<'t>(&'t self, template: &'t Template) -> impl Fn(&SampleRow) -> Option<String> + 't {
        let place = |name: &str| self.sample.place(name);
        let places: Vec<Vec<Option<usize>>> =
            template.expressions().map(|expression| expression.names().map(place).collect()).collect();
        move |row: &SampleRow| {
            let cell = |expression: usize, name: usize| {
                let cell = places[expression][name].and_then(|place| row.cell(place).map(str::to_owned));
                cell.map_or(Value::Missing, |cell| Value::Text(cell.into()))
            };
            Some(template.fill(&cell).ok()?.into_text()?.into_owned())
        }
    }

    /// Moves in two columns.
    fn pairs_of_columns(&self, tried: &Tried<'_>) -> Vec<Actions> {
        let short = self.short_columns();
        let mut pairs = Vec::new();
        for &one in &short {
            for &other in short.iter().filter(|&&other| other != one) {
                let (a, b) = (self.name(one), self.name(other));
                for (form, parts) in OF_TWO {
                    let template = form(&quoted(a), &quoted(b));
                    let Ok(parsed) = Template::parse(&template) else { continue };
                    let share = self.share(tried, &template, &self.filled(&parsed));
                    if share >= FITS {
                        pairs.push((parts.are_named(a, b), share, template, [one, other]));
                    }
                }
            }
        }
        pairs.sort_by(|left, right| (right.0, right.1).partial_cmp(&(left.0, left.1)).expect("shares are numbers"));
        let tried_pairs = pairs.into_iter().take(PAIRS);
        let replayed =
            |(is_named, _, template, places): (_, _, _, [usize; 2])| self.template(tried, template, &places, is_named);
        tried_pairs.filter_map(replayed).collect()
    }

    /// Columns whose cells can be parts of moves; what counts rows is none.
    fn short_columns(&self) -> Vec<usize> {
        let is_short = |place: &usize| {
            let values = self.distinct(*place);
            !values.is_empty() && values.iter().all(|cell| cell.chars().count() <= LONG)
        };
        self.free().filter(|place| !self.numbers_rows(*place)).filter(is_short).take(SHORT).collect()
    }

    /// `true` if a column that is called after numbers counts the rows of runs.
    fn numbers_rows(&self, place: usize) -> bool {
        let number = |row: usize| self.sample.rows[row].cell(place)?.parse::<i64>().ok();
        let runs = self.runs();
        let steps: Vec<bool> = runs
            .iter()
            .flat_map(|run| run.windows(2))
            .map(|pair| number(pair[0]).zip(number(pair[1])).is_some_and(|(left, right)| right == left + 1))
            .collect();
        words::may_count(self.name(place))
            && !steps.is_empty()
            && 10 * steps.iter().filter(|step| **step).count() >= 8 * steps.len()
    }

    /// Values among the moves that are events.
    fn events_among_moves(&self, place: usize) -> Vec<(String, &'static str, Certainty, String)> {
        let cells: BTreeSet<(usize, &str)> =
            self.column(place).filter_map(|(_, level, cell)| Some((level?, cell))).collect();
        let is_event = |(level, cell): &(usize, &str)| words::event(cell).is_some() && !self.plays.begins(*level, cell);
        let values: BTreeSet<&str> = cells.into_iter().filter(is_event).map(|(_, cell)| cell).collect();
        let of_value = |value: &str| {
            let (event, certainty, reason) = match words::event(value)? {
                "reset" => self.meaning_of_resets(place, value),
                event => (event, Certainty::Likely, "it stands among the moves".to_owned()),
            };
            Some((value.to_owned(), event, certainty, reason))
        };
        values.into_iter().filter_map(of_value).collect()
    }

    /// Columns of positions: one that tells where each move led, or two around it.
    fn positions(&self, tried: &Tried<'_>) -> Vec<Actions> {
        let is_one = |place: usize| {
            let cells: Vec<(usize, &str)> =
                tried.rows.iter().filter_map(|(row, level)| Some((*level, row.cell(place)?))).collect();
            let n = cells.iter().filter(|(level, cell)| self.plays.levels[*level].1.parse_state(cell).is_ok()).count();
            n > 0 && 10 * n >= 6 * cells.len()
        };
        let columns: Vec<usize> = self.free().filter(|&place| is_one(place)).take(4).collect();
        let cell = |row: usize, place: usize| self.sample.rows[row].cell(place).map(str::to_owned);
        let replayed =
            |after: usize| self.replayed(&tried.runs, &mut |row| cell(row, after).map_or(Said::Nothing, Said::After));
        // Of two columns the one goes on from where the other ended in the row above.
        let joins = |before: usize, after: usize| {
            let pairs = || tried.runs.iter().flat_map(|run| run.windows(2));
            let joined =
                |pair: &&[usize]| cell(pair[0], after).is_some() && cell(pair[0], after) == cell(pair[1], before);
            2 * pairs().filter(joined).count() > pairs().count()
        };
        let spec = |place: usize| ColumnSpec::column(self.name(place));
        let mut moves = Vec::new();
        for &after in &columns {
            let before = columns.iter().copied().find(|&before| before != after && joins(before, after));
            let rated = replayed(after);
            let lone = Actions {
                certainty: Certainty::Likely,
                lacks: Some(after),
                ..Actions::new(
                    &[after],
                    vec![("state_after", spec(after))],
                    false,
                    "its values are positions, each one move behind the one above it".to_owned(),
                )
            };
            moves.extend(lone.rated(&rated));
            if let Some(before) = before {
                let reason = "its values are positions, and each goes on from the one above it".to_owned();
                let columns = vec![("state_before", spec(before)), ("state_after", spec(after))];
                let both = Actions { lacks: Some(after), ..Actions::new(&[before, after], columns, true, reason) };
                moves.extend(both.rated(&rated));
            }
        }
        moves
    }

    /// Positions where chance follows moves: the position in which each choice was made, of which the next row tells
    /// what chance did.
    fn choices_before_chance(&self, tried: &Tried<'_>) -> Vec<Actions> {
        if !self.plays.levels.iter().any(|(_, rules)| rules.has_chance()) {
            return Vec::new();
        }
        let cell = |row: usize, place: usize| self.sample.rows[row].cell(place);
        let is_choice = |place: &usize| {
            let name = quoted(self.name(*place));
            self.share(tried, &name, &|row: &SampleRow| row.cell(*place).map(str::to_owned)) >= FITS
        };
        let is_position = |place: &usize| {
            let reads = |(row, level): &(&SampleRow, usize)| {
                row.cell(*place).is_some_and(|cell| self.plays.levels[*level].1.parse_state(cell).is_ok())
            };
            tried.rows.iter().any(reads)
        };
        let positions: Vec<usize> = self.free().filter(is_position).take(SHORT).collect();
        let mut runs = Vec::new();
        for action in self.free().filter(is_choice).take(SHORT) {
            for before in positions.iter().copied().filter(|&before| before != action) {
                let mut replayed = Replayed::default();
                runs.extend(self.choice_and_end(tried, action, before));
                for run in &tried.runs {
                    let Some(level) = self.level[run[0]] else { continue };
                    let leads = |pair: &[usize]| {
                        let (board, choice) = (cell(pair[0], before)?, cell(pair[0], action)?);
                        Some(self.plays.leads_to(level, board, choice, cell(pair[1], before)?))
                    };
                    let leads_there: Vec<bool> = run.windows(2).filter_map(leads).collect();
                    replayed.add_run(leads_there.len(), leads_there.iter().filter(|leads| **leads).count());
                }
                let spec = |place: usize| ColumnSpec::column(self.name(place));
                let columns = vec![("action", spec(action)), ("state_before", spec(before))];
                let reason = "the choice and the position in which it was made; the next row tells what chance did";
                let is_named = words::is_called(self.name(action), &words::MOVES);
                let actions = Actions {
                    lacks: Some(action),
                    ..Actions::new(&[action, before], columns, is_named, reason.to_owned())
                };
                runs.extend(actions.rated(&replayed));
            }
        }
        runs
    }

    /// The choice and the position behind it, which tells what chance did.
    fn choice_and_end(&self, tried: &Tried<'_>, action: usize, after: usize) -> Option<Actions> {
        let cell = |row: usize, place: usize| self.sample.rows[row].cell(place);
        let mut replayed = Replayed::default();
        for run in &tried.runs {
            let Some(level) = self.level[run[0]] else { continue };
            let rules = self.plays.levels[level].1;
            let mut position = rules.format_state(rules.start());
            let (mut n_told, mut n_legal) = (0, 0);
            for &row in run {
                let (Some(choice), Some(end)) = (cell(row, action), cell(row, after)) else { continue };
                n_told += 1;
                n_legal += usize::from(self.plays.leads_to(level, &position, choice, end));
                end.clone_into(&mut position);
            }
            replayed.add_run(n_told, n_legal);
        }
        let spec = |place: usize| ColumnSpec::column(self.name(place));
        let columns = vec![("action", spec(action)), ("state_after", spec(after))];
        let reason = "the choice and the position behind it, which tells what chance did".to_owned();
        let is_named = words::is_called(self.name(action), &words::MOVES);
        let actions = Actions { lacks: Some(action), ..Actions::new(&[action, after], columns, is_named, reason) };
        actions.rated(&replayed)
    }
}

fn n_letters(value: &str) -> usize {
    if value.chars().all(char::is_alphabetic) { value.chars().count() } else { 0 }
}
