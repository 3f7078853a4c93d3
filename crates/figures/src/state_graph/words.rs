//! Texts of the drawing: notes, legend, how to read it, and the data behind it.

use super::super::key::Key;
use super::super::label::{Label, note};
use super::super::message::Message;
use super::super::sheet::{BLUE, INK, MM_PER_PT, Mark, Number, Pen, YELLOW, cell, grouped, viridis};
use super::super::{ChartError, PlottedData, Style};
use super::flows::{Flows, Look};
use super::graph::{Colouring, MAX_LETTERS, Step};
use super::legend::{Legend, LegendGroup, Sample, SampleLabel, scale};
use super::nodes::{Drawing, Overlay, body_mm};
use super::paint::{BRIGHTEST, DEAD, RED, Radii, pale};
use super::traps::Rates;
use crate::sheet::{MARGIN, Rect};

impl Drawing<'_> {
    /// Sentences for the subtitle: what was summed up or is not drawn.
    pub(super) fn notes(&self) -> Vec<Label> {
        let mut notes = Vec::new();
        if self.binned {
            let sizes = match self.overlay {
                Overlay::None => Message::AreaByStates,
                Overlay::Flows(_) => Message::PaleDiscsByStates,
                Overlay::Rates(_) => Message::VisitedStatesApart,
            };
            notes.push(Label::Parts(vec![Message::StatesSummedUp.count(self.nodes.len()), sizes.into()]));
        }
        let visited = self.nodes.iter().filter(|node| node.visited);
        let shared = visited.filter(|node| node.state.is_none()).count();
        notes.extend(note(shared, Message::VisitedDisc, Message::VisitedDiscs));
        match &self.overlay {
            Overlay::None => {}
            Overlay::Flows(flows) => {
                notes.extend(pale_note(flows));
                notes.extend(flow_notes(flows, self.binned));
            }
            Overlay::Rates(rates) => notes.extend(rate_notes(rates)),
        }
        notes
    }

    /// The legend of the graph itself.
    pub(super) fn keys(&self) -> Vec<Key> {
        let mut keys = Vec::new();
        if self.start.is_some() {
            keys.push(Key::Mark(Mark::RimmedDiamond(YELLOW), Message::Start.into()));
        }
        if self.nodes.iter().any(|node| node.is_goal) {
            keys.push(Key::Mark(
                Mark::Square(RED),
                if self.binned { Message::WithGoals } else { Message::Goal }.into(),
            ));
        }
        match (&self.overlay, self.input.colouring) {
            (Overlay::Rates(rates), _) => keys.push(Key::Ramp {
                title: Message::ErrorRate.into(),
                low: Number::new("0 %".to_owned()),
                high: Number::new(format!("{} %", rates.top_percent)),
                from: Rates::ramp(0.0),
                to: Rates::ramp(1.0),
            }),
            (Overlay::Flows(_), Colouring::Blue) => {}
            (_, Colouring::Blue) => keys.push(Key::Mark(Mark::Disc(BLUE), Message::OtherState.into())),
            (_, Colouring::Distance) if self.farthest == 0 => {}
            (_, Colouring::Distance) => {
                let (low, high) = (Number::count(0), Number::count(self.farthest.into()));
                keys.push(Key::Ramp { title: Message::DistanceToGoal.into(), low, high, from: 0.0, to: BRIGHTEST });
            }
        }
        if self.beyond.is_some() && !matches!(self.overlay, Overlay::Rates(_)) {
            keys.push(Key::Mark(Mark::Disc(DEAD), Message::NoPathToGoal.into()));
        }
        keys
    }

    /// The legend of what is drawn on the graph; empty where that is nothing.
    pub(super) fn legend(&self, style: &Style) -> Result<Legend, ChartError> {
        let place = Rect { left: 0.0, top: 0.0, width: style.width_mm - 2.0 * MARGIN, height: body_mm(style) - 8.0 };
        let groups = match &self.overlay {
            _ if self.nodes.is_empty() => Vec::new(),
            Overlay::None => Vec::new(),
            Overlay::Flows(flows) => self.flow_groups(flows, &Radii::new(self, &self.plot(place))),
            Overlay::Rates(rates) => self.rate_groups(rates, &Radii::new(self, &self.plot(place))),
        };
        Legend::new(groups, style)
    }

    fn flow_groups(&self, flows: &Flows, radii: &Radii) -> Vec<LegendGroup> {
        let is_way = flows.ends.is_some();
        let names = [
            (Step::Optimal, Message::OptimalMove),
            (Step::Error, Message::Error),
            (Step::Jump, Message::UndoOrRestart),
        ];
        let shown = names.into_iter().filter(|(kind, _)| flows.has(*kind));
        let mut groups: Vec<LegendGroup> = shown
            .map(|(kind, name)| LegendGroup::one(Sample::Line(Look { kind, width: 0.4, alpha: 0.9 }, is_way), name))
            .collect();
        if flows.most() > 1 {
            let sample = |count: u64| {
                let width = flows.width_mm(count, radii.widest_flow);
                (
                    Sample::Line(Look { kind: Step::Optimal, width, alpha: flows.alpha(Step::Optimal, count) }, false),
                    SampleLabel::Number(Number::count(count)),
                )
            };
            let coloured = scale(flows.most()).into_iter().filter(|&count| count >= flows.least_coloured);
            let samples = coloured.map(sample).collect();
            groups.push(LegendGroup { title: Message::TimesMade.into(), samples });
        }
        let colour = match self.input.colouring {
            Colouring::Distance => viridis(0.5 * BRIGHTEST),
            Colouring::Blue => BLUE,
        };
        groups.extend(self.state_groups(radii, colour, Some(Pen::new(INK, 0.13 / MM_PER_PT))));
        groups
    }

    fn rate_groups(&self, rates: &Rates, radii: &Radii) -> Vec<LegendGroup> {
        let mut groups = Vec::new();
        let sample = |n_visits: u64| {
            let radius = radii.of_visits(n_visits, rates.most_visits);
            (
                Sample::Disc { radius, colour: rates.colour(0.0), rim: None },
                SampleLabel::Number(Number::count(n_visits)),
            )
        };
        if rates.by_node.iter().any(|rate| rate.n_visits > 0) {
            let samples = scale(rates.most_visits).into_iter().map(sample).collect();
            groups.push(LegendGroup { title: Message::Visits.into(), samples });
        }
        if rates.n_flagged > 0 {
            let flag = self.input.traps.as_ref().map(|traps| traps.flag.clone()).unwrap_or_default();
            let flag = Label::given_or(&flag, Message::MoreErrorsThanByChance);
            let rim = Some(Pen::new(INK, 0.26 / MM_PER_PT));
            groups.push(LegendGroup::one(Sample::Disc { radius: 0.95, colour: rates.colour(1.0), rim }, flag));
        }
        if self.nodes.iter().any(|node| !node.visited) {
            let dot = Sample::Disc { radius: 0.4, colour: pale(DEAD), rim: None };
            groups.push(LegendGroup::one(dot, Message::NotVisited));
        }
        groups
    }

    fn state_groups(&self, radii: &Radii, colour: plotters::style::RGBColor, rim: Option<Pen>) -> Vec<LegendGroup> {
        let radius = radii.visited.clamp(0.5, 0.9);
        let mut groups = Vec::new();
        if self.nodes.iter().any(|node| node.visited) {
            groups.push(LegendGroup::one(Sample::Disc { radius, colour, rim }, Message::VisitedState));
        }
        if self.nodes.iter().any(|node| !node.visited) {
            groups
                .push(LegendGroup::one(Sample::Disc { radius, colour: pale(colour), rim: None }, Message::NotVisited));
        }
        groups
    }

    pub(super) fn reading(&self) -> String {
        let place = match (self.by_distance, self.binned) {
            (true, false) => "states stand by their distance to the goal; the larger a layer, the more states it has",
            (true, true) => "discs stand by their distance to the goal",
            (false, _) => "they stand where the layout puts them",
        };
        let line = match (self.binned, self.is_pale()) {
            (false, false) => "Each line joins two states that one move leads between",
            (false, true) => "Each pale line joins two states that one move leads between",
            (true, false) => {
                "Each disc stands for states of one distance, each line for all moves between two discs; discs of very \
                 few states, and squares with goals, are drawn larger so that they can be seen"
            }
            (true, true) if !self.by_distance => {
                "Each disc stands for states of one distance, each pale line for all moves between two discs; states \
                 that somebody came to are apart from others"
            }
            (true, true) => {
                "Each disc stands for states of one distance, each pale line for all moves between two discs of \
                 different distances; states that somebody came to are apart from others"
            }
        };
        match &self.overlay {
            Overlay::None => format!("{line}; {place}"),
            Overlay::Flows(flows) => format!("{line}; {place}. {}", flow_reading(flows)),
            Overlay::Rates(rates) => format!("{line}; {place}. {}", rate_reading(rates)),
        }
    }

    /// The nodes and the edges as they are drawn: of states, or of discs with what they stand for.
    pub(super) fn data(&self) -> PlottedData {
        let more = match &self.overlay {
            Overlay::None => "",
            Overlay::Flows(flows) if flows.ends.is_some() => ",visited,state,quality,steps",
            Overlay::Flows(_) => ",visited,state,quality",
            Overlay::Rates(_) => ",visited,state,n_visits,n_errors,n_flagged,letters",
        };
        let mut data = PlottedData::new(&format!("kind,id,target,distance,n,has_start,has_goal,x,y{more}"));
        let columns = data.header.len();
        let mut push = |cells: Vec<String>| {
            let missing = columns - cells.len();
            data.rows.push(cells.into_iter().chain(std::iter::repeat_n(String::new(), missing)).collect());
        };
        let kind = if self.binned { "disc" } else { "state" };
        for (id, node) in self.nodes.iter().enumerate() {
            let distance = node.distance.map(|distance| distance.to_string()).unwrap_or_default();
            let has_start = self.start == Some(id as u32);
            let (x, y) = if self.by_distance { Default::default() } else { (cell(node.x), cell(node.y)) };
            let flags = [has_start.to_string(), node.is_goal.to_string()];
            let head = [kind.to_owned(), id.to_string(), String::new(), distance, node.size.to_string()];
            let mut cells: Vec<String> = head.into_iter().chain(flags).chain([x, y]).collect();
            if self.is_pale() {
                let state = node.state.map(|state| state.to_string()).unwrap_or_default();
                cells.extend([node.visited.to_string(), state]);
            }
            if let Overlay::Rates(rates) = &self.overlay
                && node.visited
            {
                let rate = &rates.by_node[id];
                let numbers = [rate.n_visits.to_string(), rate.n_errors.to_string(), rate.n_flagged.to_string()];
                cells.extend(numbers.into_iter().chain([rate.letters.clone()]));
            }
            push(cells);
        }
        for (a, b, count) in &self.edges {
            push(["edge".to_owned(), a.to_string(), b.to_string(), String::new(), count.to_string()].into());
        }
        if let Overlay::Flows(flows) = &self.overlay {
            for flow in &flows.flows {
                let head = ["moves".to_owned(), flow.from.to_string(), flow.to.to_string(), String::new()];
                let mut cells: Vec<String> = head.into_iter().chain([flow.count.to_string()]).collect();
                // Up to the column of the quality.
                cells.resize(11, String::new());
                cells.push(format!("{:?}", flow.kind).to_lowercase());
                cells.push(flow.numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(" "));
                cells.truncate(columns);
                push(cells);
            }
        }
        data
    }
}

/// What is pale, with its share of all moves.
fn pale_note(flows: &Flows) -> Option<Label> {
    let (lines, moves) = flows.pale();
    let all: u64 = flows.flows.iter().fold(0, |sum, flow| sum.saturating_add(flow.count));
    let percent = (100.0 * moves as f64 / all.max(1) as f64).round();
    let numbers = [grouped(flows.least_coloured), grouped(lines as u64), percent.to_string()];
    (lines > 0).then(|| Message::RareMovesPale.with(numbers))
}

fn flow_notes(flows: &Flows, binned: bool) -> Option<Label> {
    let (n, n_errors) = flows.inside;
    if n > 0 {
        let message = match (binned, n == 1, n_errors == 1) {
            (true, true, true) => Message::MoveInDiscError,
            (true, true, false) => Message::MoveInDiscErrors,
            (true, false, true) => Message::MovesInDiscError,
            (true, false, false) => Message::MovesInDiscErrors,
            (false, true, true) => Message::MoveInStateError,
            (false, true, false) => Message::MoveInStateErrors,
            (false, false, true) => Message::MovesInStateError,
            (false, false, false) => Message::MovesInStateErrors,
        };
        return Some(message.with([n, n_errors].map(grouped)));
    }
    (flows.flows.is_empty() && flows.ends.is_none_or(|ends| ends.2 == 0)).then(|| Message::NoMoveMade.into())
}

fn rate_notes(rates: &Rates) -> Option<Label> {
    if rates.by_node.iter().all(|rate| rate.n_visits == 0) {
        return Some(Message::NobodyChose.into());
    }
    let rims = note(rates.n_flagged, Message::StateWithRim, Message::StatesWithRim);
    let rims = rims.filter(|_| rates.n_flagged > MAX_LETTERS)?;
    Some(Label::Parts(vec![rims, Message::TooManyForLetters.into()]))
}

fn flow_reading(flows: &Flows) -> String {
    let errors = "errors, that is moves that are not optimal, are dashed and orange and have a head";
    let visits =
        if flows.share_of_visits(0).is_some() { "; the larger a disc with a rim, the more visits" } else { "" };
    match flows.ends {
        None => format!(
            "The wider a coloured line, the more often the move was made; {errors}; moves there and back run side by \
             side, each on the right of its direction{visits}"
        ),
        Some(_) => format!(
            "Coloured lines are the trajectory of one person, the wider the more often the move was made; {errors}; numbers \
             tell how many moves had been made at the ends of the trajectory and, beside up to 12 errors, which move it is"
        ),
    }
}

fn rate_reading(rates: &Rates) -> String {
    let letters = match rates.n_flagged {
        0 => "",
        1..=MAX_LETTERS => "; states with a rim and a letter stand out",
        _ => "; states with a rim stand out",
    };
    format!("Area of a disc by number of visits, the darker the more of the moves made there were errors{letters}")
}
