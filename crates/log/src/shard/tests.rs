const PROGRAM: &str = "this program";

use std::collections::BTreeMap;

use super::super::{Consequence, LogDiagnostic, RowPlace, read_log};
use super::*;
use crate::CanonicalRow;
use plymap_puzzles::progress::Silent;
use plymap_tables::testing::assert_noticed;
use polars::prelude::{BooleanChunked, DataFrame, NewChunkedArray as _};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// A log as careless programs write it: some rows are broken, repeated, or do not say whose they are.
fn messy_log(seed: u64, folder: &Path) -> LogSpec {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (has_attempt, has_index) = (rng.random_bool(0.5), rng.random_bool(0.5));
    let n_people = rng.random_range(2..7);
    let mut files = Vec::new();
    for file in 0..rng.random_range(1..3) {
        let mut text = "participant,session,level,attempt,move_index,event,action,onset_s,note,mail\n".to_owned();
        for _ in 0..rng.random_range(1..9) {
            let (who, level) = (rng.random_range(0..n_people), rng.random_range(0..3));
            for index in 0..rng.random_range(1..6) {
                let mut cells = [
                    format!("p{who}"),
                    if rng.random_bool(0.9) { "1".to_owned() } else { String::new() },
                    format!("level {level}"),
                    if has_attempt { "1".to_owned() } else { String::new() },
                    if has_index { index.to_string() } else { String::new() },
                    if rng.random_bool(0.8) { "move" } else { "reset" }.to_owned(),
                    format!("A+{}", rng.random_range(1..3)),
                    format!("{}", rng.random_range(0..100)),
                    if seed.is_multiple_of(3) { String::new() } else { "said".to_owned() },
                    if seed.is_multiple_of(4) { format!("p{who}@example.org") } else { String::new() },
                ];
                match rng.random_range(0..40) {
                    0 => cells[0].clear(),
                    1 => cells[2].clear(),
                    2 => cells[5] = "dance".to_owned(),
                    3 => cells[3] = "first".to_owned(),
                    4 => cells[7] = "late".to_owned(),
                    _ => {}
                }
                let row = cells.join(",");
                let row = match rng.random_range(0..30) {
                    0 => format!("{row},x"),
                    1 => format!("x,{row}"),
                    2 => "?".to_owned(),
                    3 => format!("{row}\n{row}"),
                    4 => format!("{row},{row}"),
                    _ => row,
                };
                text.push_str(&row);
                text.push('\n');
            }
        }
        let name = format!("log{file}.csv");
        std::fs::write(folder.join(&name), text).unwrap();
        files.push(name.into());
    }
    let mut spec = LogSpec { files, folder: folder.to_owned(), ..LogSpec::default() };
    spec.pseudonymise = seed.is_multiple_of(5);
    if !has_attempt || !has_index {
        // A column that is named and empty would reject every row.
        let hidden = [("attempt", has_attempt), ("move_index", has_index)];
        for file in &spec.files {
            let path = folder.join(file);
            let mut text = std::fs::read_to_string(&path).unwrap();
            for (name, _) in hidden.iter().filter(|(_, has)| !has) {
                text = text.replacen(name, &format!("no_{name}"), 1);
            }
            std::fs::write(path, text).unwrap();
        }
    }
    spec
}

fn sorted(diagnostics: &[LogDiagnostic]) -> Vec<String> {
    let mut said: Vec<String> = diagnostics.iter().map(|diagnostic| format!("{diagnostic:?}")).collect();
    said.sort();
    said
}

fn behind(log: &Log, first: usize) -> BTreeMap<usize, RowPlace> {
    log.behind_rejected.iter().map(|(row, place)| (row + first, *place)).collect()
}

#[test]
fn shards_of_messy_logs_give_what_the_whole_logs_give() {
    let (mut n_shards, mut n_rejected, mut n_behind, mut n_shared) = (0, 0, 0, 0);
    for seed in 0..600 {
        let folder = tempfile::tempdir().unwrap();
        let spec = messy_log(seed, folder.path());
        let Ok(whole) = read_log(&spec, &Silent) else { continue };
        let place = tempfile::tempdir().unwrap();
        let division = Division::Shards(1 + seed as usize % 4);
        ShardedLog::create(&spec, PROGRAM, division, place.path(), &Silent).unwrap();
        let sharded = ShardedLog::open(&spec, PROGRAM, place.path()).unwrap();
        n_shared += sharded.whole.strays.people().values().filter(|people| people.len() > 1).count();
        n_shards += sharded.n_shards();

        let joined = sharded.of_participants(None, &spec, &Silent).unwrap();
        assert!(joined.rows.table().equals_missing(&whole.rows.table()), "seed {seed}");
        assert_eq!(sorted(&joined.diagnostics), sorted(&whole.diagnostics), "seed {seed}");
        assert_eq!(joined.behind_rejected, whole.behind_rejected, "seed {seed}");
        assert_eq!((joined.n_read, joined.n_rejected), (whole.n_read, whole.n_rejected), "seed {seed}");
        assert_eq!((&joined.files, &joined.steps), (&whole.files, &whole.steps));
        assert_eq!((&joined.personal, &joined.empty_columns), (&whole.personal, &whole.empty_columns), "seed {seed}");

        let mut moves: Option<DataFrame> = None;
        let (mut diagnostics, mut after_rejected, mut sums) = (Vec::new(), BTreeMap::new(), (0, 0));
        for shard in 0..sharded.n_shards() {
            let part = sharded.shard(shard, &spec, &Silent).unwrap();
            after_rejected.extend(behind(&part, moves.as_ref().map_or(0, DataFrame::height)));
            diagnostics.extend(part.diagnostics);
            sums = (sums.0 + part.n_read, sums.1 + part.n_rejected);
            match &mut moves {
                Some(moves) => drop(moves.vstack_mut(&part.rows.table()).unwrap()),
                None => moves = Some(part.rows.table()),
            }
        }
        assert!(moves.unwrap().equals_missing(&whole.rows.table()), "seed {seed}");
        assert_eq!(sorted(&diagnostics), sorted(&whole.diagnostics), "seed {seed}");
        assert_eq!(after_rejected, behind(&whole, 0), "seed {seed}");
        assert_eq!(sums, (whole.n_read, whole.n_rejected), "seed {seed}");

        let names: Vec<&str> = whole.rows.iter().map(CanonicalRow::participant).collect();
        let wanted: HashSet<String> = names.iter().take(1).map(|&name| name.to_owned()).collect();
        let of_some = sharded.of_participants(Some(&wanted), &spec, &Silent).unwrap();
        let rows: Vec<usize> = (0..names.len()).filter(|&row| wanted.contains(names[row])).collect();
        let kept = BooleanChunked::from_iter_values("".into(), names.iter().map(|&name| wanted.contains(name)));
        let table = whole.rows.table().filter(&kept).unwrap();
        assert!(of_some.rows.table().equals_missing(&table), "seed {seed}");
        let expected: BTreeMap<usize, RowPlace> =
            (0..rows.len()).filter_map(|row| Some((row, *whole.behind_rejected.get(&rows[row])?))).collect();
        assert_eq!(behind(&of_some, 0), expected, "seed {seed}");

        n_rejected +=
            whole.diagnostics.iter().filter(|diagnostic| diagnostic.consequence == Consequence::Rejected).count();
        n_behind += whole.behind_rejected.len();
    }
    // The logs are messy enough, and cut into enough pieces, for all this to mean something.
    assert!(
        n_shards > 1000 && n_rejected > 1000 && n_behind > 500 && n_shared > 50,
        "{n_shards} {n_rejected} {n_behind} {n_shared}"
    );
}

#[test]
fn shards_of_another_log_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let spec = messy_log(1, folder.path());
    let said = |spec: &LogSpec, place: &Path| ShardedLog::open(spec, PROGRAM, place).unwrap_err().to_string();
    let place = tempfile::tempdir().unwrap();
    assert!(
        said(&spec, place.path()).contains("the shards cannot be used: there are none; make them with plymap shard")
    );
    ShardedLog::create(&spec, PROGRAM, Division::Rows(3), place.path(), &Silent).unwrap();
    let sharded = ShardedLog::open(&spec, PROGRAM, place.path()).unwrap();
    let columns = BTreeMap::from([("condition".to_owned(), super::super::ColumnSpec::column("level"))]);
    for other in [LogSpec { decimal_comma: true, ..spec.clone() }, LogSpec { columns, ..spec.clone() }] {
        assert!(said(&other, place.path()).contains("[log] or [columns] say something else now"));
    }
    sharded.check_files(&spec).unwrap();
    std::fs::write(folder.path().join(&spec.files[0]), "participant,level,action\n").unwrap();
    let changed = sharded.check_files(&spec).unwrap_err().to_string();
    assert!(changed.contains("the files of the log have changed since"), "{changed}");
    let file = place.path().join(shard_name(0));
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let cut = ShardedLog::open(&spec, PROGRAM, place.path()).unwrap().of_participants(None, &spec, &Silent);
    let said = cut.map(|log| log.n_read).unwrap_err().to_string();
    assert!(said.contains("the file is damaged or cut off"), "{said}");
}

#[test]
fn shards_are_refused_without_the_key_of_their_codes() {
    let folder = tempfile::tempdir().unwrap();
    let spec = LogSpec { pseudonymise: true, ..messy_log(1, folder.path()) };
    let place = tempfile::tempdir().unwrap();
    let created = ShardedLog::create(&spec, PROGRAM, Division::Rows(3), place.path(), &Silent).unwrap();
    let key = folder.path().join(KEY_NAME);
    assert!(created.key().unwrap().is_new);
    let sharded = ShardedLog::open(&spec, PROGRAM, place.path()).unwrap();
    let check = || sharded.check_key(&spec);
    assert!(check().is_ok());
    assert_eq!(sharded.key(), Some(KeyFile { path: key.clone(), is_new: false }));
    let key_text = std::fs::read_to_string(&key).unwrap();
    let digits = key_text.split_whitespace().next().unwrap();
    assert!(!std::fs::read_to_string(place.path().join(WHOLE)).unwrap().contains(digits), "the key itself");
    std::fs::remove_file(&key).unwrap();
    let said = check().unwrap_err().to_string();
    assert!(said.contains("study.key") && said.contains("is gone") && said.contains("restore it"), "{said}");
    assert!(!key.exists(), "nothing is made in its place");
    std::fs::write(&key, "0f".repeat(32)).unwrap();
    let said = check().unwrap_err().to_string();
    assert!(said.contains("study.key: this is another key") && said.contains("plymap shard"), "{said}");
    // Without its checksum, as earlier versions wrote it, it is the same one.
    std::fs::write(&key, digits).unwrap();
    assert!(check().is_ok());
}

#[test]
fn each_flip_in_the_files_of_shards_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let text = "participant,level,action\np1,1,A+1\np1,1,B-1\np2,1,A+1\n";
    std::fs::write(folder.path().join("log.csv"), text).unwrap();
    let files = vec!["log.csv".into()];
    let spec = LogSpec { files, folder: folder.path().to_owned(), ..LogSpec::default() };
    let sharded = ShardedLog::create(&spec, PROGRAM, Division::Shards(2), folder.path(), &Silent).unwrap();
    let rows = |log: &Log| log.rows.iter().map(|row| format!("{} {:?}", row.participant(), row.action())).collect();
    let read = || Some(rows(&sharded.of_participants(None, &spec, &Silent).ok()?));
    let whole: Vec<String> = read().unwrap();
    let file = folder.path().join(shard_name(0));
    let bytes = std::fs::read(&file).unwrap();
    let n_refused = assert_noticed(&bytes, &whole, |bytes| {
        std::fs::write(&file, bytes).unwrap();
        read()
    });
    assert_eq!(n_refused, 8 * bytes.len());
    let said = || sharded.of_participants(None, &spec, &Silent).map(|log| log.n_read).unwrap_err().to_string();
    // The rows of another shard are whole, and not those.
    std::fs::copy(folder.path().join(shard_name(1)), &file).unwrap();
    assert!(said().contains("shard-0001.rows") && said().contains("it is shard-0002.rows under"), "{}", said());
    // So are those of this shard of another log.
    let other = LogSpec { files: vec!["other.csv".into()], ..spec.clone() };
    std::fs::write(folder.path().join("other.csv"), text.replace('3', "2").replace("A+1", "A+2")).unwrap();
    let place = tempfile::tempdir().unwrap();
    ShardedLog::create(&other, PROGRAM, Division::Shards(2), place.path(), &Silent).unwrap();
    std::fs::copy(place.path().join(shard_name(0)), &file).unwrap();
    assert!(said().contains("shard-0001.rows") && said().contains("is not the one that was written"), "{}", said());

    let text = std::fs::read(folder.path().join(WHOLE)).unwrap();
    let shown = |whole: &Whole| format!("{whole:?}");
    let whole = shown(&parse_whole(&text).unwrap());
    assert_eq!(assert_noticed(&text, &whole, |text| parse_whole(text).ok().as_ref().map(shown)), 8 * text.len());
}

#[test]
fn shards_have_as_many_rows_as_they_may() {
    let rows_of: BTreeMap<String, u64> = (0..10).map(|n| (format!("p{n}"), if n == 3 { 50 } else { 10 })).collect();
    let sizes = |division| divided(&rows_of, division).iter().map(|shard| shard.n_rows).collect::<Vec<_>>();
    assert_eq!(sizes(Division::Rows(30)), [30, 50, 30, 30]);
    assert_eq!(sizes(Division::Rows(1)), [10, 10, 10, 50, 10, 10, 10, 10, 10, 10]);
    assert_eq!(sizes(Division::Shards(1)), [140]);
    assert_eq!(sizes(Division::Shards(3)).iter().sum::<u64>(), 140);
    assert!(sizes(Division::Shards(3)).len() <= 3);
    assert_eq!(sizes(Division::Shards(99)).len(), 10);
}
