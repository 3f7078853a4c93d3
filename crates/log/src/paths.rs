//! Columns from the paths of files.

use super::error::LogError;
use super::pattern::{PathPattern, columns_of_entities};
use super::source::Source;
use super::spec::LogSpec;

/// Column that the path of a file tells, with its cell.
pub(crate) type PathColumn = (String, Option<String>);

/// Columns that a study takes from the paths of files.
pub(crate) struct Paths<'a> {
    pattern: Option<PathPattern>,
    spec: &'a LogSpec,
}

impl<'a> Paths<'a> {
    pub(crate) fn new(spec: &'a LogSpec) -> Result<Self, LogError> {
        let pattern = spec.path.as_deref().map(PathPattern::new).transpose()?;
        Ok(Self { pattern, spec })
    }

    /// Columns that the path of a file tells, that the file itself does not have.
    pub(crate) fn told_by(&self, source: &Source) -> Result<Vec<PathColumn>, LogError> {
        let path = &source.file.path;
        let parts = self.pattern.as_ref().map_or(Ok(Vec::new()), |pattern| pattern.columns_of(path))?;
        let mut parts: Vec<_> = parts.into_iter().map(|(name, text)| (name, Some(text))).collect();
        let is_new = |name: &String| !source.columns.contains(name);
        parts.extend(columns_of_entities(&self.spec.entities, path).into_iter().filter(|(name, _)| is_new(name)));
        Ok(parts)
    }
}
