//! Groups of a figure: trials or attempts that its facets show together.

use super::input::FigureInput;
use plymap_analysis::dataset::AttemptRow;
use plymap_analysis::two_groups::Factor;
use plymap_figures::{Facets, Label, Message};
use plymap_measures::measure::{Trial, index};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};

/// Level, condition and participant of a member of a group.
#[derive(Clone, Copy)]
pub(super) struct Owner<'a> {
    pub level: &'a str,
    pub condition: Option<&'a str>,
    pub participant: &'a str,
}

/// Group of a figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group<T> {
    /// Name of the level, condition or participant; empty where all stand together.
    pub name: String,
    pub members: Vec<T>,
}

/// Draws `most` of the numbers from 0 to `n` - 1 at random; returns all of them if there are no more.
pub fn drawn(n: usize, most: usize, seed: u64) -> BTreeSet<usize> {
    match n <= most {
        true => (0..n).collect(),
        false => rand::seq::index::sample(&mut ChaCha8Rng::seed_from_u64(seed), n, most).into_iter().collect(),
    }
}

impl<T> Group<T> {
    /// Draws at random the members that a figure shows, if there are more than `most`; that of number `example` is
    /// among them. They keep their order.
    pub(super) fn shown(&self, most: usize, example: Option<usize>, seed: u64) -> Vec<(usize, &T)> {
        let mut shown = drawn(self.members.len(), most, seed);
        if let Some(example) = example.filter(|example| !shown.contains(example)) {
            shown.pop_last();
            shown.insert(example);
        }
        shown.into_iter().map(|number| (number, &self.members[number])).collect()
    }
}

/// Name of the group without a condition, as in the table `description`.
const NO_CONDITION: &str = "(none)";

/// Groups members by these facets: levels in this order, conditions and participants by their names.
pub(super) fn grouped<'a, T>(
    facets: Facets,
    levels: &[String],
    members: impl Iterator<Item = T>,
    owner: impl Fn(&T) -> Owner<'a>,
) -> Vec<Group<T>> {
    let mut groups: BTreeMap<(usize, String), Vec<T>> = BTreeMap::new();
    // A level is shown even if nothing of it can be.
    match facets {
        Facets::Level => groups.extend(levels.iter().cloned().enumerate().map(|key| (key, Vec::new()))),
        Facets::None => groups.extend([((0, String::new()), Vec::new())]),
        Facets::Condition | Facets::Participant => {}
    }
    for member in members {
        let owner = owner(&member);
        let key = match facets {
            Facets::None => (0, ""),
            Facets::Level => {
                (levels.iter().position(|level| level == owner.level).unwrap_or(levels.len()), owner.level)
            }
            Facets::Condition => (0, owner.condition.unwrap_or(NO_CONDITION)),
            Facets::Participant => (0, owner.participant),
        };
        groups.entry((key.0, key.1.to_owned())).or_default().push(member);
    }
    groups.into_iter().map(|((_, name), members)| Group { name, members }).collect()
}

impl<'a> FigureInput<'a> {
    /// The levels that were played, in the order of the study.
    pub(super) fn played_levels(&self) -> Vec<String> {
        let played = &self.data.levels;
        let names = self.levels.iter().map(|level| level.id.as_str());
        names.filter(|name| index(played, name).is_some()).map(str::to_owned).collect()
    }

    /// Groups of trials.
    pub(super) fn trials(&self, facets: Facets) -> Vec<Group<&'a Trial>> {
        let data = self.data;
        let owner = |trial: &&'a Trial| Owner {
            level: &data.levels[trial.level],
            condition: trial.condition.as_deref(),
            participant: &data.participants[trial.participant],
        };
        grouped(facets, &self.played_levels(), data.trials.iter(), owner)
    }

    /// Groups of attempts with moves.
    pub(super) fn attempts(&self, facets: Facets) -> Vec<Group<&'a AttemptRow>> {
        let data = self.data;
        let owner = |attempt: &&'a AttemptRow| Owner {
            level: &data.levels[attempt.level],
            condition: attempt.condition.as_deref(),
            participant: &data.participants[attempt.participant],
        };
        let attempts = data.attempts.iter().filter(|attempt| !attempt.moves.is_empty());
        grouped(facets, &self.played_levels(), attempts, owner)
    }

    /// The facets of a figure that shows conditions where there are a few, else all together.
    pub(super) fn facets_by_condition(&self, name: &str) -> Facets {
        let mut conditions: Vec<Option<&String>> =
            self.data.trials.iter().map(|trial| trial.condition.as_ref()).collect();
        conditions.sort_unstable();
        conditions.dedup();
        let usual = if (2..=6).contains(&conditions.len()) { Facets::Condition } else { Facets::None };
        self.styles.facets_of(name, usual)
    }
}

/// Returns the name of a figure with a suffix for its facets.
pub(super) fn named_by(name: &str, facets: Facets) -> String {
    match facets {
        Facets::None => name.to_owned(),
        _ => format!("{name}-by-{}", facets.name()),
    }
}

/// Returns the title of a figure with its facets.
pub(super) fn titled_by(title: Message, facets: Facets) -> Label {
    let by = match facets {
        Facets::None => return title.into(),
        Facets::Level => Message::ByLevel,
        Facets::Condition => Message::ByCondition,
        Facets::Participant => Message::ByParticipant,
    };
    Label::Parts(vec![title.into(), by.into()])
}

/// Returns the title of a figure of groups by a factor.
pub(super) fn titled_by_factor(title: Message, factor: Factor) -> Label {
    let by = match factor {
        Factor::Condition => Message::ByCondition,
        Factor::Level => Message::ByLevel,
        Factor::Participant => Message::ByParticipant,
        Factor::Solved => Message::BySolved,
    };
    Label::Parts(vec![title.into(), by.into()])
}

/// A subtitle with the name of a group before it, if it has one.
pub(super) fn of_group(name: &str, subtitle: &str) -> String {
    if name.is_empty() { subtitle.to_owned() } else { format!("{name}; {subtitle}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(facets: Facets) -> Vec<(String, Vec<u8>)> {
        let levels = ["z".to_owned(), "a".to_owned(), "m".to_owned()];
        let owner = |&number: &u8| Owner {
            level: if number < 3 { "a" } else { "z" },
            condition: (number > 1).then_some(if number % 2 == 0 { "even" } else { "odd" }),
            participant: if number == 4 { "p1" } else { "p2" },
        };
        let groups = grouped(facets, &levels, 1..=5, owner);
        groups.into_iter().map(|group| (group.name, group.members)).collect()
    }

    #[test]
    fn every_member_stands_in_the_group_of_its_owner() {
        let group = |name: &str, members: &[u8]| (name.to_owned(), members.to_vec());
        assert_eq!(groups(Facets::None), [group("", &[1, 2, 3, 4, 5])]);
        assert_eq!(groups(Facets::Level), [group("z", &[3, 4, 5]), group("a", &[1, 2]), group("m", &[])]);
        assert_eq!(groups(Facets::Condition), [group("(none)", &[1]), group("even", &[2, 4]), group("odd", &[3, 5])]);
        assert_eq!(groups(Facets::Participant), [group("p1", &[4]), group("p2", &[1, 2, 3, 5])]);
    }

    #[test]
    fn names_and_titles_say_the_facets() {
        assert_eq!(named_by("transitions", Facets::Condition), "transitions-by-condition");
        assert_eq!(titled_by(Message::Level, Facets::None).english(), "level");
        assert_eq!(titled_by(Message::Level, Facets::Condition).english(), "level, by condition");
        assert_eq!(of_group("speed", "12 moves"), "speed; 12 moves");
    }
}
