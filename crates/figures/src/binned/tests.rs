//! Tests of time and quality by a number.

use super::super::{Figure, Width, draw, legible};
use super::*;

fn bin(low: i64, high: i64, n: u64) -> Bin {
    let median = 0.5 + 0.1 * low.rem_euclid(17) as f64;
    Bin {
        low,
        high,
        n,
        median: (low % 6 != 4).then_some(median),
        interval: (low % 6 < 3).then_some((0.8 * median, 1.3 * median)),
        quartiles: (low % 6 != 5).then_some((0.4 * median, 2.5 * median)),
        counts: if low % 9 == 8 { vec![0; 4] } else { vec![n / 2, n / 4, 0, n - n / 2 - n / 4] },
    }
}

fn input(bins: usize, width: i64) -> Binned {
    let bin = |index: usize| {
        let low = index as i64 * width + if index > 40 { 2 } else { 0 };
        bin(low, low + width - 1, 12_345_678 >> (index % 24))
    };
    Binned {
        heading: Heading { name: "distance".to_owned(), title: "By distance".into(), ..Default::default() },
        x_title: "distance to goal (moves), and more words than fit a single column of a journal anyway".into(),
        confidence: "95 %".to_owned(),
        qualities: ["better", "same", "never", "a quality of a long name"].map(str::to_owned).to_vec(),
        subsets: vec![Subset { bins: (0..bins).map(bin).collect(), ..Default::default() }],
        ..Default::default()
    }
}

/// These bins alone.
fn with(bins: Vec<Bin>) -> Binned {
    Binned { subsets: vec![Subset { bins, ..Default::default() }], ..Default::default() }
}

#[test]
fn the_data_are_the_input() {
    let bin = Bin {
        low: 1,
        high: 3,
        n: 5,
        median: Some(2.0),
        interval: Some((1.5, 2.5)),
        quartiles: Some((1.0, 4.0)),
        counts: vec![1, 3],
    };
    let none = Bin { low: 4, high: 4, counts: vec![0, 0], ..Default::default() };
    let input = Binned { qualities: ["a, b", "c"].map(str::to_owned).to_vec(), ..with(vec![bin, none]) };
    assert_eq!(
        draw(&input, &Style::default()).unwrap()[0].to_csv().unwrap(),
        "low,high,n,kind,quality,count,share,median,interval_low,interval_high,p25,p75\n\
         1,3,5,time,,,,2,1.5,2.5,1,4\n1,3,5,quality,\"a, b\",1,0.25,,,,,\n1,3,5,quality,c,3,0.75,,,,,\n\
         4,4,0,time,,,,,,,,\n4,4,0,quality,\"a, b\",0,,,,,,\n4,4,0,quality,c,0,,,,,,\n"
    );
}

#[test]
fn every_width_and_amount_is_legible_and_the_same_twice() {
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        for (bins, step) in [(0, 1), (1, 1), (2, 1), (7, 5), (25, 1), (60, 1), (60, 1_000), (61, 1), (150, 1)] {
            let input = input(bins, step);
            let pages = draw(&input, &Style::new(width)).unwrap();
            pages.iter().for_each(legible::check);
            assert!(pages.iter().all(|page| page.height_mm <= 230.0));
            assert_eq!(pages.len(), bins.div_ceil(BINS_PER_PAGE).max(1));
            assert_eq!(pages.iter().map(|page| page.data.rows.len()).sum::<usize>(), 5 * bins);
            assert_eq!(pages, draw(&input, &Style::new(width)).unwrap());
        }
    }
}

#[test]
fn columns_are_as_high_as_their_shares_and_stand_below_their_median() {
    let mut input = input(0, 1);
    input.subsets[0].bins = vec![Bin { counts: vec![1, 0, 0, 3], quartiles: None, ..bin(1, 1, 4) }];
    let figure = &draw(&input, &Style::default()).unwrap()[0];
    // The band of the quartiles is gone; two fields of the legend, two parts of the column.
    let fields: Vec<Vec<(f64, f64)>> = figure.svg.split("<polygon points=\"").skip(1).map(legible::points).collect();
    assert_eq!(fields.len(), 4);
    let extent = |values: Vec<f64>| {
        let least = values.iter().copied().fold(f64::MAX, f64::min);
        (least, values.into_iter().fold(f64::MIN, f64::max) - least)
    };
    let heights: Vec<f64> = fields.iter().map(|field| extent(field.iter().map(|point| point.1).collect()).1).collect();
    assert!((heights[3] / heights[2] - 3.0).abs() < 0.01, "{heights:?}");
    let (left, width) = extent(fields[3].iter().map(|point| point.0).collect());
    let circle = figure.svg.split("<circle cx=\"").last().unwrap();
    let x: f64 = circle.split('"').next().unwrap().parse().unwrap();
    assert!((left + width / 2.0 - x).abs() <= 1.0, "median at {x}, column from {left}, {width} wide");
}

#[test]
fn gaps_are_drawn_up_to_three_places() {
    let bins = |lows: &[i64]| -> Vec<Bin> { lows.iter().map(|&low| bin(low, low, 1)).collect() };
    let caption = |lows: &[i64]| {
        let input = Binned { subsets: with(bins(lows)).subsets, ..input(0, 1) };
        draw(&input, &Style::default()).unwrap()[0].caption.clone()
    };
    assert!(!caption(&[1, 2, 6]).contains("longer gaps"));
    assert!(caption(&[1, 2, 7]).contains("longer gaps"));
    assert!(!caption(&[i64::MIN, i64::MIN + 1]).contains("longer gaps"));
    assert!(caption(&[i64::MIN, i64::MAX]).contains("longer gaps"));
}

#[test]
fn what_a_logarithmic_axis_cannot_show_is_counted() {
    let mut input = input(3, 1);
    input.subsets[0].bins[0].median = Some(0.0);
    input.subsets[0].bins[0].interval = Some((-1.0, 2.0));
    input.subsets[0].bins[0].quartiles = None;
    input.subsets[0].bins[1].quartiles = Some((0.0, 2.0));
    let caption = &draw(&input, &Style::default()).unwrap()[0].caption;
    assert!(caption.contains("1 median not shown (not positive)"), "{caption}");
    assert!(caption.contains("2 intervals or bands cut at the edge"), "{caption}");
}

#[test]
fn moves_without_any_time_have_no_panel_of_times() {
    let untimed = |bins: usize| {
        let mut input = input(bins, 1);
        input.subsets[0].bins.iter_mut().for_each(|bin| (bin.median, bin.interval, bin.quartiles) = (None, None, None));
        input
    };
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        for bins in [1, 7, 60, 61] {
            let (with, without) = (input(bins, 1), untimed(bins));
            let style = Style::new(width);
            let (with, without) = (&draw(&with, &style).unwrap()[0], &draw(&without, &style).unwrap()[0]);
            legible::check(without);
            assert!(without.caption.contains("no move has a recorded time"), "{}", without.caption);
            assert!(!without.svg.contains("(s)") && with.svg.contains("(s)"), "an axis without values");
            assert!(without.height_mm < with.height_mm);
            assert!([with, without].iter().all(|figure| figure.svg.contains(">n moves<")));
        }
        // A page of a group without times beside those of another one.
        let subsets = [input(7, 1), untimed(7)].map(|mut input| input.subsets.remove(0)).to_vec();
        let pages = draw(&Binned { subsets, ..input(0, 1) }, &Style::new(width)).unwrap();
        pages.iter().for_each(legible::check);
        assert!(pages[0].svg.contains("median") && !pages[1].svg.contains(">median"));
    }
}

#[test]
fn nothing_to_draw_and_contradictions_are_said() {
    let fault = |input: &Binned| draw(input, &Style::default()).unwrap_err().to_string();
    let mut wrong = input(1, 1);
    wrong.heading.no_data_reason = "no move was replayed".into();
    wrong.subsets[0].bins[0] = Bin { counts: vec![0; 4], ..Default::default() };
    assert!(draw(&wrong, &Style::default()).unwrap()[0].svg.contains("no data: no move was replayed"));
    let mut wrong = input(3, 1);
    wrong.subsets[0].bins[1].quartiles = Some((1e-300, 1e300));
    assert!(fault(&wrong).contains("beyond the reach"), "{}", fault(&wrong));
    wrong.subsets[0].bins[2].low = 1;
    assert!(fault(&wrong).contains("bin 1 comes before bin 1–2"), "{}", fault(&wrong));
    wrong.subsets[0].bins[0].interval = Some((3.0, 4.0));
    assert!(fault(&wrong).contains("interval 3 to 4"), "{}", fault(&wrong));
    wrong.subsets[0].bins[0].counts.pop();
    assert!(fault(&wrong).contains("3 counts for 4 qualities"), "{}", fault(&wrong));
    wrong.subsets[0].bins[0].high = -1;
    assert!(fault(&wrong).contains("from 0 to -1"), "{}", fault(&wrong));
    wrong.qualities = vec![String::new(); 9];
    assert!(fault(&wrong).contains("9 qualities"), "{}", fault(&wrong));
}

#[test]
fn pages_of_groups_have_the_same_places_and_axes() {
    let subset = |name: &str, bins: Vec<Bin>| Subset { subtitle: name.to_owned(), bins };
    let even: Vec<Bin> = (0..6).map(|low| bin(2 * low, 2 * low + 1, 40)).collect();
    // The last bin ends earlier; the first ones are missing.
    let mut few = even[3..].to_vec();
    few[2].high = 10;
    few[0].n = 12_345;
    let subsets = vec![subset("easy", even), subset("hard", few), subset("nobody", Vec::new())];
    let input = Binned { subsets, ..input(0, 1) };
    for width in [Width::Single, Width::OneAndHalf, Width::Double] {
        let pages = draw(&input, &Style::new(width)).unwrap();
        pages.iter().for_each(legible::check);
        let names: Vec<&str> = pages.iter().map(|page| page.name.as_str()).collect();
        assert_eq!(names, ["distance-1", "distance-2", "distance-3"]);
        assert!(pages[1].caption.starts_with("By distance (2/3). hard."), "{}", pages[1].caption);
        assert!(pages[2].svg.contains("no data"));
        assert_eq!(pages[0].height_mm, pages[1].height_mm);
        // The median of 6 to 7: the fourth disc behind that of the legend on the first page, the first on the second.
        let circles = |page: &Figure| -> Vec<String> {
            let all = page.svg.split("<circle ").skip(2).map(|circle| circle.split('/').next().unwrap().to_owned());
            all.step_by(2).collect()
        };
        let place = bin(6, 7, 40).median.unwrap();
        let before = (0..3).filter(|low| bin(2 * low, 2 * low + 1, 40).median.is_some()).count();
        assert_eq!(circles(&pages[0])[before], circles(&pages[1])[0], "median {place}");
    }
    assert_eq!(draw(&Binned::default(), &Style::default()).unwrap(), []);
}

#[test]
fn groups_that_cannot_share_their_places_are_refused() {
    let subset = |bins: &[(i64, i64)]| with(bins.iter().map(|&(a, b)| bin(a, b, 8)).collect()).subsets.remove(0);
    let subsets = vec![subset(&[(0, 4)]), subset(&[(0, 2), (3, 4)])];
    let error = draw(&Binned { subsets, ..input(0, 1) }, &Style::default()).unwrap_err().to_string();
    assert!(error.contains("bins 0–2 and 3–4 overlap bins of another group within 0–4"), "{error}");
}
