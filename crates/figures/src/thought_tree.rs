//! Reasoning backwards from the goal: the AND-OR tree of a position, and the legal moves that it comes to.

use super::boards;
use super::chart::{Chart, Page};
use super::key::Key;
use super::label::{Label, note};
use super::message::Message;
use super::sheet::{BLUE, INK, Mark, PALE, Pen, SOFT_INK, cell};
use super::{ChartError, Heading, PlottedData, Style};

mod columns;
mod drawing;
mod moves;
mod tree;

use drawing::{Drawing, EDGE_PT};

pub use tree::{LegalMove, Obstacle, ThoughtTree, WishedMove};

impl Chart for ThoughtTree {
    fn heading(&self) -> &Heading {
        &self.heading
    }

    fn check(&self) -> Result<(), String> {
        boards::check(&self.board)?;
        self.moves.iter().try_for_each(|legal| self.check_move(legal))?;
        let [n_wishes, n_obstacles] = [self.wishes.len(), self.obstacles.len()];
        for (place, wish) in self.wishes.iter().enumerate() {
            let what = format!("the wished move {place} ({:?})", wish.label);
            if wish.depth == 0 {
                return Err(format!("{what} has depth 0: depths count from 1"));
            }
            if let Some(legal) = wish.legal.filter(|&legal| legal >= self.moves.len()) {
                return Err(format!("{what} names the legal move {legal}, but there are {} from 0", self.moves.len()));
            }
            for &other in &wish.obstacles {
                let Some(obstacle) = self.obstacles.get(other) else {
                    return Err(format!("{what} names the obstacle {other}, but there are {n_obstacles} from 0"));
                };
                if wish.depth.checked_add(1) != Some(obstacle.depth) {
                    let (wish_depth, depth) = (wish.depth, obstacle.depth);
                    return Err(format!(
                        "{what} has depth {wish_depth} and its obstacle {other} {depth}: it must be one more"
                    ));
                }
            }
        }
        for (place, obstacle) in self.obstacles.iter().enumerate() {
            let (what, depth) = (format!("the obstacle {place}"), obstacle.depth);
            if depth < 2 {
                return Err(format!(
                    "{what} has depth {depth}: it must be one more than that of a wished move, from 2"
                ));
            }
            for &other in &obstacle.ways {
                let Some(way) = self.wishes.get(other) else {
                    return Err(format!("{what} names the wished move {other}, but there are {n_wishes} from 0"));
                };
                if way.depth != depth {
                    return Err(format!("{what} has depth {depth} and its way {other} {}: give the same", way.depth));
                }
            }
        }
        for &root in &self.roots {
            match self.wishes.get(root).map(|wish| wish.depth) {
                None => return Err(format!("a root is the wished move {root}, but there are {n_wishes} from 0")),
                Some(1) => {}
                Some(depth) => return Err(format!("the root {root} has depth {depth}: it must be 1")),
            }
        }
        Ok(())
    }

    fn keys(&self, _: &Style) -> Vec<Key> {
        let line = Pen::new(SOFT_INK, EDGE_PT);
        let mut keys = vec![
            Key::mark(Mark::Field(PALE, 1.0), Message::WishedMove),
            Key::mark(Mark::Field(BLUE, 1.0), Message::LegalMove),
            Key::mark(Mark::Disc(INK), Message::Obstacle),
            Key::mark(Mark::Line(line), Message::AllMustGo),
            Key::mark(Mark::Dashed(line), Message::OneIsEnough),
        ];
        if self.obstacles.iter().any(|obstacle| obstacle.ways.is_empty()) {
            keys.insert(3, Key::mark(Mark::Cross(INK), Message::ObstacleAtEnd));
        }
        keys
    }

    fn pages<'a>(&'a self, style: &'a Style, room_mm: f64) -> Result<Vec<Page<'a>>, ChartError> {
        if self.roots.is_empty() || boards::is_empty(&self.board) {
            return Ok(vec![Page::empty(self.data(&[]))]);
        }
        let mut drawing = Drawing::new(self, style, room_mm)?;
        if !self.notes_on(&drawing).is_empty() {
            // Room for the lines of these notes, whatever their language.
            drawing = Drawing::new(self, style, room_mm - NOTE_LINES * style.label().line_mm())?;
        }
        let (data, height) = (self.data(&drawing.depths()), drawing.height);
        let (notes, reading) = (Some(self.notes_on(&drawing)), Some(self.reading_of(&drawing)));
        Ok(vec![Page { notes, reading, ..Page::new(data, height, move |sheet, body| drawing.draw(sheet, body)) }])
    }
}

/// Lines that the notes need at most.
const NOTE_LINES: f64 = 3.0;

impl ThoughtTree {
    fn check_move(&self, legal: &LegalMove) -> Result<(), String> {
        boards::check(&legal.after)?;
        let [after, board] = [&legal.after, &self.board].map(|board| (board.height, board.width));
        if after != board {
            let ((rows, columns), label) = (board, &legal.label);
            return Err(format!(
                "the board behind {label:?} has {} × {} cells, that of the position {rows} × {columns}",
                after.0, after.1
            ));
        }
        match legal.probability {
            Some(value) if !(0.0..=1.0).contains(&value) => {
                Err(format!("{:?} has the probability {value}: it must be within 0 to 1", legal.label))
            }
            _ => Ok(()),
        }
    }

    fn notes_on(&self, drawing: &Drawing) -> Vec<Label> {
        let drawn = drawing.depths();
        let n_wishes = self.wishes.iter().filter(|wish| !drawn.contains(&wish.depth)).count();
        let n_obstacles = self.obstacles.iter().filter(|obstacle| !drawn.contains(&obstacle.depth)).count();
        let to =
            (n_wishes + n_obstacles > 0).then(|| Message::DrawnToDepth.with([drawn.last().unwrap_or(&0).to_string()]));
        let notes = [
            to,
            note(n_wishes, Message::WishedMoveNotDrawn, Message::WishedMovesNotDrawn),
            note(n_obstacles, Message::ObstacleNotDrawn, Message::ObstaclesNotDrawn),
            note(drawing.moves_not_listed(), Message::MoreMoveNotShown, Message::MoreMovesNotShown),
        ];
        notes.into_iter().flatten().collect()
    }

    fn reading_of(&self, drawing: &Drawing) -> String {
        let first = match self.roots.len() {
            1 => "the move at the left ends the level",
            _ => "the moves at the left end the level or must all be made some time",
        };
        let ends = match self.obstacles.iter().any(|obstacle| obstacle.ways.is_empty()) {
            true => {
                "; at a cross it ends without a move, because nothing takes the obstacle away or thought would go in a circle"
            }
            false => "",
        };
        let cut = if drawing.is_cut() { "; three dots stand for thoughts that are too deep for the page" } else { "" };
        let mut sentences = vec![
            format!("Thought runs from left to right, backwards from the goal, each step one depth; {first}"),
            "Solid lines lead from a wished move to the obstacles in its way: all of them must go first (AND, an arc joins the \
             lines)"
                .to_owned(),
            "Dashed lines lead from an obstacle to the moves that take it away: any of them is enough (OR)".to_owned(),
            "What several chains of thought come to at one depth stands there once".to_owned(),
            format!("Thought ends at a move in blue, which can be made now{ends}{cut}"),
        ];
        if !self.moves.is_empty() {
            let (wide, p) = match self.has_probabilities() {
                true => (", the wider the more probable", " and the probability p that it is made next"),
                false => ("", ""),
            };
            sentences.push(format!(
                "Arrows on the board are the legal moves that thought comes to{wide}; the list has the first depth of each{p}"
            ));
        }
        sentences.push(boards::as_sentence(boards::legend(&[&self.board], true)));
        sentences.retain(|sentence| !sentence.is_empty());
        sentences.join(". ")
    }

    /// Legal moves and nodes, and whether the nodes are drawn.
    fn data(&self, drawn: &[u32]) -> PlottedData {
        let mut data = PlottedData::new("kind,id,depth,label,is_legal,probability,leads_to,is_drawn");
        let ids = |places: &[usize]| places.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
        let probability =
            |legal: Option<usize>| legal.and_then(|legal| self.moves[legal].probability).map(cell).unwrap_or_default();
        for (id, legal) in self.moves.iter().enumerate() {
            let depth = self.first_depth(id).map(|depth| depth.to_string()).unwrap_or_default();
            let head = ["legal move".to_owned(), id.to_string(), depth, legal.label.clone(), "true".to_owned()];
            data.rows.push(head.into_iter().chain([probability(Some(id)), String::new(), String::new()]).collect());
        }
        for (id, wish) in self.wishes.iter().enumerate() {
            data.rows.push(vec![
                "wished move".to_owned(),
                id.to_string(),
                wish.depth.to_string(),
                wish.label.clone(),
                wish.legal.is_some().to_string(),
                probability(wish.legal),
                ids(&wish.obstacles),
                drawn.contains(&wish.depth).to_string(),
            ]);
        }
        for (id, obstacle) in self.obstacles.iter().enumerate() {
            let head = ["obstacle".to_owned(), id.to_string(), obstacle.depth.to_string()];
            let tail = [ids(&obstacle.ways), drawn.contains(&obstacle.depth).to_string()];
            data.rows.push(head.into_iter().chain([const { String::new() }; 3]).chain(tail).collect());
        }
        data
    }
}

#[cfg(test)]
mod tests;
