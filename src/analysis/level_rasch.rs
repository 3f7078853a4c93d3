//! The Rasch model of solving: ability of participants and difficulty of levels, on one scale.

use std::collections::BTreeMap;

use polars::prelude::PolarsResult;

use super::Context;
use super::dataset::{Dataset, TrialRow};
use crate::table::{Columns, Table};
use plymap_statistics::stats::rasch::{Ability, LevelDifficulty, Rasch, rasch};
use plymap_statistics::stats::{NotEstimable, apa, distribution};

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
    of: BTreeMap<(Scope, String), u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    Model,
    Level,
    Participant,
}

impl Left {
    fn add(&mut self, data: &Dataset, trial: &TrialRow) {
        self.n += 1;
        let names = [
            (Scope::Level, data.levels.get(trial.level)),
            (Scope::Participant, data.participants.get(trial.participant)),
        ];
        for (scope, name) in names {
            *self.of.entry((scope, name.cloned().unwrap_or_default())).or_default() += 1;
        }
    }

    fn at(&self, scope: Scope, name: &str) -> u64 {
        if scope == Scope::Model { self.n } else { self.of.get(&(scope, name.to_owned())).copied().unwrap_or(0) }
    }
}

/// A row of the table.
struct Row<'a> {
    scope: Scope,
    group: &'a str,
    n: usize,
    n_solved: usize,
    estimate: Option<f64>,
    standard_error: Option<f64>,
    lower: Option<f64>,
    upper: Option<f64>,
    infit: Option<f64>,
    outfit: Option<f64>,
    sentence: String,
    reason: Option<String>,
}

impl Row<'_> {
    fn without_estimates(&mut self) {
        for value in [
            &mut self.estimate,
            &mut self.standard_error,
            &mut self.lower,
            &mut self.upper,
            &mut self.infit,
            &mut self.outfit,
        ] {
            *value = None;
        }
    }
}

impl LevelRasch {
    /// Fits the model to the first trial of each participant at each level of which it is known how it ended.
    pub fn new(context: &Context) -> Self {
        let data = context.data;
        let (mut n_unknown, mut n_repeated) = (Left::default(), Left::default());
        let mut first: BTreeMap<(usize, usize), (&TrialRow, bool)> = BTreeMap::new();
        for trial in &data.trials {
            let Some(solved) = trial.is_solved else {
                n_unknown.add(data, trial);
                continue;
            };
            // Where the order is not known, that of the sessions decides.
            let place = |trial: &TrialRow| trial.order.unwrap_or(usize::MAX);
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
        let model = rasch(&participants, &levels, &solved, context.confidence);
        Self { model, n_unknown, n_repeated }
    }

    /// The difficulty of a level in logits, if the model holds one.
    pub fn difficulty(&self, level: &str) -> Option<f64> {
        let converged = self.model.converged;
        self.model.levels.iter().find(|own| own.level == level).filter(|_| converged)?.difficulty
    }

    /// The table `level_rasch`.
    ///
    /// # Errors
    ///
    /// Never in practice: the columns are of equal length.
    pub fn table(&self) -> PolarsResult<Table> {
        let model = &self.model;
        let reason = model.reason.as_ref().map(ToString::to_string);
        let mut rows = vec![self.of_model()];
        rows.extend(model.levels.iter().map(|level| self.of_level(level)));
        rows.extend(model.participants.iter().map(|participant| self.of_participant(participant)));
        for row in &mut rows {
            // Where the search stopped is no estimate: what the whole model lacks, each of its rows lacks too.
            if !model.converged {
                row.without_estimates();
            }
            if row.reason.is_none() && row.estimate.is_none() {
                row.reason = reason.clone();
            }
        }
        let rows = &rows[..];
        let of_model = |value: Option<f64>| {
            let value = value.filter(|_| model.converged);
            move |row: &Row| value.filter(|_| row.scope == Scope::Model)
        };
        Columns::new()
            .text(rows, "scope", "model: all responses; level: one level, over participants; participant: one participant, over levels", |row| {
                match row.scope {
                    Scope::Model => "model",
                    Scope::Level => "level",
                    Scope::Participant => "participant",
                }
                .to_owned()
            })
            .text(rows, "group", "the level or participant; empty for the model", |row| row.group.to_owned())
            .count(rows, "n", "number of responses: first trials of a participant at a level; for the model, of those at levels that some but not all solved", |row| row.n as u64)
            .count(rows, "n_solved", "number of them that were solved", |row| row.n_solved as u64)
            .count(rows, "n_unknown", "number of trials of which it is not known whether they were solved, left out", |row| self.n_unknown.at(row.scope, row.group))
            .count(rows, "n_repeated", "number of trials at a level that the participant had tried in an earlier session, left out", |row| self.n_repeated.at(row.scope, row.group))
            .number(rows, "estimate", "logits", "of a level its difficulty: the ability of someone who solves it half of the time (marginal maximum likelihood; Bock and Aitkin, 1981); of a participant the ability, estimated expected a posteriori (EAP) and thus shrunken towards the mean of all, which is 0 (Bock and Mislevy, 1982); of the model the standard deviation of the abilities", |row| row.estimate)
            .number(rows, "standard_error", "logits", "its standard error; of an ability the posterior standard deviation", |row| row.standard_error)
            .number(rows, "lower", "logits", "lower end of the interval: normal; only of levels and participants", |row| row.lower)
            .number(rows, "upper", "logits", "upper end of the interval", |row| row.upper)
            .number(rows, "confidence", "", "level of the interval", |_| Some(model.confidence.level()))
            .number(rows, "infit", "", "information-weighted mean square of the residuals: near 1 if the model holds, larger where responses are less predictable (Wright and Masters, 1982)", |row| row.infit)
            .number(rows, "outfit", "", "unweighted mean square of the residuals, sensitive to outlying responses", |row| row.outfit)
            .number(rows, "log_likelihood", "", "marginal log-likelihood, in the row of the model", of_model(model.log_likelihood))
            .number(rows, "aic", "", "Akaike information criterion (AIC), in the row of the model", of_model(model.aic))
            .number(rows, "bic", "", "Bayesian information criterion, in the row of the model", of_model(model.bic))
            .flag(rows, "converged", "whether the optimiser converged; empty where there was nothing to optimise", |row| {
                Some(model.converged).filter(|_| row.scope == Scope::Model && model.n_steps > 0)
            })
            .text(rows, "sentence", "APA-formatted result", |row| row.sentence.clone())
            .label(rows, "reason", "why the first of the missing values is missing", |row| row.reason.clone())
            .into_table("level_rasch", "Solved or not by the Rasch model: the difficulty of each level and the ability of each participant on one scale. Levels that were never tried say nothing; those given up count as not solved.")
    }

    /// The model, and the hardest and the easiest level, in words.
    pub fn sentences(&self) -> Vec<String> {
        let mut said = vec![format!("Solved or not, by the Rasch model: {}.", self.model.sentence())];
        let known = || {
            self.model
                .levels
                .iter()
                .filter(|_| self.model.converged)
                .filter_map(|level| Some((level, level.difficulty?)))
        };
        let hardest = known().max_by(|one, other| one.1.total_cmp(&other.1));
        let easiest = known().min_by(|one, other| one.1.total_cmp(&other.1));
        if let (Some((hardest, high)), Some((easiest, low))) = (hardest, easiest)
            && high > low
        {
            let confidence = self.model.confidence;
            said.push(format!(
                "The hardest of them is {}: {}; the easiest {}: {}.",
                hardest.level,
                hardest.sentence(confidence),
                easiest.level,
                easiest.sentence(confidence)
            ));
        }
        said
    }

    fn of_model(&self) -> Row<'_> {
        let model = &self.model;
        let telling = model.levels.iter().filter(|level| 0 < level.n_solved && level.n_solved < level.n);
        Row {
            scope: Scope::Model,
            group: "",
            n: model.n_responses,
            n_solved: telling.map(|level| level.n_solved).sum(),
            estimate: model.ability_sd,
            standard_error: model.ability_sd_error,
            lower: None,
            upper: None,
            infit: None,
            outfit: None,
            sentence: model.sentence(),
            reason: (model.ability_sd == Some(0.0) && model.reason.is_none())
                .then(|| "participants differ no more than chance makes them: a standard deviation of 0 has no standard error".to_owned()),
        }
    }

    /// Why there is no such estimate: for a reason of its own, or because there is no model.
    fn without(&self, symbol: &str, n: usize, own: Option<&NotEstimable>) -> String {
        apa::not_estimable(symbol, n, own.or(self.model.reason.as_ref()))
    }

    fn of_level<'a>(&'a self, level: &'a LevelDifficulty) -> Row<'a> {
        Row {
            scope: Scope::Level,
            group: &level.level,
            n: level.n,
            n_solved: level.n_solved,
            estimate: level.difficulty,
            standard_error: level.standard_error,
            lower: level.lower,
            upper: level.upper,
            infit: level.infit,
            outfit: level.outfit,
            sentence: match self.model.converged {
                true => level.sentence(self.model.confidence),
                false => self.without("difficulty", level.n, level.reason.as_ref()),
            },
            reason: level.reason.as_ref().map(ToString::to_string),
        }
    }

    fn of_participant<'a>(&'a self, own: &'a Ability) -> Row<'a> {
        let half = own.sd.map(|sd| distribution::normal_upper_quantile(self.model.confidence.tail()) * sd);
        let ends = own.ability.zip(half).map(|(ability, half)| (ability - half, ability + half));
        let reason = own.reason.as_ref().map(ToString::to_string);
        let sentence = match (own.ability, ends) {
            (Some(ability), Some((lower, upper))) if self.model.converged => {
                let digits = |value: f64| apa::number(value, 2);
                let ends = apa::interval(self.model.confidence, Some(lower), Some(upper), digits);
                format!("ability = {}{ends}, {} of {} solved", digits(ability), own.n_solved, own.n)
            }
            _ => self.without("ability", own.n, own.reason.as_ref()),
        };
        Row {
            scope: Scope::Participant,
            group: &own.participant,
            n: own.n,
            n_solved: own.n_solved,
            estimate: own.ability,
            standard_error: own.sd,
            lower: ends.map(|ends| ends.0),
            upper: ends.map(|ends| ends.1),
            infit: own.infit,
            outfit: own.outfit,
            sentence,
            reason,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::fixture::{Cells, check_cells, context, dataset, hard_cases, trial};
    use plymap_statistics::stats::Confidence;

    /// Twelve participants at four levels: who solved what is a fixed pattern in which abler ones solve more.
    fn solves(who: usize, level: usize) -> bool {
        (who * 7 + level * 5) % 12 < who && level != 3
    }

    fn small() -> Dataset {
        let of = |p: usize, l: usize| TrialRow { is_solved: Some(solves(p, l)), ..trial(p, l, 9.0, 20.0) };
        dataset((0..12).flat_map(|p| (0..4).map(move |l| of(p, l))).collect())
    }

    fn cell(table: &Table, column: &str, row: usize) -> Option<String> {
        table.texts(column)[row].clone()
    }

    #[test]
    fn rows_are_the_model_then_levels_then_participants() {
        let data = small();
        let found = LevelRasch::new(&context(&data));
        let table = found.table().unwrap();
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
        assert_eq!(found.difficulty("l1"), expected.levels[1].difficulty);
        assert_eq!(found.difficulty("l3"), None);
        assert!(found.sentences()[0].starts_with("Solved or not, by the Rasch model: SD of ability = "));
        assert!(found.sentences()[0].contains("3 levels (1 more without a finite difficulty)"));
    }

    #[test]
    fn the_first_trial_at_a_level_counts_and_unknown_ends_are_left_out() {
        let mut data = small();
        // Participant 0 came back to level 1 and solved it; of participant 1 at level 2 the end is not known.
        data.trials.push(TrialRow { session: "2".into(), order: Some(9), ..trial(0, 1, 9.0, 20.0) });
        data.trials[6].is_solved = None;
        let again = LevelRasch::new(&context(&data));
        let table = again.table().unwrap();
        assert_eq!(table.texts("n_repeated")[..4], ["1", "0", "1", "0"].map(|n| Some(n.to_owned())));
        assert_eq!(table.texts("n_unknown")[..4], ["1", "0", "0", "1"].map(|n| Some(n.to_owned())));
        assert_eq!(cell(&table, "n", 3).unwrap(), "11");
        let solved = (0..12).filter(|&p| solves(p, 1)).count();
        assert_eq!(cell(&table, "n_solved", 2).unwrap(), solved.to_string());
        // Had the second trial been played first, it would count.
        data.trials[1].order = Some(20);
        let table = LevelRasch::new(&context(&data)).table().unwrap();
        assert_eq!(cell(&table, "n_solved", 2).unwrap(), (solved + usize::from(!solves(0, 1))).to_string());
    }

    #[test]
    fn where_all_or_nothing_is_solved_every_row_says_why() {
        let mut data = small();
        data.trials.iter_mut().for_each(|trial| trial.is_solved = Some(true));
        let found = LevelRasch::new(&context(&data));
        let table = found.table().unwrap();
        assert_eq!(
            cell(&table, "reason", 0).unwrap(),
            "a Rasch model needs at least 2 levels that some but not all solved, found 0"
        );
        assert_eq!(
            cell(&table, "reason", 1).unwrap(),
            "the difficulty is not defined here: all 12 participants solved the level"
        );
        assert_eq!(cell(&table, "reason", 16), cell(&table, "reason", 0));
        assert_eq!(found.sentences().len(), 1);
    }

    #[test]
    fn where_the_search_finds_no_maximum_nothing_is_estimated() {
        // Each participant solves all or nothing: the more they differ, the likelier that is, without end.
        let of = |p: usize, l: usize| TrialRow { is_solved: Some(p.is_multiple_of(2)), ..trial(p, l, 9.0, 20.0) };
        let data = dataset((0..4).flat_map(|p| (0..6).map(move |l| of(p, l))).collect());
        let found = LevelRasch::new(&context(&data));
        assert!(!found.model.converged && found.model.ability_sd.is_some(), "{:?}", found.model.reason);
        let table = found.table().unwrap();
        check_cells(&table);
        for column in
            ["estimate", "standard_error", "lower", "upper", "infit", "outfit", "log_likelihood", "aic", "bic"]
        {
            assert!(table.texts(column).iter().all(Option::is_none), "{column}");
        }
        assert!(table.texts("reason").iter().all(Option::is_some));
        for sentence in table.texts("sentence").into_iter().flatten().chain(found.sentences()) {
            assert!(
                sentence.contains("not estimable, n = ") && sentence.contains(" is not defined here: "),
                "{sentence}"
            );
        }
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let found = LevelRasch::new(&context(&data));
            let table = found.table().unwrap();
            check_cells(&table);
            for (estimate, reason) in table.texts("estimate").iter().zip(table.texts("reason")) {
                assert!(estimate.is_some() || reason.is_some());
            }
            found.sentences();
        }
    }
}
