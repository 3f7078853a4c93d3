//! What paths tell of files.

use super::error::LogError;
use super::pattern::{PathPattern, columns_of_entities};
use super::source::Source;
use super::spec::LogSpec;

/// What the path of a file tells of it: a column, and its cell.
pub(crate) type Told = (String, Option<String>);

/// What paths tell of files, as a study says it.
pub(crate) struct Paths<'a> {
    pattern: Option<PathPattern>,
    spec: &'a LogSpec,
}

impl<'a> Paths<'a> {
    pub(crate) fn new(spec: &'a LogSpec) -> Result<Self, LogError> {
        let pattern = spec.path.as_deref().map(PathPattern::new).transpose()?;
        Ok(Self { pattern, spec })
    }

    /// What the path of a file tells of it, as columns that the file itself does not have.
    pub(crate) fn told_by(&self, source: &Source) -> Result<Vec<Told>, LogError> {
        let path = &source.file.path;
        let told = self.pattern.as_ref().map_or(Ok(Vec::new()), |pattern| pattern.columns_of(path))?;
        let mut told: Vec<_> = told.into_iter().map(|(name, text)| (name, Some(text))).collect();
        let is_new = |name: &String| !source.columns.contains(name);
        told.extend(columns_of_entities(&self.spec.entities, path).into_iter().filter(|(name, _)| is_new(name)));
        Ok(told)
    }
}
