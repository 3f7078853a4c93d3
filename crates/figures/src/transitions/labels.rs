//! Places of the numbers of arrows: on their arrow, apart from each other and from the boxes.

use super::arrows::Arrow;
use crate::sheet::Rect;

/// Number of rounds in which every number may look for a better place.
const ROUNDS: usize = 12;
/// Least space between two numbers in millimetres.
const APART_MM: f64 = 0.25;

/// The places of the numbers of all arrows, one for each, of the given widths and heights.
///
/// Each number chooses among places along its own arrow, in turn, given where the others stand, until none moves.
pub(super) fn placed(body: Rect, boxes: &[Rect], arrows: &[Arrow], sizes: &[(f64, f64)]) -> Vec<Rect> {
    let candidates: Vec<Vec<(Rect, f64)>> = (0..arrows.len())
        .map(|index| {
            let places = along(&arrows[index], sizes[index]);
            places
                .into_iter()
                .map(|(place, cost)| (place, cost + standing(body, boxes, arrows, index, place)))
                .collect()
        })
        .collect();
    let cheapest = |choices: &Vec<(Rect, f64)>| {
        (0..choices.len()).min_by(|&a, &b| choices[a].1.total_cmp(&choices[b].1)).unwrap_or(0)
    };
    let mut chosen: Vec<usize> = candidates.iter().map(cheapest).collect();
    for _ in 0..ROUNDS {
        let before = chosen.clone();
        for index in 0..arrows.len() {
            let cost = |choice: usize| {
                let (place, own_cost) = candidates[index][choice];
                let others = (0..arrows.len()).filter(|&other| other != index);
                own_cost + others.map(|other| 100.0 * overlap(place, candidates[other][chosen[other]].0)).sum::<f64>()
            };
            let best = (0..candidates[index].len()).min_by(|&a, &b| cost(a).total_cmp(&cost(b)));
            chosen[index] = best.unwrap_or(0);
        }
        if chosen == before {
            break;
        }
    }
    chosen.iter().zip(&candidates).map(|(&choice, places)| places[choice].0).collect()
}

/// Places along an arrow with what they cost for being far from the best one, before its middle.
fn along(arrow: &Arrow, (width, height): (f64, f64)) -> Vec<(Rect, f64)> {
    let last = arrow.points.len() - 1;
    let at = |point: usize| {
        let (x, y) = arrow.points[point];
        Rect { left: x - width / 2.0, top: y - height / 2.0, width, height }
    };
    if arrow.is_loop {
        return vec![(at(last / 2), 0.0)];
    }
    let choice = |point: usize| {
        let share = point as f64 / last as f64;
        (at(point), 4.0 * (share - 0.42).abs())
    };
    (last / 8..=last - last / 5).map(choice).collect()
}

/// Cost of a place whatever the other numbers do: boxes and the border are forbidden, other arrows unwelcome.
fn standing(body: Rect, boxes: &[Rect], arrows: &[Arrow], arrow: usize, place: Rect) -> f64 {
    let outside = place.left < body.left
        || place.right() > body.right()
        || place.top < body.top
        || place.bottom() > body.bottom();
    let hit: f64 = boxes.iter().map(|node| overlap(place, *node)).sum();
    let crossed = |arrow: &Arrow| {
        let inside =
            |(x, y): &&(f64, f64)| *x > place.left && *x < place.right() && *y > place.top && *y < place.bottom();
        arrow.points.iter().any(|point| inside(&point))
    };
    let others = arrows.iter().enumerate().filter(|(index, _)| *index != arrow);
    let crossings = others.filter(|(_, arrow)| crossed(arrow)).count();
    f64::from(u8::from(outside)) * 1000.0 + 100.0 * hit + 1.5 * crossings as f64
}

/// Overlap of two rectangles, in square millimetres, plus one where they do at all.
fn overlap(a: Rect, b: Rect) -> f64 {
    let width = a.right().min(b.right()) - a.left.max(b.left) + APART_MM;
    let height = a.bottom().min(b.bottom()) - a.top.max(b.top) + APART_MM;
    if width > 0.0 && height > 0.0 { 1.0 + width * height } else { 0.0 }
}
