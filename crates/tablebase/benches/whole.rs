//! Tables of whole layouts: 3x4 and 2x6 sliding tiles, and the 15 plates of Panguru, of which the table takes 5 GiB while
//! it is made. The number of positions at each distance is asserted, and for random boards of Panguru that the table
//! agrees with the search. An argument, such as `tiles`, chooses among them.

use std::time::Instant;

use plymap_puzzles::game::{StateCode, Value};
use plymap_puzzles::progress::Silent;
use plymap_puzzles::registry::{Game, RuleOptions};
use plymap_puzzles::rules::Rules;
use plymap_puzzles::valuation::LoadedLevel;
use plymap_tablebase::{Bits, BuildOptions, Tablebase, build};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

/// Published numbers of positions at each distance: all of [A090166](https://oeis.org/A090166), and the first of
/// [A090167](https://oeis.org/A090167), whose largest distance is 80 ([A151944](https://oeis.org/A151944)).
const TILES: [(&str, &str, &[u64], usize); 2] = [
    (
        "tiles 3x4",
        "1 2 3\n4 5 6\n7 8 9\n11 10 0\n",
        &[
            1, 2, 4, 9, 20, 37, 63, 122, 232, 431, 781, 1392, 2494, 4442, 7854, 13_899, 24_215, 41_802, 71_167,
            119_888, 198_363, 323_206, 515_778, 811_000, 1_248_011, 1_885_279, 2_782_396, 4_009_722, 5_621_354,
            7_647_872, 10_065_800, 12_760_413, 15_570_786, 18_171_606, 20_299_876, 21_587_248, 21_841_159, 20_906_905,
            18_899_357, 16_058_335, 12_772_603, 9_515_217, 6_583_181, 4_242_753, 2_503_873, 1_350_268, 643_245,
            270_303, 92_311, 27_116, 5390, 1115, 86, 18,
        ],
        53,
    ),
    (
        "tiles 2x6",
        "2 1 3 4 5 6\n7 8 9 11 10 0\n",
        &[
            1, 2, 3, 6, 11, 20, 36, 60, 95, 155, 258, 426, 688, 1106, 1723, 2615, 3901, 5885, 8851, 13_205, 19_508,
            28_593, 41_179, 58_899, 83_582, 118_109, 165_136, 228_596, 312_542, 423_797, 568_233, 755_727, 994_641,
            1_296_097, 1_667_002, 2_119_476, 2_660_415, 3_300_586, 4_038_877,
        ],
        80,
    ),
];

/// Its first layers come from a search that kept all positions.
const PANGURU: &str = "plates: WCBRBOGYGPCORPY\n-PCBRYOGYGBCORP\n";
const FIRST_LAYERS: [u64; 12] =
    [1, 10, 68, 450, 2982, 18796, 107_622, 559_883, 2_637_690, 11_092_966, 41_023_256, 131_311_527];

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let is_wanted = |name: &str| wanted.as_ref().is_none_or(|wanted| name.contains(wanted.as_str()));
    for (name, text, layers, largest) in TILES.into_iter().filter(|(name, ..)| is_wanted(name)) {
        let rules = rules("sliding-tiles", text);
        let table = timed(name, &*rules);
        assert_eq!(table.layers()[..layers.len()], *layers);
        assert_eq!((table.layers().iter().sum::<u64>(), table.layers().len() - 1), (239_500_800, largest));
    }
    if is_wanted("panguru") {
        let rules = rules("panguru", PANGURU);
        let table = timed("panguru", &*rules);
        assert_eq!(table.layers()[..12], FIRST_LAYERS);
        assert_eq!(table.layers().iter().sum::<u64>(), 10_216_206_000);
        agrees_with_the_search(&table, &*rules);
    }
}

fn rules(game: &str, text: &str) -> std::sync::Arc<dyn Rules> {
    let game = Game::named(game).expect("a game");
    LoadedLevel::from_text("level", text, game, &RuleOptions::default()).expect("a level").rules
}

fn timed<'a>(name: &str, rules: &'a dyn Rules) -> Tablebase<'a> {
    let options =
        BuildOptions { bits: Some(Bits::Two), file: None, resumes: false, max_memory: 12 << 30, progress: &Silent };
    let begun = Instant::now();
    let table = build(rules, &options).expect("a table");
    println!("{name}: {:.1} s, {:?}", begun.elapsed().as_secs_f64(), table.layers());
    table
}

fn agrees_with_the_search(table: &Tablebase, rules: &dyn Rules) {
    const N_BOARDS: usize = 10_000;
    let mut random = ChaCha8Rng::seed_from_u64(48);
    let mut pebbles: Vec<char> = rules.format_state(rules.start()).chars().collect();
    let mut boards: Vec<StateCode> = table.farthest().take(100).collect();
    boards.extend((0..N_BOARDS).map(|_| {
        pebbles.shuffle(&mut random);
        rules.parse_state(&pebbles.iter().collect::<String>()).expect("a position")
    }));
    for &board in &boards {
        let found = rules.value(board).expect("a value").and_then(Value::as_distance);
        assert_eq!(table.distance(board).expect("a position"), found, "{}", rules.format_state(board));
    }
    println!("{} boards agree with the search", boards.len());
}
