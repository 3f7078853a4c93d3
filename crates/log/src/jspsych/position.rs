//! Positions as the task records them: `[[1,2,0],[3,0],[0]]`, each peg from the bottom, 0 for an empty place; or without
//! brackets, as writers of CSV flatten lists.

use super::imported::BALLS;

/// Room of the pegs of the published task, whose positions are read without brackets too.
const USUAL_ROOM: [usize; 3] = [3, 2, 1];

/// The balls of each peg from the bottom, and how many each peg has room for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pegs {
    pegs: Vec<Vec<u8>>,
    room: Vec<usize>,
}

impl Pegs {
    /// Reads a position; absent if the text is none.
    pub fn read(text: &str) -> Option<Self> {
        let compact: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
        let places: Vec<Vec<u8>> = match compact.strip_prefix("[[") {
            Some(inner) => inner.strip_suffix("]]")?.split("],[").map(places_of_peg).collect::<Option<_>>()?,
            None => {
                let mut balls = places_of_peg(&compact)?.into_iter();
                let pegs = USUAL_ROOM.map(|room| balls.by_ref().take(room).collect::<Vec<_>>());
                let is_whole = balls.next().is_none() && pegs.iter().map(Vec::len).eq(USUAL_ROOM);
                Some(pegs.into()).filter(|_| is_whole)?
            }
        };
        let room = places.iter().map(Vec::len).collect();
        // A gap below a ball is no position, and shows that columns are shifted.
        if places.iter().any(|peg| is_floating(peg)) || !(2..=9).contains(&places.len()) {
            return None;
        }
        let pegs = places.into_iter().map(|peg| peg.into_iter().filter(|&ball| ball != 0).collect()).collect();
        Some(Self { pegs, room })
    }

    pub fn room(&self) -> &[usize] {
        &self.room
    }

    pub fn n_pegs(&self) -> usize {
        self.pegs.len()
    }

    pub fn is_empty(&self, peg: usize) -> bool {
        self.pegs.get(peg).is_none_or(Vec::is_empty)
    }

    pub fn n_balls(&self) -> usize {
        self.pegs.iter().map(Vec::len).sum()
    }

    fn balls(&self) -> Vec<u8> {
        let mut balls: Vec<u8> = self.pegs.iter().flatten().copied().collect();
        balls.sort_unstable();
        balls
    }

    /// The one ball that is in `all` and not here, if it is one.
    pub fn missing_of(&self, all: &Self) -> Option<u8> {
        let mut missing = all.balls();
        for ball in self.balls() {
            let place = missing.iter().position(|&other| other == ball)?;
            missing.remove(place);
        }
        if missing.len() == 1 { missing.pop() } else { None }
    }

    /// The position with one more ball on a peg; absent if there is no such peg, or no room on it.
    pub fn with(&self, ball: u8, peg: usize) -> Option<Self> {
        let mut after = self.clone();
        let balls = after.pegs.get_mut(peg)?;
        if balls.len() >= self.room[peg] {
            return None;
        }
        balls.push(ball);
        Some(after)
    }

    /// In the notation of the Tower of London.
    pub fn notation(&self) -> String {
        let letter = |ball: &u8| {
            let number = usize::from(*ball);
            BALLS.get(number.wrapping_sub(1)).copied().unwrap_or(char::from(b'0' + *ball))
        };
        let peg = |balls: &Vec<u8>| if balls.is_empty() { "-".to_owned() } else { balls.iter().map(letter).collect() };
        self.pegs.iter().map(peg).collect::<Vec<String>>().join("/")
    }

    /// The level with this start and target, in the notation of the Tower of London.
    pub fn level_to(&self, target: &Self) -> String {
        let line = format!("{} > {}", self.notation(), target.notation());
        if self.room == USUAL_ROOM {
            return line;
        }
        let room: Vec<String> = self.room.iter().map(usize::to_string).collect();
        format!("# capacities: {}\n{line}", room.join(" "))
    }
}

/// The balls of a peg as the task writes them, 0 for an empty place.
fn places_of_peg(peg: &str) -> Option<Vec<u8>> {
    peg.split(',').map(|place| place.parse().ok().filter(|&ball| ball <= 9)).collect()
}

fn is_floating(peg: &[u8]) -> bool {
    peg.windows(2).any(|pair| pair[0] == 0 && pair[1] != 0)
}
