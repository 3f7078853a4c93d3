//! Difficulty of levels for people, together with the measures of their maps.

use polars::prelude::PolarsResult;

use super::Context;
use super::level_play::{Human, LevelPlay, level_plays, map_columns, map_meaning};
use super::level_rasch::LevelRasch;
use super::measures::solved_word;
use crate::table::{Columns, Table};
use plymap_statistics::stats::adjust::holm;
use plymap_statistics::stats::correlation::{Correlation, Method, correlate};
use plymap_statistics::stats::{Confidence, apa};

/// The tables `difficulty`, `level_correlations` and, where values are distances, `level_rasch`.
///
/// # Errors
///
/// Never in practice: the columns are of equal length.
pub fn tables(context: &Context) -> PolarsResult<Vec<Table>> {
    Difficulty::new(context).tables()
}

/// The hardest and the easiest level, and the rank correlation of moves and of time with the start distance.
pub fn sentences(context: &Context) -> Vec<String> {
    Difficulty::new(context).sentences()
}

/// Human and map measures of all levels, and their correlations. The time is that of sorting the levels for each pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Difficulty {
    levels: Vec<LevelPlay>,
    /// Names of the map measures, and the names of their columns in the table `difficulty`.
    maps: Vec<(&'static str, String)>,
    correlations: Vec<Row>,
    /// Solved or not; absent where values are points.
    rasch: Option<LevelRasch>,
    confidence: Confidence,
    is_distance: bool,
    unit: &'static str,
    word: &'static str,
}

/// The correlation of a human and a map measure over levels.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    human: Human,
    map: Option<&'static str>,
    result: Correlation,
    n_missing: usize,
    p_adjusted: Option<f64>,
    reason: Option<String>,
}

impl Difficulty {
    /// Measures the levels and correlates their measures.
    pub fn new(context: &Context) -> Self {
        let data = context.data;
        let maps = map_columns(data);
        let rasch = data.unit.is_distance().then(|| LevelRasch::new(context));
        let mut levels = level_plays(data, &maps, context.confidence);
        for level in &mut levels {
            level.rasch = rasch.as_ref().and_then(|model| model.difficulty(&level.name));
        }
        let correlations = correlations(&levels, &maps, data.unit.is_distance(), context.confidence);
        Self {
            levels,
            maps,
            correlations,
            rasch,
            confidence: context.confidence,
            is_distance: data.unit.is_distance(),
            unit: data.unit.name(),
            word: solved_word(data.unit),
        }
    }

    /// The tables `difficulty`, `level_correlations` and, where values are distances, `level_rasch`.
    ///
    /// # Errors
    ///
    /// Never in practice: the columns are of equal length.
    pub fn tables(&self) -> PolarsResult<Vec<Table>> {
        let mut tables = vec![self.difficulty()?, self.level_correlations()?];
        tables.extend(self.rasch.as_ref().map(LevelRasch::table).transpose()?);
        Ok(tables)
    }

    /// The levels at which the fewest and the most trials were solved, two rank correlations, and the Rasch model.
    pub fn sentences(&self) -> Vec<String> {
        let known: Vec<(&LevelPlay, f64)> =
            self.levels.iter().filter_map(|level| Some((level, level.solved.estimate?))).collect();
        let shares = || known.iter().map(|&(_, share)| share);
        let (low, high) = (shares().fold(f64::INFINITY, f64::min), shares().fold(f64::NEG_INFINITY, f64::max));
        let (n, word) = (known.len(), self.word);
        // Levels with the same share are counted, so that no order among them is claimed.
        let at = |wanted: f64| {
            let mut levels = known.iter().filter(|&&(_, share)| share == wanted);
            let first = levels
                .next()
                .map_or(String::new(), |(level, _)| format!("{}: {}", level.name, level.solved.sentence()));
            match levels.count() {
                0 => first,
                more => format!("{first} (the same share at {more} more)"),
            }
        };
        let mut said = Vec::new();
        if n > 0 && low == high {
            said.push(format!("At all {n} levels the same share of trials was {word}: {}.", apa::bounded(low, 2)));
        } else if n > 0 {
            let (hardest, easiest) = (at(low), at(high));
            said.push(format!(
                "Of {n} levels, the share of {word} trials was lowest at {hardest}; highest at {easiest}."
            ));
        }
        let asked = [(Human::MedianMoves, "median number of moves"), (Human::MedianTime, "median time")];
        let find = |(human, words): (Human, &str)| {
            let is_asked = |row: &&Row| {
                row.human == human && row.map == Some("start_distance") && row.result.method == Method::Spearman
            };
            let row = self.correlations.iter().find(is_asked)?;
            let (n, result) = (row.result.n, apa::correlation(&row.result));
            Some(format!("Over {n} levels, {words} of {word} trials and start distance: {result}."))
        };
        said.extend(asked.into_iter().filter_map(find));
        said.extend(self.rasch.iter().flat_map(LevelRasch::sentences));
        said
    }

    fn difficulty(&self) -> PolarsResult<Table> {
        let rows = &self.levels;
        let mut columns = Columns::new()
            .text(rows, "level", "level that was played", |row| row.name.clone())
            .count(rows, "n_trials", "number of trials", |row| row.n_trials as u64)
            .count(rows, "n_participants", "number of participants", |row| row.n_participants as u64)
            .count(rows, "n_solved", "number of trials in which the level was solved", |row| row.solved.successes)
            .count(rows, "n_unknown", "number of trials of which it is not known whether they were solved; not in share_solved", |row| {
                row.n_unknown as u64
            })
            .number(rows, "share_solved", "", "n_solved / (n_trials − n_unknown)", |row| row.solved.estimate)
            .number(
                rows,
                "lower",
                "",
                "lower end of the interval of share_solved (Wilson, 1927); trials of one participant are not independent",
                |row| row.solved.lower,
            )
            .number(rows, "upper", "", "upper end of the interval of share_solved", |row| row.solved.upper)
            .number(rows, "confidence", "", "level of the interval", |_| Some(self.confidence.level()))
            .count(rows, "n_measured", "number of solved trials with a number of moves: those without rows left out", |row| {
                row.n_measured as u64
            })
            .number(rows, "median_moves", "", "median number of moves of solved trials", |row| row.median_moves)
            .count(rows, "n_timed", "number of solved trials with a time", |row| row.n_timed as u64)
            .number(rows, "median_time_s", "s", "median time of solved trials", |row| row.median_time_s);
        if self.is_distance {
            columns = columns
                .count(rows, "n_excess", "number of solved trials with excess moves", |row| row.n_excess as u64)
                .number(rows, "mean_excess_moves", self.unit, "mean of the excess moves of solved trials", |row| {
                    row.mean_excess
                });
        }
        columns = columns
            .count(rows, "n_moves", "number of legal moves of all trials, solved or not", |row| row.n_moves as u64)
            .number(
                rows,
                "share_optimal",
                "",
                "share of optimal moves among them; moves of one participant are not independent",
                |row| row.share_optimal,
            );
        if self.is_distance {
            let meaning = "difficulty by the Rasch model, as in the table level_rasch: unlike share_solved, it does not depend on who tried the level";
            columns = columns.number(rows, "rasch_difficulty", "logits", meaning, |row| row.rasch);
        }
        for (index, (measure, column)) in self.maps.iter().enumerate() {
            let meaning = format!("of the level's map: {}", map_meaning(measure));
            columns = columns.number(rows, column, "", &meaning, |row| row.map[index]);
        }
        columns
            .text(rows, "sentence", "APA-formatted share of solved trials", |row| row.solved.sentence())
            .label(rows, "reason", "why the first of the missing human measures is missing", |row| row.reason.clone())
            .into_table(
                "difficulty",
                "Each level that was played: how hard it was for people, together with the measures of its map. Which levels people gave up, and which they never tried, is their choice.",
            )
    }

    fn level_correlations(&self) -> PolarsResult<Table> {
        let rows = &self.correlations;
        let table = Columns::new()
            .text(rows, "x", "human measure, a column of the table difficulty", |row| row.human.column().to_owned())
            .label(rows, "y", "measure of the map, a column of the table difficulty", |row| {
                let name = row.map?;
                self.maps.iter().find(|(measure, _)| *measure == name).map(|(_, column)| column.clone())
            })
            .text(rows, "method", "coefficient: spearman or kendall (tau-b)", |row| row.result.method.key().to_owned())
            .count(rows, "n", "number of levels with both measures", |row| row.result.n as u64)
            .count(rows, "n_missing", "number of levels in which one of the two is missing", |row| row.n_missing as u64)
            .number(rows, "estimate", "", "the coefficient", |row| row.result.estimate)
            .number(
                rows,
                "lower",
                "",
                "lower end of the interval: Fisher z with the standard errors of Bonett and Wright (2000); empty where the coefficient is 1 or −1",
                |row| row.result.lower,
            )
            .number(rows, "upper", "", "upper end of the interval", |row| row.result.upper)
            .number(rows, "confidence", "", "level of the interval", |row| Some(row.result.confidence.level()))
            .number(rows, "statistic", "", "t; for Kendall z; empty where it is infinite because the correlation is perfect", |row| {
                row.result.statistic.filter(|value| value.is_finite())
            })
            .whole(rows, "df", "", "degrees of freedom, n − 2; empty for Kendall", |row| row.result.df.map(|df| df as i64))
            .number(rows, "p_value", "", "two-sided p of the hypothesis of no correlation", |row| row.result.p_value)
            .text(rows, "p_method", "how the p value was computed", |row| row.result.p_method.to_string())
            .number(
                rows,
                "p_adjusted",
                "",
                "p after Holm (1979), over all pairs of a human and a map measure of this coefficient",
                |row| row.p_adjusted,
            )
            .text(rows, "sentence", "APA-formatted result", |row| apa::correlation(&row.result))
            .label(rows, "reason", "why the result, or its interval, is missing", |row| row.reason.clone());
        table.into_table(
            "level_correlations",
            "Rank correlations over levels of how hard they were for people with the measures of their maps. Each level counts once, however many trials it has.",
        )
    }
}

fn correlations(
    levels: &[LevelPlay],
    maps: &[(&'static str, String)],
    is_distance: bool,
    confidence: Confidence,
) -> Vec<Row> {
    let mut rows = Vec::new();
    for method in [Method::Spearman, Method::Kendall] {
        let mut own = Vec::new();
        for human in Human::ALL.into_iter().filter(|human| human.is_for(is_distance)) {
            for (index, &(map, _)) in maps.iter().enumerate() {
                let both = levels.iter().filter_map(|level| Some((human.of(level)?, level.map[index]?)));
                let (x, y): (Vec<f64>, Vec<f64>) = both.unzip();
                let result = correlate(method, &x, &y, confidence);
                let reason = result.reason.as_ref().map(ToString::to_string);
                own.push(Row {
                    human,
                    map: Some(map),
                    n_missing: levels.len() - x.len(),
                    result,
                    p_adjusted: None,
                    reason,
                });
            }
            if maps.is_empty() {
                let reason = Some("no level has a measure of its map".to_owned());
                let result = correlate(method, &[], &[], confidence);
                own.push(Row { human, map: None, n_missing: levels.len(), result, p_adjusted: None, reason });
            }
        }
        let p_values: Vec<Option<f64>> = own.iter().map(|row| row.result.p_value).collect();
        for (row, p) in own.iter_mut().zip(holm(&p_values)) {
            row.p_adjusted = p;
        }
        rows.extend(own);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::dataset::{Dataset, TrialRow};
    use crate::analysis::fixture::{Cells, add_attempt, check_cells, context, dataset, hard_cases, step, trial};
    use crate::label::Quality;
    use plymap_statistics::stats::interval::proportion;

    /// Five participants at four levels, which get harder; one level has no map.
    fn small() -> Dataset {
        let moves = |p: usize, l: usize| 6.0 + (3 * l * l + p * (l + 1)) as f64;
        let of = |p: usize, l: usize| TrialRow {
            excess_moves: Some(moves(p, l) - 5.0 - l as f64),
            ..trial(p, l, moves(p, l), 2.0 * moves(p, l))
        };
        let mut data = dataset((0..5).flat_map(|p| (0..4).map(move |l| of(p, l))).collect());
        let n_states = [Some(100.0), Some(90.0), Some(500.0), None];
        for (row, n) in data.level_rows.iter_mut().zip(n_states) {
            row.measures.extend([("n_states", n), ("n_moves", Some(1.0))]);
        }
        data
    }

    fn cells(table: &Table, column: &str) -> Vec<String> {
        table.texts(column).into_iter().map(Option::unwrap_or_default).collect()
    }

    #[test]
    fn a_level_has_its_play_beside_its_map() {
        let mut data = small();
        // At l3, one trial is not solved, of one it is not known, one has no time.
        data.trials[3].is_solved = Some(false);
        data.trials[7].is_solved = None;
        data.trials[11].time_s = None;
        add_attempt(
            &mut data,
            0,
            3,
            [Quality::Better, Quality::Worse, Quality::Better].map(|q| step(q, None)).to_vec(),
        );
        let table = &tables(&context(&data)).unwrap()[0];
        let row = |column: &str| cells(table, column)[3].clone();
        assert_eq!([row("level"), row("n_trials"), row("n_participants")], ["l3", "5", "5"]);
        assert_eq!([row("n_solved"), row("n_unknown"), row("share_solved")], ["3", "1", "0.75"]);
        let expected = proportion(3, 4, Confidence::default());
        assert_eq!(row("lower"), expected.lower.unwrap().to_string());
        // Moves of the solved trials are 41, 45 and 49; the times of the last two are 90 and 98.
        assert_eq!([row("n_measured"), row("median_moves"), row("mean_excess_moves")], ["3", "45", "37"]);
        assert_eq!([row("n_timed"), row("median_time_s")], ["2", "94"]);
        assert_eq!((row("n_moves"), row("share_optimal")), ("3".to_owned(), (2.0 / 3.0).to_string()));
        assert_eq!([row("start_distance"), row("n_states"), row("map_n_moves")], ["8", "", "1"]);
        assert_eq!(cells(table, "reason")[..3], ["there are no moves"; 3]);
    }

    #[test]
    fn every_human_measure_is_correlated_with_every_map_measure() {
        let data = small();
        let table = &tables(&context(&data)).unwrap()[1];
        // Six human and three map measures, two coefficients.
        assert_eq!(cells(table, "x").len(), 36);
        let row = |number: usize, column: &str| cells(table, column)[number].clone();
        assert_eq!([row(3, "x"), row(3, "y"), row(3, "method")], ["median_moves", "start_distance", "spearman"]);
        assert_eq!([row(3, "n"), row(3, "estimate"), row(3, "p_value")], ["4", "1", &(2.0 / 24.0).to_string()]);
        // With the number of states: medians 8, 13 and 24 against 100, 90 and 500.
        let medians = [8.0, 13.0, 24.0];
        let expected = correlate(Method::Spearman, &medians, &[100.0, 90.0, 500.0], Confidence::default());
        assert_eq!([row(4, "n"), row(4, "n_missing"), row(4, "y")], ["3", "1", "n_states"]);
        assert_eq!(row(4, "estimate"), expected.estimate.unwrap().to_string());
        assert_eq!([row(21, "method"), row(5, "y")], ["kendall", "map_n_moves"]);
        let number = |cell: String| cell.parse::<f64>().ok();
        let of_spearman = |column: &str| (0..18).map(|index| number(row(index, column))).collect::<Vec<_>>();
        assert_eq!(of_spearman("p_adjusted"), holm(&of_spearman("p_value")));
        assert_eq!(of_spearman("p_value").iter().flatten().count(), 6);
    }

    #[test]
    fn the_sentences_name_the_hardest_level_and_the_start_distance() {
        let mut data = small();
        data.trials[3].is_solved = Some(false);
        let said = sentences(&context(&data));
        assert!(
            said[0].starts_with("Of 4 levels, the share of solved trials was lowest at l3: .80 (4 of 5), 95 % CI [")
        );
        assert!(
            said[0].contains("; highest at l0: 1.00 (5 of 5)") && said[0].ends_with(" (the same share at 2 more).")
        );
        assert_eq!(
            said[1],
            "Over 4 levels, median number of moves of solved trials and start distance: ρ(2) = 1.00, p = .083."
        );
        assert_eq!(said.len(), 4);
        assert!(said[3].starts_with("Solved or not, by the Rasch model: "), "{}", said[3]);
        let said = sentences(&context(&small())).remove(0);
        assert_eq!(said, "At all 4 levels the same share of trials was solved: 1.00.");
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let made = tables(&context(&data)).unwrap();
            made.iter().for_each(check_cells);
            assert_eq!(made[0].texts("level").len(), data.levels.len());
            assert!(!made[1].texts("x").is_empty());
            for (estimate, reason) in made[1].texts("estimate").iter().zip(made[1].texts("reason")) {
                assert!(estimate.is_some() || reason.is_some());
            }
            sentences(&context(&data));
        }
        let none = &tables(&context(&dataset(Vec::new()))).unwrap()[1];
        assert_eq!(cells(none, "reason")[0], "no level has a measure of its map");
    }
}
