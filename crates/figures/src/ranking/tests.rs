//! Tests of the figure of categories.

use super::super::{Width, draw, legible};
use super::*;

const NAMES: [&str; 4] =
    ["zero", "collinear+collision+euclidean-min-min", "blocking cars", "expectimax, depth 3, snake weights"];

fn input(categories: usize, groups: usize) -> Ranking {
    let category = |number: usize| Category {
        label: format!("{} {number}", NAMES[number % NAMES.len()]),
        group: (groups > 0).then(|| number % groups.max(1)),
        estimate: (number % 11 != 10).then_some(40.0 + 30.0 * number as f64),
        interval: number.is_multiple_of(2).then_some((30.0 + 20.0 * number as f64, 60.0 + 45.0 * number as f64)),
        points: (0..number % 5 * 12).map(|point| 10.0 + (point * 37 % 400) as f64).collect(),
    };
    Ranking {
        heading: Heading { name: "ranking".to_owned(), title: "Expanded nodes".into(), ..Default::default() },
        x_title: "expanded nodes (geometric mean over the levels)".into(),
        log: true,
        confidence: "95 %".to_owned(),
        point: "level".to_owned(),
        groups: ["people", "simulated", "optimal"][..groups].iter().map(|&group| group.into()).collect(),
        reference: Some(Reference { value: 25.0, label: "optimum".into() }),
        categories: (0..categories).map(category).collect(),
        ..Default::default()
    }
}

#[test]
fn the_data_are_the_input() {
    let category = Category {
        label: "A, B".to_owned(),
        group: Some(0),
        estimate: Some(3.5),
        interval: Some((2.0, 5.0)),
        points: vec![3.0, 4.0],
    };
    let none = Category { label: "C".to_owned(), group: Some(1), ..Default::default() };
    let input = Ranking {
        point: "game".to_owned(),
        groups: vec!["people".into(), "players".into()],
        reference: Some(Reference { value: 1.0, label: "chance".into() }),
        categories: vec![category, none],
        ..Default::default()
    };
    assert_eq!(
        draw(&input, &Style::default()).unwrap()[0].to_csv().unwrap(),
        "category,group,kind,value,low,high\n\"A, B\",people,estimate,3.5,2,5\n\"A, B\",people,game,3,,\n\
         \"A, B\",people,game,4,,\nC,players,estimate,,,\nchance,,reference,1,,\n"
    );
}

#[test]
fn every_width_and_amount_is_legible_and_the_same_twice() {
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        for (categories, groups) in [(0, 0), (1, 0), (1, 1), (12, 3), (30, 0), (30, 2), (150, 3)] {
            for log in [false, true] {
                let input = Ranking { log, ..input(categories, groups) };
                let pages = draw(&input, &Style::new(width)).unwrap();
                pages.iter().for_each(legible::check);
                assert!(pages.iter().all(|page| page.height_mm <= 230.0));
                let rows = pages.iter().flat_map(|page| &page.data.rows);
                assert_eq!(rows.filter(|row| row[2] == "estimate").count(), categories);
                assert!(categories > 30 || pages.len() == 1, "{categories} categories on {} pages", pages.len());
                assert!(categories < 150 || pages.len() > 1);
                assert_eq!(pages, draw(&input, &Style::new(width)).unwrap());
            }
        }
    }
}

/// A figure is as high as its rows need: five take less than half the paper of thirty-six.
#[test]
fn few_rows_take_little_room() {
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        let height = |categories: usize| draw(&input(categories, 2), &Style::new(width)).unwrap()[0].height_mm;
        let heights = [1, 5, 12, 36].map(height);
        assert!(heights.windows(2).all(|pair| pair[0] < pair[1]), "{heights:?}");
        assert!(heights[1] < 0.5 * heights[3], "{heights:?}");
    }
}

#[test]
fn names_are_broken_but_not_lost() {
    let figure = &draw(&input(12, 0), &Style::new(Width::Single)).unwrap()[0];
    let text: String = figure.svg.split("<text").skip(1).filter_map(|text| text.split(['>', '<']).nth(1)).collect();
    assert_eq!(text.matches("collinear+collision+euclidean-min-min").count(), 3, "{text}");
    assert!(!figure.svg.contains('…'));
}

#[test]
fn rows_without_a_value_say_so() {
    let figure = &draw(&input(12, 0), &Style::default()).unwrap()[0];
    // Of the twelve, number 10 has no estimate, no interval's mark and no single value.
    assert_eq!(figure.svg.matches("no value").count(), 1);
}

#[test]
fn what_a_logarithmic_axis_cannot_show_is_counted() {
    let mut input = input(2, 0);
    input.categories[0].points = vec![0.0, -2.0, 7.0];
    input.categories[0].interval = Some((0.0, 50.0));
    input.categories[1].estimate = Some(0.0);
    let caption = &draw(&input, &Style::default()).unwrap()[0].caption;
    assert!(caption.contains("1 estimate not shown (missing or not positive)"), "{caption}");
    assert!(caption.contains("2 levels not shown (missing or not positive)"), "{caption}");
    assert!(caption.contains("1 interval cut at the edge of the axis"), "{caption}");
}

#[test]
fn nothing_to_draw_is_said_with_its_reason() {
    let mut input = input(2, 0);
    input.heading.no_data_reason = "no game was played".into();
    for category in &mut input.categories {
        *category = Category { label: category.label.clone(), ..Default::default() };
    }
    assert!(draw(&input, &Style::default()).unwrap()[0].svg.contains("no data: no game was played"));
}

#[test]
fn contradictions_are_named() {
    let fault = |input: &Ranking| draw(input, &Style::default()).unwrap_err().to_string();
    let mut wrong = input(2, 2);
    wrong.categories[1].interval = Some((5.0, 4.0));
    assert!(fault(&wrong).contains("interval 5 to 4"), "{}", fault(&wrong));
    wrong.categories[0].group = None;
    assert!(fault(&wrong).contains("has no group"), "{}", fault(&wrong));
    wrong.categories[0].group = Some(2);
    assert!(fault(&wrong).contains("group 2, but there are 2 groups"), "{}", fault(&wrong));
    wrong.groups = vec![Label::none(); 4];
    assert!(fault(&wrong).contains("4 groups"), "{}", fault(&wrong));
    let mut wrong = input(1, 0);
    wrong.categories[0].points = vec![1e300];
    assert!(fault(&wrong).contains("1e300 is beyond the reach"), "{}", fault(&wrong));
    wrong.categories[0].points.clear();
    wrong.reference = Some(Reference { value: 0.0, label: "chance".into() });
    assert!(fault(&wrong).contains("reference \"chance\" is 0"), "{}", fault(&wrong));
}

#[test]
fn thousands_of_rows_are_cut_and_every_page_says_so() {
    let pages = draw(&input(2_000, 0), &Style::default()).unwrap();
    assert_eq!(pages.len(), 20);
    assert!(pages.iter().all(|page| page.svg.contains("pages beyond these are not drawn")));
    assert!(pages.last().unwrap().title.contains("20"), "{}", pages.last().unwrap().title);
    let whole = draw(&input(60, 0), &Style::default()).unwrap();
    assert!(whole.iter().all(|page| !page.svg.contains("not drawn")));
}
