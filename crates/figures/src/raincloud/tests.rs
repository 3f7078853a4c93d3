use super::super::{Width, legible};
use super::*;
use legible::draw_one;

fn cloud(label: &str, from: usize, values: &[f64]) -> Cloud {
    let drop = |(number, &value): (usize, &f64)| Drop { unit: format!("p{}", from + number), value };
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| sorted[(share * (sorted.len() - 1) as f64).round() as usize];
    Cloud {
        label: label.to_owned(),
        drops: values.iter().enumerate().map(drop).collect(),
        summary: (!values.is_empty()).then(|| [0.0, 0.25, 0.5, 0.75, 1.0].map(at)),
        density: sorted.iter().enumerate().map(|(place, &value)| (value, 0.1 + place as f64)).collect(),
    }
}

fn chart(clouds: Vec<Cloud>) -> Raincloud {
    let heading = Heading { name: "raincloud".to_owned(), title: "Time by condition".into(), ..Heading::default() };
    Raincloud {
        heading,
        y_title: "time (s)".into(),
        unit: "participant".to_owned(),
        is_paired: true,
        clouds,
        ..Raincloud::default()
    }
}

/// Ends of the lines of the SVG of this width that join two points.
fn lines(svg: &str) -> usize {
    svg.split("stroke-opacity=\"0.55\"")
        .skip(1)
        .map(|group| group.split("</g>").next().unwrap().matches("<polyline").count())
        .sum()
}

#[test]
fn people_in_both_groups_are_joined_and_no_others() {
    let (first, second) = (cloud("speed", 0, &[10.0, 12.0, 30.0]), cloud("accuracy", 1, &[11.0, 35.0, 50.0]));
    let figure = draw_one(&chart(vec![first.clone(), second.clone()]), &Style::new(Width::Single));
    assert_eq!(lines(&figure.svg), 2, "p1 and p2");
    assert!(figure.svg.contains("the same participant"));
    let apart = Raincloud { is_paired: false, ..chart(vec![first, second]) };
    let figure = draw_one(&apart, &Style::new(Width::Single));
    assert_eq!(lines(&figure.svg), 0);
    assert!(!figure.svg.contains("the same participant"));
}

#[test]
fn the_data_are_the_input() {
    let csv = draw_one(&chart(vec![cloud("speed", 0, &[1.0, 2.5])]), &Style::default()).to_csv().unwrap();
    let rows =
        "kind,group,unit,value,density\nparticipant,speed,p0,1,\nparticipant,speed,p1,2.5,\nlower whisker,speed,,1,\n";
    assert!(csv.starts_with(rows), "{csv}");
    assert!(csv.ends_with("density,speed,,1,0.1\ndensity,speed,,2.5,1.1\n"), "{csv}");
}

#[test]
fn every_number_of_groups_is_legible_at_every_width() {
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        for count in 0..=MOST_CLOUDS {
            for log in [false, true] {
                let values: Vec<f64> = (0..40).map(|number| 3.0 + (number * number % 37) as f64).collect();
                let clouds =
                    (0..count).map(|group| cloud(&format!("condition {group}"), 0, &values[group..])).collect();
                let figure = draw_one(&Raincloud { log, ..chart(clouds) }, &Style::new(width));
                legible::check(&figure);
                assert_eq!(figure.svg.contains("nothing was left to draw"), count == 0);
            }
        }
    }
}

#[test]
fn values_without_a_place_are_counted() {
    let mut group = cloud("speed", 0, &[1.0, 4.0]);
    group.drops.push(Drop { unit: "p9".to_owned(), value: 0.0 });
    let figure = draw_one(&Raincloud { log: true, ..chart(vec![group]) }, &Style::default());
    assert!(figure.svg.contains("1 not shown (missing or not positive)") && figure.svg.contains("n = 2"));
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let falling = Cloud { summary: Some([1.0, 3.0, 2.0, 4.0, 5.0]), ..cloud("speed", 0, &[1.0, 4.0]) };
    assert!(chart(vec![falling]).check().unwrap_err().contains("it must rise"));
    let many = (0..7).map(|group| cloud(&group.to_string(), 0, &[1.0])).collect();
    assert!(chart(many).check().unwrap_err().contains("7 groups"));
}
