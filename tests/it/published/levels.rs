//! Published files of levels, read as they stand.

use plymap_puzzles::game::picture::Side;
use plymap_puzzles::game::rush_hour::layout::{Exit, Layout};
use plymap_puzzles::game::rush_hour::notation::{parse, to_board_string};
use plymap_puzzles::level::{LevelColumns, LevelSource, read_levels};

use crate::recorded_data::recorded;

fn layouts(levels: &[LevelSource]) -> Vec<Layout> {
    let parsed = levels.iter().map(|level| parse(&level.text, &level.source, level.span.start));
    parsed.map(|layout| layout.unwrap_or_else(|faults| panic!("{}", faults[0]))).collect()
}

#[test]
fn the_seventy_puzzles_are_read_as_they_stand() {
    let Some(path) = recorded("rush_hour/puzzles70.csv") else { return };
    let levels = read_levels(&path, &LevelColumns::default()).unwrap();
    assert_eq!(levels.len(), 70);
    assert_eq!((levels[0].id.as_str(), levels[0].text.as_str()), ("prb10166", "IIIoooooBGooAABGoooooGoFEHCCDFEHooDF"));
    let first = &levels[0].extra[0];
    assert_eq!((first.name.as_str(), first.value.as_str()), ("full_states", "15112"));
    assert_eq!(levels[0].extra.len(), 9);
    let names: Vec<String> = layouts(&levels).swap_remove(0).pieces.into_iter().map(|piece| piece.name).collect();
    assert_eq!(names.concat(), "ABCDEFGHI");
    for (level, layout) in levels.iter().zip(layouts(&levels)) {
        assert_eq!(layout.exit, Exit { side: Side::Right, line: 2 }, "{}", level.id);
        assert_eq!(to_board_string(&layout).replace('.', "o"), level.text, "{}", level.id);
    }
}

#[test]
fn the_generated_levels_are_read_as_they_stand() {
    let Some(path) = recorded("rush_hour/fogleman_6k.txt.gz") else { return };
    let levels = read_levels(&path, &LevelColumns::default()).unwrap();
    assert_eq!(levels.len(), 6023);
    assert_eq!((levels[0].id.as_str(), levels[6022].id.as_str()), ("fogleman_6k-0001", "fogleman_6k-6023"));
    let extra: Vec<_> = levels[1].extra.iter().map(|cell| (cell.name.as_str(), cell.value.as_str())).collect();
    assert_eq!(extra, [("moves", "02"), ("cluster_size", "14")]);
    let layouts = layouts(&levels);
    for (level, layout) in levels.iter().zip(&layouts) {
        assert_eq!(to_board_string(layout).replace('.', "o"), level.text, "{}", level.id);
    }
    // 7,245 cells of the file are walls.
    assert_eq!(layouts.iter().map(|layout| layout.walls.len()).sum::<usize>(), 7245);
}
