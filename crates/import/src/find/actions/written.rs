//! Moves whose parts stand in one text.

use super::Actions;
use crate::find::finder::Finder;
use crate::form::Form;
use crate::words;
use plymap_expression::{Expression, Template};
use plymap_log::{ColumnSpec, Notation, PipelineStep, Replace, SampleRow};
use std::collections::HashMap;

impl Finder<'_> {
    /// Moves whose parts were made columns, as a notation of the text that they stand in. Those that are made of other
    /// columns, too, stay as they are, if every text of the form has its parts.
    pub(crate) fn written_in(&self, form: &Form, actions: Actions) -> Option<Actions> {
        let place = self.sample.place(&form.column)?;
        let parts: Vec<usize> =
            (0..self.sample.columns.len()).filter(|&place| form.has_part(self.name(place))).collect();
        if self.level_places.iter().chain(&self.people).any(|place| parts.contains(place)) {
            return None;
        }
        let places: Vec<usize> = actions.places.iter().chain(&parts).copied().chain([place]).collect();
        let Some((_, ColumnSpec::Template { template })) = actions.columns.first() else { return None };
        let parsed = Template::parse(template).ok()?;
        if !parsed.expressions().flat_map(Expression::names).all(|name| form.has_part(name)) {
            let has_parts =
                |row: &SampleRow| row.cell(place).is_none() || parts.iter().all(|&part| row.cell(part).is_some());
            return self.sample.rows.iter().all(has_parts).then_some(Actions { places, ..actions });
        }
        // What a text says beside them must follow from them, as `cells` does from a number.
        let is_used = |part: &&usize| actions.places.contains(part);
        let (used, unused): (Vec<&usize>, Vec<&usize>) = parts.iter().partition(is_used);
        let mut said: HashMap<Vec<Option<String>>, Vec<Option<String>>> = HashMap::new();
        for row in &self.sample.rows {
            let rest = cells(row, &unused);
            if *said.entry(cells(row, &used)).or_insert_with(|| rest.clone()) != rest {
                return None;
            }
        }
        let words = actions.steps.iter().map(|step| match step {
            PipelineStep::Replace(Replace { column, values, by: None }) => {
                let word = |(word, sign): (&String, &toml::Value)| Some((word.clone(), sign.as_str()?.to_owned()));
                Some((column.clone(), values.iter().filter_map(word).collect()))
            }
            _ => None,
        });
        let notation = Notation {
            column: form.column.clone(),
            read: vec![form.read.clone()],
            write: template.clone(),
            words: words.collect::<Option<_>>()?,
        };
        Some(Actions {
            steps: vec![PipelineStep::Notation(notation)],
            columns: vec![("action", ColumnSpec::column(&form.column))],
            events: self.events_among_moves(place),
            without: self.without(place),
            instead_of: Some(form.step()),
            places,
            is_named: words::is_called(&form.column, &words::MOVES),
            reason: format!("moves are written as {:?}", form.read),
            ..actions
        })
    }
}

fn cells(row: &SampleRow, places: &[&usize]) -> Vec<Option<String>> {
    places.iter().map(|&&place| row.cell(place).map(str::to_owned)).collect()
}
