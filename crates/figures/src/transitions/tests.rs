//! Tests of the diagram of transitions.

use super::super::{Figure, Width, draw, legible};
use super::*;
use legible::draw_one;

/// All pairs of `states`, with shares that differ.
fn input(states: usize) -> Transitions {
    let names = ["better", "same", "worse than before", "dead-end", "illegal", "a state of a very long name"];
    let transition = |from: usize, to: usize| {
        let weight = |to: usize| (1 + (from * 5 + to * 3) % 7) as f64;
        let share = weight(to) / (0..states).map(weight).sum::<f64>();
        Transition { from, to, n: (share * 1e4) as u64, share }
    };
    Transitions {
        heading: Heading { name: "next".to_owned(), title: "From move to move".into(), ..Default::default() },
        diagrams: vec![Diagram {
            states: (0..states).map(|index| State { label: names[index].to_owned(), n: 1_234_567 }).collect(),
            transitions: (0..states * states).map(|pair| transition(pair / states, pair % states)).collect(),
            ..Default::default()
        }],
        ..Default::default()
    }
}

fn texts(figure: &Figure) -> Vec<String> {
    figure.svg.split("<text").skip(1).filter_map(|text| text.split(['>', '<']).nth(1)).map(str::to_owned).collect()
}

#[test]
fn the_data_are_the_input() {
    let state = |label: &str, n: u64| State { label: label.to_owned(), n };
    let arrow = |from: usize, to: usize, n: u64, share: f64| Transition { from, to, n, share };
    let diagram = Diagram {
        states: vec![state("a", 4), state("b, c", 9)],
        transitions: vec![arrow(0, 0, 3, 0.75), arrow(0, 1, 1, 0.25), arrow(1, 0, 8, 0.875), arrow(1, 1, 1, 0.125)],
        ..Default::default()
    };
    let input = Transitions { least_share: 0.2, diagrams: vec![diagram], ..Default::default() };
    let figure = draw_one(&input, &Style::default());
    assert_eq!(
        figure.to_csv().unwrap(),
        "from,n_from,to,n,share,drawn\na,4,a,3,0.75,true\na,4,\"b, c\",1,0.25,true\n\"b, c\",9,a,8,0.875,true\n\
         \"b, c\",9,\"b, c\",1,0.125,false\n"
    );
    assert!(figure.caption.contains("1 arrow below 20 % left out"), "{}", figure.caption);
    let texts = texts(&figure);
    assert!(["75", "25", "88"].iter().all(|number| texts.contains(&(*number).to_owned())), "{texts:?}");
    assert!(!texts.contains(&"13".to_owned()));
}

#[test]
fn every_width_and_number_of_states_is_legible_and_the_same_twice() {
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        for states in 0..=MOST_STATES {
            for same in [false, true] {
                let mut input = input(states);
                if same {
                    input.diagrams[0].transitions.iter_mut().for_each(|transition| transition.share = 0.155);
                }
                let figure = draw_one(&input, &Style::new(width));
                legible::check(&figure);
                assert!(figure.height_mm <= 230.0);
                assert_eq!(figure.data.rows.len(), states * states);
                // One number for each arrow, name and n for each state; a share is given for every pair.
                let numbers = figure.svg.matches(">16<").count();
                assert!(!same || numbers == states * states, "{numbers} numbers for {states} states");
                assert_eq!(figure, draw_one(&input, &Style::new(width)));
            }
        }
    }
}

#[test]
fn numbers_stand_on_their_own_arrow() {
    let input = input(6);
    let body = Rect { left: 1.5, top: 10.0, width: 82.0, height: 64.0 };
    let nodes = Nodes::new(body, &[(12.0, 6.0); 6], 5.0);
    let arrow = |shown: &Transition| nodes.arrow(shown.from, shown.to, shown.share);
    let arrows: Vec<Arrow> = input.diagrams[0].transitions.iter().map(arrow).collect();
    let places = labels::placed(body, &nodes.places, &arrows, &vec![(3.4, 2.2); arrows.len()]);
    for (arrow, place) in arrows.iter().zip(places) {
        let (x, y) = place.centre();
        let distance = arrow.points.iter().map(|point| (point.0 - x).hypot(point.1 - y)).fold(f64::MAX, f64::min);
        assert!(distance < 0.3, "{distance} mm from its arrow");
        let inside =
            |(px, py): &(f64, f64)| *px >= body.left && *px <= body.right() && *py >= body.top && *py <= body.bottom();
        assert!(arrow.points.iter().all(inside), "an arrow leaves the body");
    }
}

#[test]
fn lines_are_as_wide_as_their_shares() {
    let mut input = input(2);
    input.diagrams[0].transitions =
        vec![Transition { from: 0, to: 1, n: 1, share: 0.8 }, Transition { from: 1, to: 0, n: 1, share: 0.1 }];
    let figure = draw_one(&input, &Style::default());
    let groups = figure.svg.split("<g").filter(|group| group.contains("stroke=\"#0072B2\""));
    let width = |group: &str| group.split("stroke-width=\"").nth(1)?.split('"').next()?.parse::<f64>().ok();
    // 0.5 + 3.5 · 0.8 = 3.3 pt are 116.4 units, 0.85 pt are 30.
    assert_eq!(groups.filter_map(width).collect::<Vec<_>>(), [117.0, 30.0]);
}

#[test]
fn shares_are_rounded_but_never_to_none_or_all() {
    let shares = [0.0004, 0.001, 0.0449, 0.0999, 0.1249, 0.5, 0.994, 0.9955, 0.9999, 1.0];
    assert_eq!(shares.map(percent), ["<0.1", "0.1", "4.5", "10", "12", "50", "99", ">99", ">99", "100"]);
}

#[test]
fn nothing_to_draw_and_contradictions_are_said() {
    let fault = |input: &Transitions| draw(input, &Style::default()).unwrap_err().to_string();
    let mut wrong = input(0);
    wrong.heading.no_data_reason = "no two moves follow each other".into();
    assert!(draw_one(&wrong, &Style::default()).svg.contains("no data: no two moves follow"));
    wrong.diagrams[0].states = vec![State::default(); 7];
    assert!(fault(&wrong).contains("7 states"), "{}", fault(&wrong));
    let mut wrong = input(2);
    wrong.diagrams[0].transitions[3].share = 0.9;
    assert!(fault(&wrong).contains("sum to"), "{}", fault(&wrong));
    wrong.diagrams[0].transitions[3].share = 1.2;
    assert!(fault(&wrong).contains("share of 1.2"), "{}", fault(&wrong));
    wrong.diagrams[0].transitions[2].to = 1;
    wrong.diagrams[0].transitions[3].to = 1;
    assert!(fault(&wrong).contains("given twice"), "{}", fault(&wrong));
    wrong.diagrams[0].transitions[0].to = 2;
    assert!(fault(&wrong).contains("from state 0 to 2, but there are 2 states"), "{}", fault(&wrong));
    wrong.least_share = 2.0;
    assert!(fault(&wrong).contains("least share is 2"), "{}", fault(&wrong));
}

#[test]
fn pages_of_groups_have_the_same_states_at_the_same_places() {
    let [mut few, mut all] = [2, 4].map(|states| input(states).diagrams.remove(0));
    [few.states[1].label, all.states[2].label] = ["worse", "worse"].map(str::to_owned);
    let input = Transitions { diagrams: vec![few, all, Diagram::default()], ..input(2) };
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        let pages = draw(&input, &Style::new(width)).unwrap();
        pages.iter().for_each(legible::check);
        assert_eq!(pages.iter().map(|page| page.name.as_str()).collect::<Vec<_>>(), ["next-1", "next-2", "next-3"]);
        let place = |page: &Figure, text: &str| {
            let end = page.svg.find(&format!(">{text}<")).unwrap();
            page.svg[..end].rsplit("<text").next().unwrap().to_owned()
        };
        for state in ["better", "same", "worse", "dead-end"] {
            assert_eq!(place(&pages[0], state), place(&pages[1], state), "{state}");
        }
        assert!(pages[2].svg.contains("no data"));
        assert_eq!(pages[0].data.rows.len(), 4, "only its own transitions");
    }
    assert_eq!(draw(&Transitions::default(), &Style::default()).unwrap(), []);
    let seventh = State { label: "a seventh".to_owned(), n: 1 };
    let mut wrong = self::input(6);
    wrong.diagrams.push(Diagram { states: vec![seventh], ..Default::default() });
    let error = draw(&wrong, &Style::default()).unwrap_err().to_string();
    assert!(error.contains("7 states"), "{error}");
}
