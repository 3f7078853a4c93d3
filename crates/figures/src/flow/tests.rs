//! Tests of the flow chart.

use std::collections::BTreeMap;

use super::super::{Language, Width, draw, legible};
use super::*;

const REASON: &str = "Participants who told afterwards that they had known the puzzle before, or who were disturbed by \
    a fire alarm, a telephone or another person while they played (protocol_of_the_session-2024-03, section 4)";

fn counts(number: u64) -> Vec<FlowCount> {
    vec![
        FlowCount::new(number / 1_000, "participant", "participants"),
        FlowCount::new(number / 100, "trial", "trials"),
        FlowCount::new(number, "row", "rows"),
    ]
}

/// Three stages, with so much left out behind the second one.
fn input(sides: usize, groups: usize) -> Flow {
    let stage = |title: &str, number| FlowBox { title: title.to_owned(), counts: counts(number), ..FlowBox::default() };
    let side = |place: usize| FlowBox {
        title: "Excluded by the study".to_owned(),
        words: if place.is_multiple_of(2) { REASON.to_owned() } else { "too_few_trials".repeat(place.min(7)) },
        counts: counts(1_234),
        kinds: Vec::new(),
    };
    let kinds = ["illegal move", "missing action", "after rejected row", "ragged row", "bad attempt"];
    let rejected = FlowBox {
        title: "Rejected or excluded".to_owned(),
        counts: vec![FlowCount::new(1_000, "row", "rows")],
        kinds: kinds.iter().map(|&kind| (kind.to_owned(), 200)).collect(),
        ..FlowBox::default()
    };
    Flow {
        heading: Heading {
            name: "flow".to_owned(),
            title: "From the log to the analysis".into(),
            ..Default::default()
        },
        stages: vec![
            FlowStage { left: stage("Log files", 101_000), left_out: vec![rejected] },
            FlowStage { left: stage("Replayed", 100_000), left_out: (0..sides).map(side).collect() },
            FlowStage { left: stage("Analysed", 100_000 - 1_234 * sides as u64), left_out: Vec::new() },
        ],
        groups: (0..groups)
            .map(|group| FlowBox {
                words: ["accuracy", "speed", "under_time_pressure_and_with_a_second_task", "control"][group].to_owned(),
                counts: counts(20_000),
                ..FlowBox::default()
            })
            .collect(),
    }
}

#[test]
fn the_data_are_the_input() {
    let left_out = FlowBox {
        title: "Rejected".to_owned(),
        words: "a, b".to_owned(),
        counts: vec![FlowCount::new(2, "row", "rows")],
        kinds: vec![("illegal move".to_owned(), 2)],
    };
    let flow_box = |title: &str, number| FlowBox {
        title: title.to_owned(),
        counts: vec![FlowCount::new(number, "row", "rows")],
        ..FlowBox::default()
    };
    let input = Flow {
        stages: vec![
            FlowStage { left: flow_box("Log", 12), left_out: vec![left_out] },
            FlowStage { left: flow_box("Analysed", 10), left_out: Vec::new() },
        ],
        groups: vec![flow_box("speed", 4), flow_box("accuracy", 6)],
        ..Flow::default()
    };
    assert_eq!(
        draw(&input, &Style::default()).unwrap()[0].to_csv().unwrap(),
        "stage,box,title,words,what,count\n1,left,Log,,rows,12\n1,left out,Rejected,\"a, b\",rows,2\n\
         1,kind,illegal move,\"a, b\",rows,2\n2,left,Analysed,,rows,10\n3,group,speed,,rows,4\n3,group,accuracy,,rows,6\n"
    );
}

#[test]
fn every_width_and_amount_is_legible_and_the_same_twice() {
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        for (code, sides, groups) in
            [("en", 0, 0), ("de", 0, 2), ("fr", 1, 0), ("de", 2, 3), ("fr", 5, 4), ("en", 12, 2), ("de", 40, 4)]
        {
            let language = Language::new(code, &BTreeMap::new(), None).unwrap();
            let style = Style { language, ..Style::new(width) };
            let input = input(sides, groups);
            let pages = draw(&input, &style).unwrap();
            pages.iter().for_each(legible::check);
            assert!(pages.iter().all(|page| page.height_mm <= 230.0));
            let rows = pages.iter().flat_map(|page| &page.data.rows);
            assert_eq!(rows.filter(|row| row[1] == "left out").count(), 1 + 3 * sides);
            assert!(sides > 2 || pages.len() == 1, "{sides} at the right on {} pages", pages.len());
            assert!(sides < 40 || pages.len() > 1);
            assert!(sides > 2 || pages == draw(&input, &style).unwrap());
        }
    }
}

#[test]
fn boxes_stand_apart_and_their_text_stands_in_them() {
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        let style = Style::new(width);
        for (sides, groups) in [(0, 0), (0, 4), (1, 2), (6, 3), (12, 4)] {
            for page in input(sides, groups).sketches(&style, 200.0).unwrap() {
                assert!(page.height <= 200.0, "{} mm", page.height);
                for (index, (rect, lines, _)) in page.boxes.iter().enumerate() {
                    let inner = style.width_mm - 2.0 * super::super::sheet::MARGIN + 1e-9;
                    assert!(rect.left >= -1e-9 && rect.top >= 0.0 && rect.right() <= inner, "{rect:?} of {inner} mm");
                    assert!(rect.bottom() <= page.height + 1e-9);
                    assert!(
                        Lines::box_mm([lines]).unwrap() <= rect.width + 1e-9 && lines.height_mm() <= rect.height + 1e-9
                    );
                    for (other, ..) in &page.boxes[index + 1..] {
                        let beside = rect.right() < other.left || other.right() < rect.left;
                        assert!(beside || rect.bottom() < other.top || other.bottom() < rect.top, "{rect:?} {other:?}");
                    }
                    // Only the arrows that end at a box touch it.
                    for [from, to] in &page.arrows {
                        let ends_here = to.1 == rect.top || to.0 == rect.left;
                        let is_in = from.0.max(to.0) > rect.left && from.0.min(to.0) < rect.right();
                        let runs_through =
                            is_in && from.1.min(to.1) < rect.bottom() - 1e-9 && from.1.max(to.1) > rect.top;
                        assert!(ends_here || !runs_through, "{from:?} to {to:?} runs through {rect:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn long_reasons_are_broken_into_lines_and_few_kinds_are_named() {
    let figure = &draw(&input(1, 0), &Style::new(Width::Single)).unwrap()[0];
    let texts: Vec<&str> = figure.svg.split("<text").skip(1).filter_map(|text| text.split(['>', '<']).nth(1)).collect();
    let words: String = texts.concat().replace(' ', "");
    assert!(words.contains(&REASON.replace(' ', "")), "{texts:?}");
    assert!(texts.contains(&"after rejected row (n = 200)") && texts.contains(&"and 2 more kinds"), "{texts:?}");
    assert!(!figure.svg.contains("ragged row"));
    assert_eq!(figure.data.rows.iter().filter(|row| row[1] == "kind").count(), 5);
}

#[test]
fn words_of_a_user_stay_as_they_are() {
    let language = Language::new("de", &BTreeMap::new(), None).unwrap();
    let mut input = input(1, 0);
    input.stages[1].left_out[0].words = "12 trials".to_owned();
    let figure = &draw(&input, &Style { language, ..Style::default() }).unwrap()[0];
    assert!(figure.svg.contains(">12 trials<") && figure.svg.contains("100.000 Zeilen"), "{}", &*figure.svg);
}

#[test]
fn nothing_to_draw_is_said_with_its_reason() {
    let heading = Heading { no_data_reason: "there is no log".into(), ..Heading::default() };
    let empty = Flow { heading, ..Flow::default() };
    assert!(draw(&empty, &Style::default()).unwrap()[0].svg.contains("no data: there is no log"));
}

#[test]
fn contradictions_are_named() {
    let fault = |input: &Flow| draw(input, &Style::default()).unwrap_err().to_string();
    let mut wrong = input(1, 4);
    wrong.groups.push(FlowBox::default());
    assert!(fault(&wrong).contains("5 groups"), "{}", fault(&wrong));
    wrong.stages.pop();
    assert!(fault(&wrong).contains("left out behind the last stage"), "{}", fault(&wrong));
    wrong.stages.clear();
    assert!(fault(&wrong).contains("no stage"), "{}", fault(&wrong));
}
