//! Moves of people and of models fitted to them, by the distance to the goal; times by what is in the tree of a position.

use super::input::FigureInput;
use super::kind::Kind;
use super::sketch::{Sketch, Sketched, heading, percent};
use plymap_analysis::columns::{COVARIATE, DISTANCE, LOWER, MEAN, MEAN_OF_COVARIATE, SOURCE, TIME, UPPER};
use plymap_figures::curve::{Curve, Curves, Point};
use plymap_figures::thought_tree::{LegalMove, Obstacle, ThoughtTree, WishedMove};
use plymap_figures::{Label, Message};
use plymap_puzzles::game::StateCode;
use plymap_puzzles::thought::Tree;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_statistics::record::{MEASURE, N_PARTICIPANTS};
use plymap_statistics::stats::apa::counted;

/// The sources that are drawn, people first: chance, and of each way to come to a move the model without habits.
const SOURCES: [&str; 7] = ["people", "and-or", "forward-search", "eureka", "lapse-optimal", "hill-climbing", "chance"];

/// Measures that are drawn, each with the words of its name, its title and the title of its axis.
const MEASURES: [(&str, Message, Message); 5] = [
    ("in-tree", Message::MovesThatReasoningBackwardsFromGoalComesTo, Message::ShareOfMovesInTree),
    ("depth", Message::DepthOfMovesInTreeOfReasoningBackwardsFromGoal, Message::DepthInTree),
    ("optimal", Message::OptimalMovesOfPeopleAndOfModels, Message::ShareOfOptimalMoves),
    ("same-piece", Message::MovesOfSamePieceAgainOfPeopleAndOfModels, Message::ShareOfMovesOfSamePiece),
    ("undo", Message::MovesBackOfPeopleAndOfModels, Message::ShareOfMovesBack),
];

/// Least number of participants for a mean of times to be drawn.
const LEAST_PEOPLE: u64 = 3;

/// A figure for each measure.
pub(super) fn by_distance(input: &FigureInput) -> Sketched {
    let Some(table) = input.table("thought_by_distance") else { return Ok(Vec::new()) };
    let [sources, measures] = [table.texts(SOURCE)?, table.texts(MEASURE)?];
    let (x, y, n) = (table.numbers(DISTANCE)?, table.numbers(MEAN)?, table.counts(N_PARTICIPANTS)?);
    let (lower, upper) = (table.numbers(LOWER)?, table.numbers(UPPER)?);
    let mut all = Vec::new();
    for (measure, title, y_title) in MEASURES {
        let rows = |source: &str| {
            (0..table.n_rows()).filter(|&row| sources[row] == source && measures[row] == measure).collect::<Vec<_>>()
        };
        let point = |row: usize, has_band: bool| {
            let (x, y) = (x[row]?, y[row]?);
            Some(Point { x, y, band: lower[row].zip(upper[row]).filter(|_| has_band) })
        };
        let curve = |source: &str| {
            let mut points: Vec<Point> =
                rows(source).into_iter().filter_map(|row| point(row, source == SOURCES[0])).collect();
            // Few participants can have moves in a bin, and those nearer the goal than others' in the bin before.
            points.sort_by(|left, right| left.x.total_cmp(&right.x));
            Curve { label: source.to_owned(), points, ..Curve::default() }
        };
        let curves: Vec<Curve> =
            SOURCES.iter().map(|source| curve(source)).filter(|curve| !curve.points.is_empty()).collect();
        let most = rows(SOURCES[0]).into_iter().filter_map(|row| n[row]).max().unwrap_or(0);
        // Shares of what is rare would lie at the foot of an axis up to 1.
        let is_up_to_one = matches!(measure, "in-tree" | "optimal");
        let chart = Curves {
            heading: heading(
                &format!("thought-by-distance-{measure}"),
                title,
                format!("n = {}", counted(most, "participant")),
                Message::NoPositionHasTree,
            ),
            x_title: Message::DistanceToGoalTenthsOfEachParticipant.into(),
            y_title: y_title.into(),
            y_range: is_up_to_one.then_some((0.0, 1.0)),
            band: Message::IntervalOfMean.with([percent(input.confidence)]),
            pages: vec![curves],
            ..Curves::default()
        };
        let sentence = "Means over participants of their moves, in tenths by the distance to the goal, and what the models expect that were fitted to each participant, in the same positions; a model may fit better than another and still not look like people here";
        all.push(Sketch::new(Kind::ThoughtByDistance, chart, sentence));
    }
    Ok(all)
}

/// Draws the times of moves by their depth in the tree, and by its size.
pub(super) fn times(input: &FigureInput) -> Sketched {
    let Some(table) = input.table("thought_times") else { return Ok(Vec::new()) };
    let covariates = table.texts(COVARIATE)?;
    let (x, n) = (table.numbers(MEAN_OF_COVARIATE)?, table.counts(N_PARTICIPANTS)?);
    let [y, lower, upper] = [table.numbers(TIME)?, table.numbers(LOWER)?, table.numbers(UPPER)?];
    let mut all = Vec::new();
    for (covariate, title, x_title, x_log) in [
        ("depth", Message::TimeOfMoveByDepthInTreeOfReasoningBackwards, Message::DepthInTree, false),
        ("nodes", Message::TimeOfMoveBySizeOfTreeOfReasoningBackwards, Message::NodesOfTree, true),
    ] {
        let rows = || (0..table.n_rows()).filter(|&row| covariates[row] == covariate);
        let point = |row: usize| Some(Point { x: x[row]?, y: y[row]?, band: lower[row].zip(upper[row]) });
        let mut points: Vec<Point> = rows().filter(|&row| n[row] >= Some(LEAST_PEOPLE)).filter_map(point).collect();
        // Bins are each participant's own: where one has no moves in a bin, its mean can lie below that of the bin before.
        points.sort_by(|left, right| left.x.total_cmp(&right.x));
        let n_points = points.len();
        let chart = Curves {
            heading: heading(
                &format!("thought-times-{covariate}"),
                title,
                format!("n = {}", counted(rows().filter_map(|row| n[row]).max().unwrap_or(0), "participant")),
                Message::NoPositionHasTreeOrNoTimesAreKnown,
            ),
            x_title: x_title.into(),
            y_title: Message::MedianTimeS.into(),
            x_log,
            band: Message::IntervalOfMean.with([percent(input.confidence)]),
            pages: vec![vec![Curve { label: "people".to_owned(), points, ..Curve::default() }]],
            ..Curves::default()
        };
        let chart = if n_points == 0 { Curves { pages: Vec::new(), ..chart } } else { chart };
        let sentence = "Geometric means over participants of their median times; first moves of attempts are left out, and so are depths that fewer than three participants have moves at";
        all.push(Sketch::new(Kind::ThoughtTimes, chart, sentence));
    }
    Ok(all)
}

/// The tree of a position, and its board with the moves that thought comes to, each with its probability.
pub fn thought_tree(level: &ValuedLevel, state: StateCode, tree: &Tree, probabilities: &[f64]) -> Sketch {
    let rules = &*level.rules;
    let legal = rules.legal_moves(state);
    let leaves = tree.leaves();
    let mut shown: Vec<usize> = leaves.iter().map(|(place, _)| *place).collect();
    shown.sort_by(|&left, &right| probabilities[right].total_cmp(&probabilities[left]));
    let moves = shown.iter().map(|&place| LegalMove {
        label: legal[place].notation.clone(),
        after: rules.picture(legal[place].after),
        probability: Some(probabilities[place].clamp(0.0, 1.0)),
    });
    let wishes = tree.and_nodes().iter().map(|node| WishedMove {
        label: rules.format_wished_move(state, node.wished),
        depth: node.depth,
        obstacles: node.or_nodes.clone(),
        legal: node.legal.and_then(|legal| shown.iter().position(|&place| place == legal)),
    });
    let obstacles = tree.or_nodes().iter().map(|node| Obstacle { depth: node.depth, ways: node.and_nodes.clone() });
    let chart = ThoughtTree {
        heading: heading(
            "thought-tree",
            Label::untranslated(format!("Reasoning backwards from the goal of level {}", level.id)),
            format!(
                "{}, {}; {} of {} in the tree",
                counted(tree.and_nodes().len() as u64, "wished move"),
                counted(tree.or_nodes().len() as u64, "obstacle"),
                leaves.len(),
                counted(legal.len() as u64, "legal move")
            ),
            Label::untranslated("what nothing takes away is in the way"),
        ),
        board: rules.picture(state),
        moves: moves.collect(),
        wishes: wishes.collect(),
        obstacles: obstacles.collect(),
        roots: tree.roots().to_vec(),
    };
    Sketch::new(Kind::ThoughtTree, chart, "A position, and the moves that thinking backwards from the goal comes to")
}
