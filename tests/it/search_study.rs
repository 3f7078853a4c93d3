//! Studies of searches: what they count is what the map says, and the findings of the source of Match-the-Tiles.

use std::path::Path;

use plymap::search_study::{NamedHeuristic, PERFECT, Search, heuristic_quality, searches};
use plymap_puzzles::progress::Silent;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_run::study::{Searches, Study};
use plymap_run::study_levels;
use plymap_statistics::stats::Confidence;

fn levels(game: &str) -> Vec<ValuedLevel> {
    let study = Study::read(&Path::new("data").join(game)).expect("a study of the repository");
    study_levels(&study, &Silent).expect("its levels").0
}

fn plan(algorithms: &[&str], heuristics: &[&str]) -> Searches {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Searches { algorithms: owned(algorithms), heuristics: owned(heuristics), repeats: 1, ..Searches::default() }
}

fn guided_by<'a>(searches: &'a [Search], heuristic: &'a str) -> impl Iterator<Item = &'a Search> {
    searches.iter().filter(move |search| search.heuristic.as_deref() == Some(heuristic))
}

/// Levels that a search algorithm solved with the fewest moves.
fn n_optimal<'a>(searches: impl Iterator<Item = &'a Search>) -> usize {
    searches.filter(|search| search.excess() == Some(0)).count()
}

#[test]
fn breadth_first_is_always_optimal_and_depth_first_is_not() {
    let levels = levels("match_the_tiles");
    for (algorithm, is_always) in [("breadth-first", true), ("uniform-cost", true), ("depth-first", false)] {
        let searches = searches(&plan(&[algorithm], &[]), &levels, &Silent).expect("searches");
        assert_eq!(searches.len(), levels.len());
        assert!(searches.iter().all(|search| search.outcome() == "solved"), "{algorithm}");
        assert_eq!(n_optimal(searches.iter()) == levels.len(), is_always, "{algorithm}");
    }
}

/// Bounds are optimal by a theorem. Distances with the least of both layers are no bounds; the source found them
/// optimal on all of its levels, and on these they are not.
#[test]
fn bounds_are_optimal_everywhere_and_distances_are_not() {
    let levels = levels("match_the_tiles");
    let names = ["swipes", "collinear", "euclidean-min-min", "manhattan-min-min"];
    let searches = searches(&plan(&["a-star"], &names), &levels, &Silent).expect("searches");
    for name in names {
        let is_bound = !name.contains("min-min");
        assert_eq!(n_optimal(guided_by(&searches, name)) == levels.len(), is_bound, "{name}");
        let optimum = |search: &&Search| search.excess().is_some_and(|excess| excess >= 0);
        assert!(
            guided_by(&searches, name).all(|search| optimum(&search)),
            "{name}: no solution is better than the best one"
        );
    }
}

#[test]
fn the_perfect_heuristic_is_perfect_and_a_sum_of_bounds_is_not_admissible() {
    for game in ["match_the_tiles", "tower_of_hanoi"] {
        for level in levels(game) {
            let quality = |name: &str| {
                let heuristic = NamedHeuristic::find(&level, name).expect("a heuristic");
                heuristic_quality(&level, &heuristic, Confidence::default()).expect("a mapped level")
            };
            let perfect = quality(PERFECT);
            assert!(perfect.is_admissible() && perfect.is_consistent());
            assert_eq!(perfect.mean_ratio, Some(1.0));
            assert_eq!(perfect.n_dead_ends, perfect.n_dead_ends_recognised);
            if let Some(known) = level.rules.heuristics().iter().find(|known| known.is_admissible) {
                let twice = quality(&format!("{0}+{0}+{0}+{0}", known.name));
                assert!(quality(&known.name).is_admissible() && !twice.is_admissible(), "{}", known.name);
                assert!(twice.largest_overestimate > 0.0 && twice.example.is_some());
            }
        }
    }
}

#[test]
fn unknown_names_are_refused_with_those_that_there_are() {
    let levels = levels("match_the_tiles");
    let refused = |plan: &Searches| searches(plan, &levels, &Silent).expect_err("an unknown name").to_string();
    let error = refused(&plan(&["dijkstra"], &[]));
    assert!(error.contains("algorithms names \"dijkstra\"") && error.contains("uniform-cost"), "{error}");
    let error = refused(&plan(&["a-star"], &["swipes+nearest"]));
    assert!(error.contains("heuristics names \"nearest\"") && error.contains("collinear-sum"), "{error}");
    let error = refused(&Searches { levels: vec!["nowhere".to_owned()], ..Searches::default() });
    assert!(error.contains("levels names \"nowhere\""), "{error}");
}

/// The report compares the findings of the source with the levels of this study; time is left out here.
#[test]
fn the_findings_of_the_source_are_checked_as_claims() {
    let file = Path::new("data/match_the_tiles/study.toml");
    let mut study = Study::read(file).expect("the study");
    study.search.repeats = 1;
    study.figures.formats.clear();
    let out = tempfile::tempdir().expect("a folder");
    let target = out.path().join("searches");
    plymap::search_study::run(&study, file, &target, &Silent).expect("a study of searches");
    let mut reader = csv::Reader::from_path(target.join("tables/claims.csv")).expect("the table of claims");
    let header = reader.headers().expect("a header").clone();
    let column = |name: &str| header.iter().position(|other| other == name).expect("a column");
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    let verdicts: Vec<&str> = rows.iter().map(|row| &row[column("verdict")]).collect();
    let untimed = ["confirmed", "confirmed", "differs", "differs", "differs", "confirmed", "differs", "confirmed"];
    assert_eq!(verdicts[..8], untimed);
    assert!(["confirmed", "differs"].contains(&verdicts[8]), "{}", verdicts[8]);
    // A* expands 459 positions and depth-first search 310, as the table of algorithms says.
    let depth_first = &rows[2];
    assert_eq!([&depth_first[column("found")], &depth_first[column("at_most")]], ["459.0", "310.0"]);
    let report = std::fs::read_to_string(target.join("report.md")).expect("a report");
    assert!(report.contains("Of 9 claims, "), "the report begins with the claims");
}
