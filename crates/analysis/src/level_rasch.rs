//! The Rasch model of solving: ability of participants and difficulty of levels, on one scale.

use super::context::Context;
use super::dataset::{Dataset, Trial};
use plymap_statistics::record::*;
use plymap_statistics::stats::apa;
use plymap_statistics::stats::rasch::{Ability, INFIT, LevelDifficulty, N_TRUE, OUTFIT, Rasch, rasch};
use plymap_tables::Table;
use std::collections::BTreeMap;

const SCOPE: Column = text(
    "scope",
    "model: all responses; level: one level, over participants; participant: one participant, over levels",
)
.levels(&["model", "level", "participant"]);
const GROUP: Column = text("group", "the level or participant; empty for the model");
const N_UNKNOWN: Column =
    count("n_unknown", "number of trials of which it is not known whether they were solved, left out");
const N_REPEATED: Column =
    count("n_repeated", "number of trials at a level that the participant had tried in an earlier session, left out");
const COLUMNS: &[Column] = &[
    SCOPE,
    GROUP,
    N.means(
        "number of responses: first trials of a participant at a level; for the model, of those at levels that some but not all solved",
    ),
    N_TRUE.shown_as("n_solved").means("number of them that were solved"),
    N_UNKNOWN,
    N_REPEATED,
    ESTIMATE
        .means(
            "of a level its difficulty: the ability of someone who solves it half of the time (marginal maximum likelihood; Bock and Aitkin, 1981); of a participant the ability, estimated expected a posteriori (EAP) and thus shrunken towards the mean of all, which is 0 (Bock and Mislevy, 1982); of the model the standard deviation of the abilities",
        )
        .unit("logits"),
    STANDARD_ERROR.means("its standard error; of an ability the posterior standard deviation").unit("logits"),
    LOWER.means("lower end of the interval: normal; only of levels and participants").unit("logits"),
    UPPER.means("upper end of the interval").unit("logits"),
    CONFIDENCE.means("level of the interval"),
    INFIT,
    OUTFIT,
    LOG_LIKELIHOOD.means("marginal log-likelihood, in the row of the model"),
    AIC.means("Akaike information criterion (AIC), in the row of the model"),
    BIC.means("Bayesian information criterion, in the row of the model"),
    CONVERGED.means("whether the optimiser converged; empty where there was nothing to optimise"),
    SENTENCE.means("APA-formatted result"),
    REASON,
];

/// The Rasch model of a study; the time is that of [`rasch`], whose limits hold.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LevelRasch {
    model: Rasch,
    /// Trials of which it is not known whether the level was solved, by participant and by level.
    n_unknown: Left,
    /// Trials at a level that the participant had tried before.
    n_repeated: Left,
}

/// Trials that are left out, counted for each participant and each level.
#[derive(Clone, Debug, Default, PartialEq)]
struct Left {
    n: u64,
    counts: BTreeMap<(Scope, String), u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    Model,
    Level,
    Participant,
}

impl Scope {
    fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Level => "level",
            Self::Participant => "participant",
        }
    }
}

impl Left {
    fn add(&mut self, data: &Dataset, trial: &Trial) {
        self.n += 1;
        let names = [
            (Scope::Level, data.levels.get(trial.level)),
            (Scope::Participant, data.participants.get(trial.participant)),
        ];
        for (scope, name) in names {
            *self.counts.entry((scope, name.cloned().unwrap_or_default())).or_default() += 1;
        }
    }

    fn at(&self, scope: Scope, name: &str) -> u64 {
        if scope == Scope::Model { self.n } else { self.counts.get(&(scope, name.to_owned())).copied().unwrap_or(0) }
    }
}

impl LevelRasch {
    /// Fits the model to the first trial of each participant at each level of which it is known how it ended.
    pub fn new(context: &Context) -> Self {
        let data = context.data;
        let (mut n_unknown, mut n_repeated) = (Left::default(), Left::default());
        let mut first: BTreeMap<(usize, usize), (&Trial, bool)> = BTreeMap::new();
        for trial in &*data.trials {
            let Some(solved) = trial.is_solved else {
                n_unknown.add(data, trial);
                continue;
            };
            // Where the order is not known, that of the sessions decides.
            let place = |trial: &Trial| trial.order.unwrap_or(usize::MAX);
            let known = first.entry((trial.participant, trial.level)).or_insert((trial, solved));
            if !std::ptr::eq(known.0, trial) {
                n_repeated.add(data, trial);
                if place(trial) < place(known.0) {
                    *known = (trial, solved);
                }
            }
        }
        let name = |names: &[String], number: usize| names.get(number).cloned().unwrap_or_default();
        let participants: Vec<String> = first.keys().map(|&(who, _)| name(&data.participants, who)).collect();
        let levels: Vec<String> = first.keys().map(|&(_, level)| name(&data.levels, level)).collect();
        let solved: Vec<bool> = first.values().map(|&(_, solved)| solved).collect();
        let model = rasch(&participants, &levels, &solved, context.confidence());
        Self { model, n_unknown, n_repeated }
    }

    /// The difficulty of a level in logits, if the model holds one.
    pub fn difficulty(&self, level: &str) -> Option<f64> {
        let converged = self.model.converged;
        self.model.levels.iter().find(|row| row.level == level).filter(|_| converged)?.difficulty
    }

    /// The table `level_rasch`.
    pub fn table(&self) -> Table {
        let of_levels = self.model.levels.iter().map(|level| self.of_level(level));
        let of_participants = self.model.participants.iter().map(|participant| self.of_participant(participant));
        let records: Vec<Record> = [self.of_model()].into_iter().chain(of_levels).chain(of_participants).collect();
        let caption = "Solved or not by the Rasch model: the difficulty of each level and the ability of each participant on one scale. Levels that were never tried say nothing; those given up count as not solved.";
        Table::of_records("level_rasch", caption, COLUMNS, &records)
    }

    /// The model, and the hardest and the easiest level, in words.
    pub fn sentences(&self) -> Vec<String> {
        let levels = &self.model.levels;
        let n_told = levels.iter().filter(|level| level.n_solved > 0 && level.n_solved < level.n).count();
        // What was estimated says the levels itself.
        let of_levels = match self.model.converged || n_told == levels.len() {
            true => String::new(),
            false => format!(
                "; n counts the trials at the {n_told} of {} that some people solved and some did not",
                apa::counted(levels.len(), "level")
            ),
        };
        let mut said = vec![format!("Solved or not, by the Rasch model: {}{of_levels}.", self.model.sentence())];
        let known = || {
            self.model
                .levels
                .iter()
                .filter(|_| self.model.converged)
                .filter_map(|level| Some((level, level.difficulty?)))
        };
        let hardest = known().max_by(|left, right| left.1.total_cmp(&right.1));
        let easiest = known().min_by(|left, right| left.1.total_cmp(&right.1));
        if let (Some((hardest, high)), Some((easiest, low))) = (hardest, easiest)
            && high > low
        {
            // Levels with the same difficulty, which Newton's steps reach with other last digits, are counted.
            let shown = |level: &LevelDifficulty, difficulty: f64| {
                let tied = known().filter(|(_, other)| (other - difficulty).abs() < 1e-6).count() - 1;
                let more = if tied == 0 { String::new() } else { format!(" (the same difficulty at {tied} more)") };
                format!("{}: {}{more}", level.level, level.sentence(self.model.confidence))
            };
            said.push(format!("The hardest of them is {}; the easiest {}.", shown(hardest, high), shown(easiest, low)));
        }
        said
    }

    fn of_model(&self) -> Record {
        let model = &self.model;
        let telling = model.levels.iter().filter(|level| 0 < level.n_solved && level.n_solved < level.n);
        let reason = (model.ability_sd == Some(0.0) && model.reason.is_none()).then_some(
            "participants differ no more than chance makes them: a standard deviation of 0 has no standard error",
        );
        let record = model
            .record()
            .set(N, model.n_responses)
            .set(N_TRUE, telling.map(|level| level.n_solved).sum::<usize>())
            .set(CONVERGED, (model.n_steps > 0).then_some(model.converged))
            .set(REASON, reason);
        self.row(Scope::Model, "", record)
    }

    fn of_level(&self, level: &LevelDifficulty) -> Record {
        let record = level.record(self.model.confidence);
        if self.model.converged {
            return self.row(Scope::Level, &level.level, record);
        }
        let reason = level.reason.as_ref().or(self.model.reason.as_ref());
        self.row(Scope::Level, &level.level, record.set(SENTENCE, apa::not_estimable("difficulty", level.n, reason)))
    }

    fn of_participant(&self, participant: &Ability) -> Record {
        let confidence = self.model.confidence;
        let ends = participant.interval(confidence);
        let sentence = if self.model.converged && ends.is_some() {
            participant.sentence(confidence)
        } else {
            let reason = participant.reason.as_ref().or(self.model.reason.as_ref());
            apa::not_estimable("ability", participant.n, reason)
        };
        let record = participant.record().set(SENTENCE, sentence);
        let record = record.set(LOWER, ends.map(|ends| ends.0)).set(UPPER, ends.map(|ends| ends.1));
        self.row(Scope::Participant, &participant.participant, record)
    }

    /// A row of the table. Where the search stopped is no estimate: what the whole model lacks, each of its rows lacks
    /// too, for its reason.
    fn row(&self, scope: Scope, group: &str, mut record: Record) -> Record {
        if !self.model.converged {
            let estimates = [ESTIMATE, STANDARD_ERROR, LOWER, UPPER, INFIT, OUTFIT, LOG_LIKELIHOOD, AIC, BIC];
            record = estimates.into_iter().fold(record, Record::unset);
        }
        if record.cell(ESTIMATE.name) == &Cell::Missing && record.cell(REASON.name) == &Cell::Missing {
            record = record.set(REASON, self.model.reason.clone());
        }
        record
            .set(SCOPE, scope.name())
            .set(GROUP, group)
            .set(N_UNKNOWN, self.n_unknown.at(scope, group))
            .set(N_REPEATED, self.n_repeated.at(scope, group))
            .set(CONFIDENCE, self.model.confidence.level())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Cells, check_cells, context, dataset, hard_cases, trial};
    use plymap_statistics::stats::Confidence;

    /// Twelve participants at four levels: who solved what is a fixed pattern in which abler ones solve more.
    fn solves(who: usize, level: usize) -> bool {
        (who * 7 + level * 5) % 12 < who && level != 3
    }

    fn small() -> Dataset {
        let trial_at = |p: usize, l: usize| Trial { is_solved: Some(solves(p, l)), ..trial(p, l, 9.0, 20.0) };
        dataset((0..12).flat_map(|p| (0..4).map(move |l| trial_at(p, l))).collect())
    }

    fn cell(table: &Table, column: &str, row: usize) -> Option<String> {
        table.cells(column)[row].clone()
    }

    #[test]
    fn rows_are_the_model_then_levels_then_participants() {
        let data = small();
        let level_rasch = LevelRasch::new(&context(&data));
        let table = level_rasch.table();
        check_cells(&table);
        assert_eq!(table.data.height(), 1 + 4 + 12);
        let names = |what: &str| {
            (0..12)
                .flat_map(|p| (0..4).map(move |l| (p, l)))
                .map(move |(p, l)| if what == "l" { format!("l{l}") } else { format!("p{p}") })
                .collect::<Vec<_>>()
        };
        let solved: Vec<bool> = (0..12).flat_map(|p| (0..4).map(move |l| solves(p, l))).collect();
        let expected = rasch(&names("p"), &names("l"), &solved, Confidence::default());
        assert!(expected.converged, "{:?}", expected.reason);
        let text = |value: Option<f64>| value.map(|value| value.to_string());
        assert_eq!(cell(&table, "estimate", 0), text(expected.ability_sd));
        assert_eq!(cell(&table, "n", 0).unwrap(), "36", "nobody solved l3");
        assert_eq!(cell(&table, "estimate", 2), text(expected.levels[1].difficulty));
        assert_eq!(cell(&table, "standard_error", 2), text(expected.levels[1].standard_error));
        assert_eq!(cell(&table, "infit", 3), text(expected.levels[2].infit));
        assert_eq!(cell(&table, "estimate", 4), None);
        assert_eq!(
            cell(&table, "reason", 4).unwrap(),
            "the difficulty is not defined here: none of the 12 participants solved the level"
        );
        let last = expected.participants.last().unwrap();
        assert_eq!(cell(&table, "group", 16).as_ref(), Some(&last.participant));
        assert_eq!(cell(&table, "estimate", 16), text(last.ability));
        let upper = last.ability.unwrap() + 1.959_963_984_540_054 * last.sd.unwrap();
        assert!((cell(&table, "upper", 16).unwrap().parse::<f64>().unwrap() - upper).abs() < 1e-9);
        assert_eq!(level_rasch.difficulty("l1"), expected.levels[1].difficulty);
        assert_eq!(level_rasch.difficulty("l3"), None);
        assert!(level_rasch.sentences()[0].starts_with("Solved or not, by the Rasch model: SD of ability = "));
        assert!(level_rasch.sentences()[0].contains("3 levels (1 more without a finite difficulty)"));
    }

    #[test]
    fn the_first_trial_at_a_level_counts_and_unknown_ends_are_left_out() {
        let mut data = small();
        // Participant 0 came back to level 1 and solved it; of participant 1 at level 2 the end is not known.
        data.trials_mut().push(Trial { session: "2".into(), order: Some(9), ..trial(0, 1, 9.0, 20.0) });
        data.trials_mut()[6].is_solved = None;
        let again = LevelRasch::new(&context(&data));
        let table = again.table();
        assert_eq!(table.cells("n_repeated")[..4], ["1", "0", "1", "0"].map(|n| Some(n.to_owned())));
        assert_eq!(table.cells("n_unknown")[..4], ["1", "0", "0", "1"].map(|n| Some(n.to_owned())));
        assert_eq!(cell(&table, "n", 3).unwrap(), "11");
        let solved = (0..12).filter(|&p| solves(p, 1)).count();
        assert_eq!(cell(&table, "n_solved", 2).unwrap(), solved.to_string());
        // Had the second trial been played first, it would count.
        data.trials_mut()[1].order = Some(20);
        let table = LevelRasch::new(&context(&data)).table();
        assert_eq!(cell(&table, "n_solved", 2).unwrap(), (solved + usize::from(!solves(0, 1))).to_string());
    }

    #[test]
    fn where_all_or_nothing_is_solved_every_row_says_why() {
        let mut data = small();
        data.trials_mut().iter_mut().for_each(|trial| trial.is_solved = Some(true));
        let level_rasch = LevelRasch::new(&context(&data));
        let table = level_rasch.table();
        assert_eq!(
            cell(&table, "reason", 0).unwrap(),
            "a Rasch model needs at least 2 levels that some but not all solved, found 0"
        );
        assert_eq!(
            cell(&table, "reason", 1).unwrap(),
            "the difficulty is not defined here: all 12 participants solved the level"
        );
        assert_eq!(cell(&table, "reason", 16), cell(&table, "reason", 0));
        assert_eq!(level_rasch.sentences().len(), 1);
    }

    #[test]
    fn where_the_search_finds_no_maximum_nothing_is_estimated() {
        // Each participant solves all or nothing: the more they differ, the likelier that is, without end.
        let trial_at = |p: usize, l: usize| Trial { is_solved: Some(p.is_multiple_of(2)), ..trial(p, l, 9.0, 20.0) };
        let data = dataset((0..4).flat_map(|p| (0..6).map(move |l| trial_at(p, l))).collect());
        let level_rasch = LevelRasch::new(&context(&data));
        assert!(
            !level_rasch.model.converged && level_rasch.model.ability_sd.is_some(),
            "{:?}",
            level_rasch.model.reason
        );
        let table = level_rasch.table();
        check_cells(&table);
        for column in
            ["estimate", "standard_error", "lower", "upper", "infit", "outfit", "log_likelihood", "aic", "bic"]
        {
            assert!(table.cells(column).iter().all(Option::is_none), "{column}");
        }
        assert!(table.cells("reason").iter().all(Option::is_some));
        for sentence in table.cells("sentence").into_iter().flatten().chain(level_rasch.sentences()) {
            assert!(
                sentence.contains("not estimable, n = ") && sentence.contains(" is not defined here: "),
                "{sentence}"
            );
        }
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let level_rasch = LevelRasch::new(&context(&data));
            let table = level_rasch.table();
            check_cells(&table);
            for (estimate, reason) in table.cells("estimate").iter().zip(table.cells("reason")) {
                assert!(estimate.is_some() || reason.is_some());
            }
            level_rasch.sentences();
        }
    }
}
