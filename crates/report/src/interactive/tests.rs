//! Maps of the levels of several games, unpacked again and compared with the games.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use plymap_figures::layout;
use plymap_measures::level_tables::moves_on_map;
use plymap_play::page_picture::{BoardShape, Shapes};
use plymap_puzzles::game::Distance;
use plymap_puzzles::level::LevelColumns;
use plymap_puzzles::progress::Silent;
use plymap_puzzles::registry::{GAMES, RuleOptions};
use plymap_puzzles::valuation::load_levels;
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use super::*;

/// Games with a file of levels and the place of one of them.
const LEVELS: [(&str, &str, usize); 6] = [
    ("rush-hour", "demo/levels/article-1.txt", 0),
    ("lights-out", "lights_out/levels.txt", 0),
    ("tower-of-hanoi", "tower_of_hanoi/levels.txt", 4),
    ("tower-of-london", "tower_of_london/levels.txt", 4),
    ("match-the-tiles", "match_the_tiles/levels.txt", 3),
    ("sliding-tiles", "sliding_tiles/levels.txt", 1),
];

fn valued((game, file, place): (&str, &str, usize)) -> ValuedLevel {
    let game = GAMES.iter().find(|known| known.name == game).expect("a game");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let options = RuleOptions { table: toml::Table::new(), folder: PathBuf::new() };
    let levels = load_levels(&[data.join(file)], &LevelColumns::default(), game, &options).expect("no faults");
    let level = levels.into_iter().nth(place).expect("so many levels");
    ValuedLevel::new(level, game.name, &Default::default()).expect("a level within the limits")
}

/// A part as it is read from its description, without the code that wrote it.
struct Unpacked {
    head: Value,
    arrays: Vec<(String, Vec<u32>)>,
}

impl Unpacked {
    fn new(packed: &str) -> Self {
        let mut bytes = Vec::new();
        let zipped = BASE64_STANDARD.decode(packed).expect("base64");
        flate2::read::GzDecoder::new(&zipped[..]).read_to_end(&mut bytes).expect("a whole gzip file");
        let length = u32::from_le_bytes(bytes[..4].try_into().expect("four bytes")) as usize;
        let head: Value = serde_json::from_slice(&bytes[4..4 + length]).expect("JSON");
        let (mut from, mut arrays) = (4 + length, Vec::new());
        for listed in head["arrays"].as_array().expect("a list") {
            let (width, n) = (listed[1].as_u64().expect("a width") as usize, listed[2].as_u64().expect("a length"));
            let mut numbers = vec![0_u32; n as usize];
            for (at, number) in numbers.iter_mut().enumerate().filter(|_| width > 0) {
                let byte = |place: usize| u32::from(bytes[from + place * n as usize + at]) << (8 * place);
                *number = (0..width).map(byte).sum();
            }
            from += width * n as usize;
            for number in numbers.iter_mut().filter(|_| width == 0) {
                let length = 1 + bytes[from..].iter().take_while(|byte| **byte >= 128).count();
                let digits = bytes[from..from + length].iter().rev();
                *number = digits.fold(0, |sum, byte| sum * 128 + u32::from(byte % 128));
                from += length;
            }
            arrays.push((listed[0].as_str().expect("a name").to_owned(), numbers));
        }
        assert_eq!(from, bytes.len(), "bytes behind the last array");
        Self { head, arrays }
    }

    fn all(&self, name: &str) -> Vec<&[u32]> {
        self.arrays.iter().filter(|(known, _)| known == name).map(|(_, numbers)| &numbers[..]).collect()
    }

    fn one(&self, name: &str) -> &[u32] {
        let [numbers] = self.all(name)[..] else { panic!("{name} is not there once") };
        numbers
    }
}

/// For each state its moves as notation, cost and target, sorted.
fn unpacked_moves(moves: &Unpacked, n: usize) -> Vec<Vec<(String, u64, u32)>> {
    let (from, leads) = (moves.one("from"), moves.one("leads"));
    let mut of_state = vec![Vec::new(); n];
    let mut at = 0;
    for kind in moves.head["kinds"].as_array().expect("a list") {
        let (mut state, mut lead) = (0, 0_i64);
        for _ in 0..kind[2].as_u64().expect("a number") {
            state += from[at];
            let folded = i64::from(leads[at]);
            lead += if folded % 2 == 0 { folded / 2 } else { -(folded + 1) / 2 };
            let target = u32::try_from(i64::from(state) + lead).expect("a state");
            let notation = kind[0].as_str().expect("a text").to_owned();
            of_state[state as usize].push((notation, kind[1].as_u64().expect("a cost"), target));
            at += 1;
        }
    }
    of_state.iter_mut().for_each(|moves| moves.sort());
    of_state
}

/// The rectangle of a shape, in thousandths because reading JSON may change a last digit, and its label.
fn described(BoardShape(row, column, rows, columns, _, label): &BoardShape) -> ([i64; 4], &str) {
    ([row, column, rows, columns].map(|side| (side * 1_000.0).round() as i64), label)
}

/// Checks all that a map tells of the states `states` of a level, which are those shown, by place.
fn check(level: &ValuedLevel, map: &LevelMap, states: &[u32]) {
    let whole = level.whole.as_deref().expect("a mapped level");
    let [picture, moves, boards] = [0, 1, 2].map(|part| Unpacked::new(&map.parts[part]));
    let n = states.len();
    assert_eq!(picture.head["n_shown"], n);
    let placed = |state: u32| states.iter().position(|&other| other == state).map(|place| place as u32);
    let distances: Vec<u32> =
        states.iter().map(|&state| whole.distances.get(state).map_or(0, |Distance(far)| far + 1)).collect();
    assert_eq!(picture.one("distance"), distances);
    let of_state = unpacked_moves(&moves, n);
    let shapes: Vec<BoardShape> = serde_json::from_value(boards.head["shapes"].clone()).expect("shapes");
    let slots: Vec<Vec<usize>> = serde_json::from_value(boards.head["slots"].clone()).expect("numbers of shapes");
    let (numbers, letters) = (boards.all("slot"), boards.one("notation"));
    for (place, &state) in states.iter().enumerate() {
        let code = whole.map.code(state);
        assert_eq!(picture.one("goal")[place] == 1, whole.map.is_goal(state));
        let far = |after: u32| n as u32 + whole.distances.get(after).map_or(0, |Distance(far)| far + 1);
        let target = |after: u32| placed(after).unwrap_or_else(|| far(after));
        let legal = moves_on_map(level, &whole.map, state);
        let mut expected: Vec<_> =
            legal.map(|(legal, after)| (legal.notation, u64::from(legal.cost), target(after))).collect();
        expected.sort();
        assert_eq!(of_state[place], expected, "{}", level.rules.format_state(code));
        let mut known = Shapes::default();
        let drawn: Vec<u32> = known.of(&level.rules.picture(code)).collect();
        let (known, _) = known.into_lists();
        let of_slot = |(slot, numbers): (&Vec<usize>, &&[u32])| {
            let number = numbers[place].checked_sub(1)? as usize;
            Some(described(&shapes[slot[number]]))
        };
        let board: Vec<_> = slots.iter().zip(&numbers).filter_map(of_slot).collect();
        let expected: Vec<_> = drawn.iter().map(|&number| described(&known[number as usize])).collect();
        assert_eq!(board, expected);
        let text: Vec<u8> =
            letters.iter().skip(place).step_by(n).map(|&letter| letter as u8).filter(|&letter| letter > 0).collect();
        assert_eq!(String::from_utf8(text).expect("a text"), level.rules.format_state(code));
    }
}

/// The states of a level in the order of their codes.
fn by_code(level: &ValuedLevel, mut states: Vec<u32>) -> Vec<u32> {
    let map = &level.whole.as_deref().expect("a mapped level").map;
    states.sort_by_key(|&state| map.code(state));
    states
}

#[test]
fn a_map_tells_what_the_game_does() {
    for named in LEVELS {
        let level = valued(named);
        let n = n_states(&level) as u32;
        let map = LevelMap::new(&level, &LevelPlay::default(), &Silent).expect("a mapped level");
        check(&level, &map, &by_code(&level, (0..n).collect()));
        assert_eq!(
            map,
            LevelMap::new(&level, &LevelPlay::default(), &Silent).expect("a mapped level"),
            "the same twice"
        );
    }
}

#[test]
fn of_a_large_level_what_people_and_solutions_touch_is_shown() {
    let level = valued(LEVELS[0]);
    let whole = level.whole.as_deref().expect("a mapped level");
    assert_eq!(shown_states(whole, &LevelPlay::default(), 1_247, 300).len(), 1_247);
    let far = (0..1_247).max_by_key(|&state| (whole.distances.get(state), state)).expect("a state");
    let play = LevelPlay { visits: BTreeMap::from([(far, vec![1])]), ..LevelPlay::default() };
    let shown = shown_states(whole, &play, 1_246, 300);
    assert_eq!((shown.len(), shown[0], shown[1]), (300, 0, far));
    let on_solutions = on_shortest_paths(whole);
    assert!(on_solutions.len() < 300 && on_solutions.iter().all(|state| shown.contains(state)));
    assert!(whole.map.graph.successors(far).iter().all(|state| shown.contains(state)), "neighbours are there");
    check(&level, &LevelMap::of_states(&level, whole, shown.clone(), &play, &Silent), &by_code(&level, shown));
}

#[test]
fn play_has_the_numbers_of_the_map() {
    let level = valued(LEVELS[0]);
    let states = by_code(&level, (0..1_247).collect());
    let next = level.whole.as_deref().expect("a mapped level").map.graph.successors(0)[0];
    let attempt = AttemptTrajectory {
        participant: "p<1>".to_owned(),
        states: vec![Some(0), Some(next), None],
        times: vec![Some(1.5), None],
        actions: vec![0, 0],
        qualities: vec![Some(0), None],
        ..AttemptTrajectory::default()
    };
    let play = LevelPlay {
        conditions: vec!["a".to_owned()],
        visits: BTreeMap::from([(0, vec![1, 2]), (next, vec![0, 5])]),
        moves: BTreeMap::from([((0, next), 3)]),
        played: vec!["A+1".to_owned()],
        n_attempts: 1,
        attempts: vec![attempt],
    };
    let map = LevelMap::new(&level, &play, &Silent).expect("a mapped level").with_figure(Some("figure-x".to_owned()));
    let picture = Unpacked::new(&map.parts[0]);
    let place = |state: u32| states.iter().position(|&other| other == state).expect("a state") as u32;
    let (start, after) = (place(0), place(next));
    let mut visited = [(start, [1, 2]), (after, [0, 5])];
    visited.sort();
    assert_eq!(picture.one("visited"), [visited[0].0, visited[1].0 - visited[0].0]);
    assert_eq!(picture.one("visits"), visited.map(|(_, counts)| counts).concat());
    assert_eq!((picture.one("made_from"), picture.one("made_to")), (&[start][..], &[after][..]));
    assert_eq!(picture.one("made"), [3]);
    assert_eq!(picture.head["attempts"][0]["states"], serde_json::json!([start, after, null]));
    assert_eq!(picture.head["start"], start);
    let maps = StateMaps { qualities: vec!["a<b".to_owned()], levels: vec![map], n_left_out: 0 };
    let markup = maps.pieces().markup;
    assert!(markup.contains("a\\u003cb") && markup.contains("<a href=\"#figure-x\">"), "{}", &markup[..400]);
    assert_eq!(markup.matches("</script>").count(), 4);
}

#[test]
fn neighbours_stand_near() {
    // Mean length of edges, of which a random order has a third or so, for the levels of LEVELS.
    let most = [0.14, 0.2, 0.12, 0.2, 0.25];
    for (named, most) in LEVELS.into_iter().zip(most) {
        let level = valued(named);
        let whole = level.whole.as_deref().expect("a mapped level");
        let shown = ShownStates::new(&level, whole, (0..n_states(&level) as u32).collect(), &Silent);
        let (distances, edges) = (shown.distances(), shown.edges());
        let layers = layout::layers(&distances, &edges);
        let is_layer =
            |layer: &layout::Layer| layer.nodes.iter().all(|&state| distances[state as usize] == layer.distance);
        assert!(layers.iter().all(is_layer));
        let length = layout::mean_length(&layers, &edges);
        let mut random = layers.clone();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        random.iter_mut().for_each(|layer| layer.nodes.shuffle(&mut rng));
        let by_chance = layout::mean_length(&random, &edges);
        println!("{named:?}: {} states, {length:.3}, by chance {by_chance:.3}", distances.len());
        assert!(length < most && length < 0.75 * by_chance, "{named:?}: {length} and by chance {by_chance}");
        assert_eq!(layers, layout::layers(&distances, &edges));
    }
}

#[test]
fn levels_are_left_out_where_a_page_becomes_too_large() {
    let levels: Vec<ValuedLevel> = LEVELS.map(valued).into();
    let names = |levels: Vec<&ValuedLevel>| levels.iter().map(|level| n_states(level)).collect::<Vec<_>>();
    let (all, n_left_out) = shown_levels(&levels, &[], MAX_STATES);
    assert_eq!((all.len(), n_left_out), (LEVELS.len(), 0));
    let sizes = names(all);
    // Room for the last level, which is drawn, and for the small ones among the others, in their order.
    let most = sizes[4] + sizes[1] + 1;
    let (shown, n_left_out) = shown_levels(&levels, &[&levels[4]], most);
    let shown = names(shown);
    assert!(shown.contains(&sizes[4]) && shown.iter().sum::<usize>() <= most);
    assert_eq!(shown.len() + n_left_out, LEVELS.len());
}

#[test]
fn numbers_are_rounded_and_zero_has_no_sign() {
    assert_eq!(rounded(-0.000_4).to_string(), "0");
    assert_eq!(rounded(1.234_56).to_string(), "1.235");
}

/// Counts steps, and asks to stop after so many of them.
struct Counter {
    n: AtomicU64,
    most: u64,
}

impl Progress for Counter {
    fn begin(&self, _: &str, _: Option<u64>) {}

    fn advance(&self, steps: u64) {
        self.n.fetch_add(steps, Ordering::Relaxed);
    }

    fn end(&self) {}

    fn is_cancelled(&self) -> bool {
        self.n.load(Ordering::Relaxed) > self.most
    }
}

#[test]
fn drawing_tells_how_far_it_is_and_stops_when_asked() {
    let level = valued(LEVELS[0]);
    let steps_of = |most| {
        let counter = Counter { n: AtomicU64::new(0), most };
        (LevelMap::new(&level, &LevelPlay::default(), &counter).is_some(), counter.n.into_inner())
    };
    let n_steps = LevelMap::n_steps(&level);
    assert_eq!(n_steps, 3 * 1_247);
    let (is_drawn, n_told) = steps_of(u64::MAX);
    // Sweeps tell of whole numbers of states.
    assert!(is_drawn && (n_steps - layout::SWEEPS as u64..=n_steps).contains(&n_told), "{n_told} of {n_steps}");
    let (is_drawn, n_told) = steps_of(100);
    assert!(!is_drawn && n_told < n_steps, "{n_told} of {n_steps}");
}
