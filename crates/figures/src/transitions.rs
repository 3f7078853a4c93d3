//! Transitions between states, such as from the quality of one move to that of the next.

use super::chart::{Chart, Page};
use super::groups::common_names;
use super::label::Label;
use super::message::Message;
use super::sheet::{BLUE, INK, MARGIN, Number, Pen, Rect, SOFT_INK, Sheet, TextStyle, Translated, WHITE};
use super::sheet::{cell, grouped};
use super::{ChartError, FONT_PT, Heading, PlottedData, Style};

mod arrows;
mod labels;

use arrows::{Arrow, Nodes, width_pt};

/// The most states that one figure shows.
pub const MOST_STATES: usize = 6;

/// One state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Name, such as `better`.
    pub label: String,
    /// Number of times that it was observed.
    pub n: u64,
}

/// Number of times that one state was followed by another, or by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Transition {
    /// Index of the first state.
    pub from: usize,
    /// Index of the state that follows; the same for staying.
    pub to: usize,
    /// Number of such transitions.
    pub n: u64,
    /// Share among all transitions from the first state, 0 to 1.
    pub share: f64,
}

/// States and the transitions between them, such as those of one group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagram {
    /// Text behind the subtitle, such as the name of the group; may be empty.
    pub subtitle: String,
    /// The states, at most 6, clockwise from the top or from the upper left; two stand side by side.
    pub states: Vec<State>,
    /// The transitions, one for each pair at most; a pair that is missing did not occur.
    pub transitions: Vec<Transition>,
}

/// States as boxes and transitions as arrows whose width is their share, on a page for each diagram. All pages have the
/// states of all diagrams, each at the same place, and the same widths of arrows for the same shares.
///
/// There must be at most 6 states in all; transitions must be between states that exist and be given once, shares
/// within 0 to 1 and those from a state at most 1 in all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transitions {
    /// Name, title, subtitle.
    pub heading: Heading,
    /// Noun for the things that are counted, in the plural, such as `moves`; empty for `moves`.
    pub counted: String,
    /// Transitions of a smaller share, 0 to 1, have no arrow; the figure says how many.
    pub least_share: f64,
    /// The diagrams, in the order of their pages.
    pub diagrams: Vec<Diagram>,
}

impl Chart for Transitions {
    fn heading(&self) -> &Heading {
        &self.heading
    }

    fn check(&self) -> Result<(), String> {
        let numbers = self.diagrams.iter().map(|diagram| diagram.states.len());
        if let Some(states) = numbers.chain([self.names().len()]).find(|&states| states > MOST_STATES) {
            return Err(format!("{states} states, but one figure shows {MOST_STATES} at most: join some"));
        }
        if !(0.0..=1.0).contains(&self.least_share) {
            return Err(format!("the least share is {}: it must be within 0 to 1", self.least_share));
        }
        for diagram in &self.diagrams {
            let states = diagram.states.len();
            let mut sums = vec![0.0; states];
            for (index, &Transition { from, to, share, .. }) in diagram.transitions.iter().enumerate() {
                if from >= states || to >= states {
                    return Err(format!("a transition goes from state {from} to {to}, but there are {states} states"));
                }
                let pair =
                    format!("the transition from {:?} to {:?}", diagram.states[from].label, diagram.states[to].label);
                if diagram.transitions[..index].iter().any(|other| (other.from, other.to) == (from, to)) {
                    return Err(format!("{pair} is given twice"));
                }
                if !(0.0..=1.0).contains(&share) {
                    return Err(format!("{pair} has a share of {share}: it must be within 0 to 1"));
                }
                sums[from] += share;
            }
            if let Some((sum, state)) = sums.iter().zip(&diagram.states).find(|(sum, _)| **sum > 1.001) {
                return Err(format!("the shares from {:?} sum to {sum}: they must not exceed 1", state.label));
            }
        }
        Ok(())
    }

    fn pages<'a>(&'a self, style: &'a Style, _: f64) -> Result<Vec<Page<'a>>, ChartError> {
        let width = style.width_mm - 2.0 * MARGIN;
        let page = |diagram: Diagram| {
            let data = self.data(&diagram);
            let (notes, reading) = (Some(self.notes_of(&diagram)), Some(self.how_to_read()));
            if diagram.states.iter().all(|state| state.n == 0) && diagram.transitions.is_empty() {
                return Page { notes, reading, ..Page::empty(data) };
            }
            let em = style.label().em_mm();
            // Larger text than usual needs a higher drawing, as the sheet is no wider.
            let width = width * (style.label_pt / FONT_PT).max(1.0);
            let body_mm = match diagram.states.len() {
                1 | 2 => 10.0 * em,
                3 => (0.66 * width).min(27.0 * em),
                4 => (0.78 * width).min(32.0 * em),
                _ => (0.95 * width).min(39.0 * em),
            };
            let paint = move |sheet: &Sheet, body| self.draw_states(sheet, body, &diagram);
            Page { notes, reading, shrinks: true, ..Page::new(data, body_mm, paint) }
        };
        Ok(self.completed().map(page).collect())
    }
}

impl Transitions {
    /// The states of all diagrams.
    fn names(&self) -> Vec<&str> {
        common_names(self.diagrams.iter().map(|diagram| diagram.states.iter().map(|state| &*state.label).collect()))
    }

    /// The diagrams with all states, of which some may not occur in them.
    fn completed(&self) -> impl Iterator<Item = Diagram> {
        let names = self.names();
        self.diagrams.iter().map(move |diagram| {
            let occurring = |label: &str| diagram.states.iter().find(|state| state.label == label);
            let state =
                |&label: &&str| State { label: label.to_owned(), n: occurring(label).map_or(0, |state| state.n) };
            let place =
                |index: usize| names.iter().position(|name| *name == diagram.states[index].label).unwrap_or(index);
            let moved = |transition: &Transition| Transition {
                from: place(transition.from),
                to: place(transition.to),
                ..*transition
            };
            Diagram {
                subtitle: diagram.subtitle.clone(),
                states: names.iter().map(state).collect(),
                transitions: diagram.transitions.iter().map(moved).collect(),
            }
        })
    }

    fn counted(&self) -> &str {
        if self.counted.is_empty() { "moves" } else { &self.counted }
    }

    fn shown<'a>(&self, diagram: &'a Diagram) -> impl Iterator<Item = &'a Transition> {
        diagram.transitions.iter().filter(|transition| transition.is_shown(self))
    }

    fn notes_of(&self, diagram: &Diagram) -> Vec<Label> {
        let unit = format!("numbers are percent of the {} that follow a state", self.counted());
        let mut notes = vec![Label::from(&diagram.subtitle), Label::Given(unit)];
        let left_out = diagram
            .transitions
            .iter()
            .filter(|transition| transition.share > 0.0 && !transition.is_shown(self))
            .count();
        if left_out > 0 {
            let message = if left_out == 1 { Message::ArrowLeftOut } else { Message::ArrowsLeftOut };
            notes.push(message.with([left_out.to_string(), percent(self.least_share)]));
        }
        notes
    }

    fn how_to_read(&self) -> String {
        format!(
            "Boxes are states with the number n of their {}, the width of an arrow is the share of the {} from its start \
             that go to its head, a loop is staying",
            self.counted(),
            self.counted()
        )
    }

    fn data(&self, diagram: &Diagram) -> PlottedData {
        let mut data = PlottedData::new("from,n_from,to,n,share,drawn");
        for transition in &diagram.transitions {
            let (from, to) = (&diagram.states[transition.from], &diagram.states[transition.to]);
            data.rows.push(vec![
                from.label.clone(),
                from.n.to_string(),
                to.label.clone(),
                transition.n.to_string(),
                cell(transition.share),
                transition.is_shown(self).to_string(),
            ]);
        }
        data
    }

    fn draw_states(&self, sheet: &Sheet, body: Rect, diagram: &Diagram) -> Result<(), ChartError> {
        let (bold, plain) = (sheet.style.label().bold(), sheet.style.label());
        let texts = texts(diagram, body.width, &bold, &plain)?;
        // Boxes have room for the texts of every page.
        let mut sizes = vec![(9.0_f64, 2.0 * bold.line_mm() + 0.9); texts.len()];
        for other in self.completed() {
            for (size, (name, n)) in sizes.iter_mut().zip(self::texts(&other, body.width, &bold, &plain)?) {
                size.0 = size.0.max(bold.width_of(&name)?.max(plain.width_of(&n)?) + 2.0);
            }
        }
        let kind = sheet.style.small();
        let nodes = Nodes::new(body, &sizes, 2.4 * kind.em_mm());
        let arrows: Vec<Arrow> =
            self.shown(diagram).map(|shown| nodes.arrow(shown.from, shown.to, shown.share)).collect();
        // Narrow arrows last: a wide one must not hide them.
        let mut order: Vec<usize> = (0..arrows.len()).collect();
        order.sort_by(|&a, &b| arrows[b].share.total_cmp(&arrows[a].share));
        for &index in &order {
            draw_arrow(sheet, &arrows[index])?;
        }
        for (place, (name, n)) in nodes.places.iter().zip(&texts) {
            sheet.fill(&place.corners(), WHITE, 1.0)?;
            sheet.outline(&place.corners(), Pen::new(INK, 0.6))?;
            let x = place.centre().0;
            let base = place.top + 0.45 + 0.95 * bold.em_mm();
            sheet.text(x, base, name, bold.centre())?;
            sheet.text(x, base + plain.line_mm(), n, plain.centre().colour(SOFT_INK))?;
        }
        draw_labels(sheet, body, &nodes, &arrows)
    }
}

impl Transition {
    fn is_shown(&self, chart: &Transitions) -> bool {
        self.share > 0.0 && self.share >= chart.least_share
    }
}

/// A share in percent, with one digit below 10 where it is not whole.
fn percent(share: f64) -> String {
    let (tenths, whole) = ((share * 1e3).round(), (share * 100.0).round());
    match () {
        () if tenths == 0.0 && share > 0.0 => "<0.1".to_owned(),
        () if tenths < 100.0 => (tenths / 10.0).to_string(),
        // Only what is all is 100.
        () if whole == 100.0 && share < 1.0 => ">99".to_owned(),
        () => whole.to_string(),
    }
}

/// Name and n of each state as they are printed.
fn texts(
    diagram: &Diagram,
    width: f64,
    bold: &TextStyle,
    plain: &TextStyle,
) -> Result<Vec<(Translated, Translated)>, ChartError> {
    let widest = if diagram.states.len() > 4 { 0.2 * width } else { 0.26 * width };
    let text = |state: &State| {
        let n = format!("n = {}", grouped(state.n));
        Ok((bold.cut(&state.label, widest)?, plain.cut(&n, widest)?))
    };
    diagram.states.iter().map(text).collect()
}

/// The line, and a head at its end.
fn draw_arrow(sheet: &Sheet, arrow: &Arrow) -> Result<(), ChartError> {
    let (line, head) = arrow.drawn();
    sheet.line(&line, Pen::new(BLUE, width_pt(arrow.share)))?;
    sheet.fill(&head, BLUE, 1.0)
}

fn draw_labels(sheet: &Sheet, body: Rect, nodes: &Nodes, arrows: &[Arrow]) -> Result<(), ChartError> {
    let font = sheet.style.small().centre();
    let mut sizes = Vec::with_capacity(arrows.len());
    for arrow in arrows {
        sizes.push((font.width_of(&Number::new(percent(arrow.share)))? + 0.7, 0.73 * font.em_mm() + 0.7));
    }
    let places = labels::placed(body, &nodes.places, arrows, &sizes);
    for (arrow, place) in arrows.iter().zip(places) {
        let (x, y) = place.centre();
        sheet.fill(&place.corners(), WHITE, 0.85)?;
        sheet.text(x, y + font.half_cap_mm(), &Number::new(percent(arrow.share)), font)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
