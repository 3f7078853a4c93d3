//! Difficulty of levels for people, together with the measures of their maps.

use super::columns::{
    self, COEFFICIENT, CONFIDENCE, CORRELATION_DF, LEVEL, LOWER, MEDIAN_TIME, METHOD, NO_RESULT, P_OF_CORRELATION,
    SENTENCE, SHARE_SOLVED, T_OR_Z, UPPER, adjusted_sentence,
};
use super::context::Context;
use super::level_play::{MEDIAN_MOVES, START_DISTANCE, columns, human_columns, level_plays, map_columns};
use super::level_rasch::LevelRasch;
use super::measures::solved_word;
use plymap_statistics::record::{Column, N, N_MISSING, P_METHOD, Record, X, Y};
use plymap_statistics::stats::adjust::Adjustment;
use plymap_statistics::stats::correlation::{CorrelationKind, correlate};
use plymap_statistics::stats::{Confidence, apa};
use plymap_tables::Table;

const P_ADJUSTED: Column = columns::P_ADJUSTED
    .means("p after Holm (1979), over all measures of the map with this human measure, of this coefficient");

const CORRELATION_COLUMNS: &[Column] = &[
    X.means("human measure, a column of the table difficulty"),
    Y.means("measure of the map, a column of the table difficulty"),
    METHOD.means("coefficient: spearman or kendall (tau-b)").levels(&["spearman", "kendall"]),
    N.means("number of levels with both measures"),
    N_MISSING.means("number of levels in which one of the two is missing"),
    COEFFICIENT,
    LOWER.means(
        "lower end of the interval: Fisher z with the standard errors of Bonett and Wright (2000); empty where the coefficient is 1 or −1",
    ),
    UPPER,
    CONFIDENCE,
    T_OR_Z,
    CORRELATION_DF,
    P_OF_CORRELATION,
    P_METHOD,
    P_ADJUSTED,
    SENTENCE,
    NO_RESULT,
];

/// Human and map measures of all levels, and their correlations. The time is that of sorting the levels for each pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Difficulty {
    columns: Vec<Column>,
    levels: Vec<Record>,
    correlations: Vec<Record>,
    /// Solved or not; absent where values are points.
    rasch: Option<LevelRasch>,
    word: &'static str,
}

impl Difficulty {
    /// Measures the levels and correlates their measures.
    pub fn new(context: &Context) -> Self {
        let (data, confidence) = (context.data, context.confidence());
        let rasch = data.unit.is_distance().then(|| LevelRasch::new(context));
        let levels = level_plays(data, rasch.as_ref(), confidence);
        let correlations = correlations(&levels, &human_columns(data), &map_columns(data), confidence);
        Self { columns: columns(data), levels, correlations, rasch, word: solved_word(data.unit) }
    }

    /// The tables `difficulty`, `level_correlations` and, where values are distances, `level_rasch`.
    pub fn tables(&self) -> Vec<Table> {
        let difficulty = Table::of_records(
            "difficulty",
            "Each level that was played: how hard it was for people, together with the measures of its map. Which levels people gave up, and which they never tried, is their choice.",
            &self.columns,
            &self.levels,
        );
        let level_correlations = Table::of_records(
            "level_correlations",
            "Rank correlations over levels of how hard they were for people with the measures of their maps. Each level counts once, however many trials it has.",
            CORRELATION_COLUMNS,
            &self.correlations,
        );
        let rasch = self.rasch.as_ref().map(LevelRasch::table);
        [difficulty, level_correlations].into_iter().chain(rasch).collect()
    }

    /// The levels at which the fewest and the most trials were solved, two rank correlations, and the Rasch model.
    pub fn sentences(&self) -> Vec<String> {
        let mut said: Vec<String> = self.extremes().into_iter().collect();
        let measures = [(MEDIAN_MOVES, "median number of moves"), (MEDIAN_TIME, "median time")];
        let find = |(human, words): (Column, &str)| {
            let cells = [(X, human.name), (Y, START_DISTANCE.name), (METHOD, CorrelationKind::Spearman.key())];
            let is_match = |record: &&Record| cells.iter().all(|(column, value)| record.text(*column) == Some(*value));
            let record = self.correlations.iter().find(is_match)?;
            let (n, result) = (record.number(N)?, adjusted_sentence(record, P_ADJUSTED)?);
            let n = apa::counted(n as u64, "level");
            Some(format!("Over {n}, {words} of {} trials and start distance: {result}.", self.word))
        };
        said.extend(measures.into_iter().filter_map(find));
        said.extend(self.rasch.iter().flat_map(LevelRasch::sentences));
        said
    }

    /// The levels with the lowest and the highest share of solved trials.
    fn extremes(&self) -> Option<String> {
        let share = |level: &Record| level.number(SHARE_SOLVED);
        let shares: Vec<f64> = self.levels.iter().filter_map(share).collect();
        let low = shares.iter().copied().reduce(f64::min)?;
        let high = shares.iter().copied().reduce(f64::max)?;
        let (n, word) = (shares.len(), self.word);
        if low == high {
            let at = if n == 1 { "At the only level the".to_owned() } else { format!("At all {n} levels the same") };
            return Some(format!("{at} share of trials was {word}: {}.", apa::bounded(low, 2)));
        }
        // Levels with the same share are counted, so that no order among them is claimed.
        let at = |wanted: f64| {
            let mut levels = self.levels.iter().filter(|level| share(level) == Some(wanted));
            let text = |level: &Record, column: Column| level.text(column).unwrap_or_default().to_owned();
            let first = levels
                .next()
                .map_or(String::new(), |level| format!("{}: {}", text(level, LEVEL), text(level, SENTENCE)));
            match levels.count() {
                0 => first,
                more => format!("{first} (the same share at {more} more)"),
            }
        };
        let (hardest, easiest) = (at(low), at(high));
        Some(format!("Of {n} levels, the share of {word} trials was lowest at {hardest}; highest at {easiest}."))
    }
}

/// The rank correlations of each human measure with each measure of the map. What goes with a human measure is one question:
/// its correlations of one coefficient are adjusted together.
fn correlations(levels: &[Record], humans: &[Column], maps: &[Column], confidence: Confidence) -> Vec<Record> {
    let mut all = Vec::new();
    for method in [CorrelationKind::Spearman, CorrelationKind::Kendall] {
        let mut records: Vec<Record> = Vec::new();
        for human in humans {
            let named = |record: Record| record.family(human.name).set(X, human.name).set(METHOD, method.key());
            if maps.is_empty() {
                let nothing = correlate(method, &[], &[], confidence).record().set(N_MISSING, levels.len());
                records.push(named(nothing).set(NO_RESULT, "no level has a measure of its map"));
            }
            for map in maps {
                let both = levels.iter().filter_map(|level| level.number(*human).zip(level.number(*map)));
                let (x, y): (Vec<f64>, Vec<f64>) = both.unzip();
                let record = correlate(method, &x, &y, confidence).record();
                records.push(named(record).set(Y, map.name).set(N_MISSING, levels.len() - x.len()));
            }
        }
        Adjustment::Holm.apply_to(&mut records, P_ADJUSTED);
        all.extend(records);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{Dataset, Trial};
    use crate::testing::{Cells, add_attempt, check_cells, context, dataset, hard_cases, step, trial};
    use plymap_measures::label::Quality;
    use plymap_statistics::stats::adjust::holm;
    use plymap_statistics::stats::interval::proportion;

    /// Five participants at four levels, which get harder; one level has no map.
    fn small() -> Dataset {
        let moves = |p: usize, l: usize| 6.0 + (3 * l * l + p * (l + 1)) as f64;
        let trial_at = |p: usize, l: usize| Trial {
            excess_moves: Some(moves(p, l) - 5.0 - l as f64),
            ..trial(p, l, moves(p, l), 2.0 * moves(p, l))
        };
        let mut data = dataset((0..5).flat_map(|p| (0..4).map(move |l| trial_at(p, l))).collect());
        let n_states = [Some(100.0), Some(90.0), Some(500.0), None];
        for (row, n) in data.level_rows.iter_mut().zip(n_states) {
            row.measures.extend([("n_states", n), ("n_goals", Some(1.0))]);
        }
        data
    }

    fn cells(table: &Table, column: &str) -> Vec<String> {
        table.cells(column).into_iter().map(Option::unwrap_or_default).collect()
    }

    #[test]
    fn a_level_has_its_play_beside_its_map() {
        let mut data = small();
        // At l3, one trial is not solved, of one it is not known, one has no time.
        data.trials_mut()[3].is_solved = Some(false);
        data.trials_mut()[7].is_solved = None;
        data.trials_mut()[11].time_s = None;
        add_attempt(
            &mut data,
            0,
            3,
            [Quality::Better, Quality::Worse, Quality::Better].map(|q| step(q, None)).to_vec(),
        );
        let table = &Difficulty::new(&context(&data)).tables()[0];
        let row = |column: &str| cells(table, column)[3].clone();
        assert_eq!([row("level"), row("n_trials"), row("n_participants")], ["l3", "5", "5"]);
        assert_eq!([row("n_solved"), row("n_unknown"), row("share_solved")], ["3", "1", "0.75"]);
        let expected = proportion(3, 4, Confidence::default());
        assert_eq!(row("lower"), expected.lower.unwrap().to_string());
        // Moves of the solved trials are 41, 45 and 49; the times of the last two are 90 and 98.
        assert_eq!([row("n_measured"), row("median_moves"), row("mean_excess_moves")], ["3", "45", "37"]);
        assert_eq!([row("n_timed"), row("median_time_s")], ["2", "94"]);
        assert_eq!((row("n_moves"), row("share_optimal")), ("3".to_owned(), (2.0 / 3.0).to_string()));
        assert_eq!([row("start_distance"), row("n_states"), row("n_goals")], ["8", "", "1"]);
        assert_eq!(cells(table, "reason")[..3], ["there are no moves"; 3]);
    }

    #[test]
    fn every_human_measure_is_correlated_with_every_map_measure() {
        let data = small();
        let table = &Difficulty::new(&context(&data)).tables()[1];
        // Six human and three map measures, two coefficients.
        assert_eq!(cells(table, "x").len(), 36);
        let row = |number: usize, column: &str| cells(table, column)[number].clone();
        assert_eq!([row(3, "x"), row(3, "y"), row(3, "method")], ["median_moves", "start_distance", "spearman"]);
        assert_eq!([row(3, "n"), row(3, "estimate"), row(3, "p_value")], ["4", "1", &(2.0 / 24.0).to_string()]);
        // With the number of states: medians 8, 13 and 24 against 100, 90 and 500.
        let medians = [8.0, 13.0, 24.0];
        let expected = correlate(CorrelationKind::Spearman, &medians, &[100.0, 90.0, 500.0], Confidence::default());
        assert_eq!([row(4, "n"), row(4, "n_missing"), row(4, "y")], ["3", "1", "n_states"]);
        assert_eq!(row(4, "estimate"), expected.estimate().unwrap().to_string());
        assert_eq!([row(21, "method"), row(5, "y")], ["kendall", "n_goals"]);
        let number = |cell: String| cell.parse::<f64>().ok();
        let of_spearman = |column: &str| (0..18).map(|index| number(row(index, column))).collect::<Vec<_>>();
        // What goes with each human measure is a question of its own.
        let of_each: Vec<Option<f64>> = of_spearman("p_value").chunks(3).flat_map(holm).collect();
        assert_eq!(of_spearman("p_adjusted"), of_each);
        assert_eq!(of_spearman("p_value").iter().flatten().count(), 6);
    }

    #[test]
    fn the_sentences_name_the_hardest_level_and_the_start_distance() {
        let mut data = small();
        data.trials_mut()[3].is_solved = Some(false);
        let said = Difficulty::new(&context(&data)).sentences();
        assert!(
            said[0].starts_with("Of 4 levels, the share of solved trials was lowest at l3: .80 (4 of 5), 95 % CI [")
        );
        assert!(
            said[0].contains("; highest at l0: 1.00 (5 of 5)") && said[0].ends_with(" (the same share at 2 more).")
        );
        // The table keeps the sentence of the test alone, with p = 2 / 24; what is said has that of the family.
        let table = &Difficulty::new(&context(&data)).tables()[1];
        let adjusted: f64 = cells(table, "p_adjusted")[3].parse().unwrap();
        assert!(adjusted > 2.0 / 24.0 && cells(table, "sentence")[3] == "ρ(2) = 1.00, p = .083");
        let expected = format!("start distance: ρ(2) = 1.00, {} (adjusted over 2 tests).", apa::p_value(adjusted));
        assert_eq!(said[1], format!("Over 4 levels, median number of moves of solved trials and {expected}"));
        assert_eq!(said.len(), 4);
        assert!(said[3].starts_with("Solved or not, by the Rasch model: "), "{}", said[3]);
        let said = Difficulty::new(&context(&small())).sentences().remove(0);
        assert_eq!(said, "At all 4 levels the same share of trials was solved: 1.00.");
    }

    #[test]
    fn hard_cases_have_rows_and_reasons() {
        for data in hard_cases() {
            let tables = Difficulty::new(&context(&data)).tables();
            tables.iter().for_each(check_cells);
            assert_eq!(tables[0].cells("level").len(), data.levels.len());
            assert!(!tables[1].cells("x").is_empty());
            for (estimate, reason) in tables[1].cells("estimate").iter().zip(tables[1].cells("reason")) {
                assert!(estimate.is_some() || reason.is_some());
            }
            Difficulty::new(&context(&data)).sentences();
        }
        let none = &Difficulty::new(&context(&dataset(Vec::new()))).tables()[1];
        assert_eq!(cells(none, "reason")[0], "no level has a measure of its map");
    }
}
