//! The pages that check tables with nothing of plymap.

use plymap_certify::{CheckedLevel, check_files};

use crate::fixtures::{LEVELS, levels};

#[test]
fn each_page_is_one_that_a_reviewer_can_read() {
    let mut n_pages = 0;
    for case in LEVELS {
        let levels = levels(case);
        let listed = levels.iter().map(|level| CheckedLevel {
            level: &level.origin.id,
            table: format!("{}.csv", level.origin.id),
            rules: &*level.rules,
            expand_goals: true,
        });
        for file in check_files(listed) {
            let longest = file.text.lines().map(|line| line.chars().count()).max();
            if file.name == "levels.csv" {
                assert_eq!(file.text.lines().count(), 1 + levels.len(), "{case:?}");
                continue;
            }
            n_pages += 1;
            assert!(file.text.lines().count() < 80 && longest <= Some(125), "{case:?}: {}", file.name);
            assert!(!file.text.contains("# RULES"), "{case:?}: {}", file.name);
        }
    }
    assert_eq!(n_pages, 14, "Rush Hour by three rules, lamps, tiles and towers, each in two languages");
}

#[test]
fn cells_of_the_list_are_quoted_where_they_have_to_be() {
    let level = &levels(LEVELS[0])[0];
    let name = "a \"b\", c";
    let listed = CheckedLevel { level: name, table: "t.csv".to_owned(), rules: &*level.rules, expand_goals: false };
    let list = check_files([listed]).pop().expect("a list").text;
    let expected = "level,table,start,goals_have_moves,width,target,exit,goal,metric\n\
                    \"a \"\"b\"\", c\",t.csv,BB...GE..H.GEAAH.GE..H..F...CCF.DDD.,no,6,A,right,exit,slide\n";
    assert_eq!(list, expected);
}
