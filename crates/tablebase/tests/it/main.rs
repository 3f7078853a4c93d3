//! Tables of distances against maps of the same levels.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use plymap_puzzles::game::{Distance, StateCode};
use plymap_puzzles::graph::{DistanceTable, MapOptions};
use plymap_puzzles::progress::{Progress, Silent};
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::LoadedLevel;
use plymap_tablebase::{Bits, BuildOptions, Tablebase, TablebaseError, build};

fn rules(game: &str, text: &str) -> std::sync::Arc<dyn Rules> {
    let game = Game::named(game).expect("a game");
    LoadedLevel::from_text("level", text, game, &RuleOptions::default()).expect("a level").rules
}

fn options(bits: Bits) -> BuildOptions<'static> {
    BuildOptions { bits: Some(bits), file: None, resumes: false, max_memory: 1 << 30, progress: &Silent }
}

/// Levels that are numbered as pebbles, with twins and without, whose goals are one and several, and by their ranks.
const LEVELS: [(&str, &str); 7] = [
    ("panguru", "WABBCA\n-BABAC\n"),
    ("panguru", "   A\n  B C\n A B C\nA B C A\n   C\n  C A\n B - A\nB A C B\n"),
    ("sliding-tiles", "8 6 7\n2 5 4\n3 0 1\n"),
    ("sliding-tiles", "1 2 3 4\n5 6 0 7\n"),
    ("tower-of-hanoi", "6 disks 4 pegs\n"),
    ("lights-out", "***\n***\n..*\n"),
    ("rush-hour", "..BCC.\n..B...\nAAB...>\n....DD\n.E....\n.E....\n"),
];

#[test]
fn distances_are_those_of_the_map() {
    for (game, text) in LEVELS {
        let rules = rules(game, text);
        let map = rules.map(&MapOptions::default()).expect("a map");
        let distances = DistanceTable::new(&map);
        for bits in [Bits::Two, Bits::Eight] {
            let table = build(&*rules, &options(bits)).expect("a table");
            for node in 0..map.n_states() as u32 {
                assert_eq!(table.distance(map.code(node)).unwrap(), distances.get(node), "{game}, {bits:?}, {node}");
            }
            // Every position of these can be reached from the start, but for those of Rush Hour.
            if game != "rush-hour" {
                assert_eq!(table.layers(), distances.histogram(), "{game}, {bits:?}");
            }
            let largest = table.layers().len() as u32 - 1;
            let farthest: Vec<StateCode> = table.farthest().collect();
            assert_eq!(farthest.len() as u64, (*table.layers().last().expect("a layer")).min(1000), "{game}");
            assert!(farthest.iter().all(|&state| table.distance(state).unwrap() == Some(Distance(largest))), "{game}");
        }
    }
}

/// All positions of 2x4 tiles by their distance ([A090035](https://oeis.org/A090035)).
const SEVEN: [u64; 37] = [
    1, 2, 3, 6, 10, 14, 19, 28, 42, 61, 85, 119, 161, 215, 293, 396, 506, 632, 788, 985, 1194, 1414, 1664, 1884, 1999,
    1958, 1770, 1463, 1076, 667, 361, 190, 88, 39, 19, 7, 1,
];

#[test]
fn numbers_of_positions_are_published_ones() {
    let seven = rules("sliding-tiles", "1 2 3 4\n5 6 0 7\n");
    let table = build(&*seven, &options(Bits::Two)).expect("a table");
    assert_eq!(table.layers(), SEVEN);
    // The two positions of 3x3 tiles that need most moves (Reinefeld, 1993).
    let eight = rules("sliding-tiles", "1 2 3\n4 5 6\n7 0 8\n");
    let table = build(&*eight, &options(Bits::Two)).expect("a table");
    let shown: Vec<String> = table.farthest().map(|state| eight.format_state(state)).collect();
    assert_eq!(shown, ["6 4 7/8 5 ./3 2 1", "8 6 7/2 5 4/3 . 1"]);
}

/// Stops after so many positions.
struct StopAfter(AtomicU64);

impl Progress for StopAfter {
    fn begin(&self, _stage: &str, _total: Option<u64>) {}

    fn advance(&self, steps: u64) {
        let _ = self.0.fetch_update(Relaxed, Relaxed, |left| Some(left.saturating_sub(steps)));
    }

    fn end(&self) {}

    fn is_cancelled(&self) -> bool {
        self.0.load(Relaxed) == 0
    }
}

/// The bytes of a file behind its head, and what it says.
fn read(path: &Path, rules: &dyn Rules) -> (Vec<u8>, Vec<u64>, Vec<StateCode>) {
    let table = Tablebase::open(path, rules).expect("a table");
    let bytes = std::fs::read(path).expect("a file");
    (bytes[2 << 16..].to_vec(), table.layers().to_vec(), table.farthest().collect())
}

#[test]
fn a_table_that_was_interrupted_is_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = rules("sliding-tiles", "8 6 7\n2 5 4\n3 0 1\n");
    for bits in [Bits::Two, Bits::Eight] {
        let file = folder.path().join(format!("whole-{bits:?}"));
        build(&*rules, &BuildOptions { file: Some(&file), ..options(bits) }).expect("a table");
        let whole = read(&file, &*rules);
        // Until it is finished, it is interrupted after ever more positions: within a layer, at any place.
        let file = folder.path().join(format!("parts-{bits:?}"));
        let n_interruptions = (0..)
            .find(|n| {
                let progress = StopAfter(AtomicU64::new(n * 997));
                let options = BuildOptions { file: Some(&file), resumes: true, progress: &progress, ..options(bits) };
                match build(&*rules, &options) {
                    Ok(_) => true,
                    Err(error) => {
                        assert!(matches!(error, TablebaseError::Interrupted), "{error}");
                        if file.exists() {
                            let unfinished = Tablebase::open(&file, &*rules).err().expect("an unfinished table");
                            assert!(unfinished.to_string().contains("--resume"), "{unfinished}");
                        }
                        false
                    }
                }
            })
            .expect("it ends");
        assert!(n_interruptions > 3, "{n_interruptions}");
        assert!(read(&file, &*rules) == whole, "{bits:?}");
        // It is finished: nothing is left to do.
        let progress = StopAfter(AtomicU64::new(0));
        let options = BuildOptions { file: Some(&file), resumes: true, progress: &progress, ..options(bits) };
        build(&*rules, &options).expect("a table");
    }
}

#[test]
fn what_cannot_be_a_table_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("table");
    let tiles = rules("sliding-tiles", "8 6 7\n2 5 4\n3 0 1\n");
    let refused = |game: &str, text: &str, options: &BuildOptions| {
        build(&*rules(game, text), options).err().expect("an error").to_string()
    };
    let said = refused("match-the-tiles", "....x\n.A.xB\n.....\n...xb\n.xa..\n", &options(Bits::Two));
    assert_eq!(said, "a tablebase needs moves that can be undone, without chance: use `plymap map`");
    let fifteen = "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0\n";
    let said = refused("sliding-tiles", fifteen, &options(Bits::Two));
    assert!(
        said.contains("20922789888000 positions takes 9")
            && said.contains("of memory, and --memory allows 1.0 GiB: give it 9"),
        "{said}"
    );
    let twelve = "1 2 3 4\n5 6 7 8\n9 10 11 0\n";
    let said = refused("sliding-tiles", twelve, &BuildOptions { max_memory: 300 << 20, ..options(Bits::Eight) });
    assert!(said.ends_with("and --memory allows 0.3 GiB: give it 0.45, or take --bits 2"), "{said}");
    let said = refused("tower-of-hanoi", "8 disks 3 pegs\n", &options(Bits::Eight));
    assert!(said.contains("take --bits 2"), "{said}");

    let to_file = BuildOptions { file: Some(&file), ..options(Bits::Two) };
    build(&*tiles, &to_file).expect("a table");
    let said = build(&*tiles, &to_file).err().expect("an error").to_string();
    assert!(said.contains("is there already: go on with it by --resume"), "{said}");
    let resumes = BuildOptions { bits: Some(Bits::Eight), resumes: true, ..to_file };
    let said = build(&*tiles, &resumes).err().expect("an error").to_string();
    assert!(said.ends_with("has 2 bits for each position, and --bits asks for 8"), "{said}");
    let opened =
        |game: &str, text: &str| Tablebase::open(&file, &*rules(game, text)).err().map(|error| error.to_string());
    // Another start has the same table; another goal, another frame and another game have not.
    assert_eq!(opened("sliding-tiles", "1 2 3\n4 5 6\n7 0 8\n"), None);
    let said = opened("sliding-tiles", "# goal: . 1 2/3 4 5/6 7 8\n1 2 3\n4 5 6\n7 0 8\n").expect("an error");
    assert!(said.ends_with("is the tablebase of another level: its goals differ"), "{said}");
    let said = opened("sliding-tiles", "1 2 3 4\n5 6 0 7\n").expect("an error");
    assert!(said.ends_with("what can move where differs"), "{said}");
    let said = opened("lights-out", "***\n***\n..*\n").expect("an error");
    assert!(said.ends_with("its rules or goals differ"), "{said}");

    let whole = std::fs::read(&file).expect("a file");
    // A bit of a position is not as it was: what needs it is refused, and the same table is not gone on with.
    let mut flipped = whole.clone();
    flipped[(2 << 16) + 1000] ^= 1;
    std::fs::write(&file, &flipped).expect("written");
    let table = Tablebase::open(&file, &*tiles).expect("a head");
    let said = (table.farthest().chain([tiles.start()])).find_map(|state| table.distance(state).err());
    assert!(said.expect("an error").to_string().contains("table is damaged at byte 131072: make it anew"));
    std::fs::write(&file, &whole[..whole.len() - 8]).expect("written");
    let said = opened("sliding-tiles", "1 2 3\n4 5 6\n7 0 8\n").expect("an error");
    assert!(
        said.contains("is no tablebase: it has") && said.contains("and a table of these positions takes"),
        "{said}"
    );
    // Of the two copies of the head the newer one is damaged, as if the power had failed: the older one says less.
    let number = |copy: &usize| -> usize {
        let text = String::from_utf8_lossy(&whole[copy << 16..][..60]);
        text.lines().nth(1).and_then(|line| line.parse().ok()).expect("a number")
    };
    let newer = [0, 1].into_iter().max_by_key(number).expect("two copies");
    let mut damaged = whole.clone();
    damaged[(newer << 16) + 60] ^= 1;
    std::fs::write(&file, &damaged).expect("written");
    let said = opened("sliding-tiles", "1 2 3\n4 5 6\n7 0 8\n").expect("an error");
    assert!(said.contains("is not finished, it has 32 layers"), "{said}");
    build(&*tiles, &BuildOptions { resumes: true, ..to_file }).expect("a table");
    assert!(std::fs::read(&file).expect("a file")[2 << 16..] == whole[2 << 16..]);
    std::fs::write(&file, b"distances").expect("written");
    let said = opened("sliding-tiles", "1 2 3\n4 5 6\n7 0 8\n").expect("an error");
    assert!(said.ends_with("is no tablebase: its head is missing or damaged"), "{said}");
}

/// A level whose game gives ranks has the table of every other start, and of no other goal, however far it is.
#[test]
fn a_table_is_that_of_rules_and_goals() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |game: &str| folder.path().join(game);
    let refusal =
        |game: &str, level: &dyn Rules| Tablebase::open(&file(game), level).err().map(|error| error.to_string());
    let board = "..BCC.\n..B...\nAAB...>\n....DD\n.E....\n.E....\n";
    for (game, text) in [("tower-of-hanoi", "10 disks 3 pegs\n"), ("rush-hour", board)] {
        let file = file(game);
        build(&*rules(game, text), &BuildOptions { file: Some(&file), ..options(Bits::Two) }).expect("a table");
    }
    let other_goal = rules("tower-of-hanoi", "10.9.8.7.6.5.4.3.2.1/-/- > -/10.9.8.7.6.5.4.3.2.1/-\n");
    assert!(refusal("tower-of-hanoi", &*other_goal).expect("an error").ends_with("its rules or goals differ"));
    let other_start = rules("rush-hour", "..BCC.\n..B...\nAAB...>\n...DD.\n.E....\n.E....\n");
    assert_eq!(refusal("rush-hour", &*other_start), None);
    let game = Game::named("rush-hour").expect("a game");
    let path_clear = RuleOptions { table: "goal = \"path-clear\"".parse().expect("TOML"), folder: Default::default() };
    let level = LoadedLevel::from_text("level", board, game, &path_clear).expect("a level");
    assert!(refusal("rush-hour", &*level.rules).expect("an error").ends_with("its rules or goals differ"));
}

/// What an interrupted table has found is counted before it is gone on with.
#[test]
fn a_damaged_table_is_not_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let tiles = rules("sliding-tiles", "8 6 7\n2 5 4\n3 0 1\n");
    for bits in [Bits::Two, Bits::Eight] {
        let file = folder.path().join(format!("{bits:?}"));
        let progress = StopAfter(AtomicU64::new(50_000));
        let stopped = BuildOptions { file: Some(&file), progress: &progress, ..options(bits) };
        assert!(matches!(build(&*tiles, &stopped), Err(TablebaseError::Interrupted)));
        let mut bytes = std::fs::read(&file).expect("a file");
        let reached = (2 << 16..bytes.len()).find(|&place| bytes[place] != 0).expect("a position");
        bytes[reached] = 0;
        std::fs::write(&file, &bytes).expect("written");
        let resumes = BuildOptions { resumes: true, file: Some(&file), ..options(bits) };
        let said = build(&*tiles, &resumes).err().expect("an error").to_string();
        assert!(said.contains("other numbers of positions at each distance than its head says"), "{said}");
    }
}
