//! The fitted model of a participant as a policy: parameters taken by name from the tables of a run.
//!
//! A study writes `{ kind = "fitted", parameters = "…/choice_parameters.csv", participant = "p07" }`. Before anyone
//! plays, this is replaced by the policy of the fitted kind with the estimated parameters, so that tables of players
//! show numbers and not a reference.

use super::kind::SpecError;
use plymap_choice::Limit;
use plymap_choice::model::DEAD_END_REGRET;
use plymap_puzzles::diagnostic::separator_hint;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The name of the kind in studies.
pub const FITTED: &str = "fitted";

/// The entries of a reference to a fitted model.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reference {
    /// Always [`FITTED`].
    #[serde(rename = "kind")]
    _kind: String,
    /// The table `choice_parameters` of a run, as CSV.
    parameters: PathBuf,
    /// Participant whose model is played; the participants of the table in rotation where it is not given.
    participant: Option<String>,
    /// The model, as the table names it; where it is not given, that of the least BIC by the table `choice_models`
    /// in the same folder.
    model: Option<String>,
}

/// Returns true if the table of a policy refers to a fitted model.
pub fn is_fitted(table: &toml::Table) -> bool {
    table.get("kind").and_then(toml::Value::as_str) == Some(FITTED)
}

/// The table of a policy with its parameters in place. A table of another kind stays as it is.
///
/// `number` chooses among the participants where the reference names none: that of the member of a cohort, from 0.
///
/// # Errors
///
/// [`SpecError::Entry`] if a file cannot be read, or does not have the participant, the model or an estimate.
pub fn resolved(table: toml::Table, folder: &Path, number: usize) -> Result<toml::Table, SpecError> {
    if !is_fitted(&table) {
        return Ok(table);
    }
    let fault = |reason: String| SpecError::Entry { kind: FITTED, reason };
    let reference: Reference = table.try_into().map_err(|error: toml::de::Error| fault(error.message().to_owned()))?;
    policy_of(&reference, folder, number).map_err(fault)
}

/// The files that a reference depends on; none of a policy of another kind.
pub fn files(table: &toml::Table, folder: &Path) -> Vec<PathBuf> {
    if !is_fitted(table) {
        return Vec::new();
    }
    let Ok(reference) = table.clone().try_into::<Reference>() else { return Vec::new() };
    let parameters = folder.join(&reference.parameters);
    match reference.model {
        Some(_) => vec![parameters],
        None => vec![parameters.clone(), parameters.with_file_name(MODELS)],
    }
}

/// The table of models, beside that of their parameters.
const MODELS: &str = "choice_models.csv";

/// A row of `choice_parameters`.
#[derive(Deserialize)]
struct ParameterRow {
    participant: String,
    model: String,
    parameter: String,
    estimate: Option<f64>,
    /// Limit to which an infinite estimate tends.
    #[serde(default)]
    limit: Option<String>,
    #[serde(default)]
    reason: Option<String>,
}

/// Log odds for an infinite estimate: their exponentials are 0, or more than anything else, to all digits.
const INFINITE: f64 = 1e3;

impl ParameterRow {
    /// The value that a player takes: the estimate, or a number that is as good as the infinity that it tends to.
    fn value(&self) -> Option<f64> {
        let [infinity, minus_infinity] = Limit::NAMES;
        let infinite = match self.limit.as_deref() {
            Some(limit) if limit == infinity => Some(INFINITE),
            Some(limit) if limit == minus_infinity => Some(-INFINITE),
            _ => None,
        };
        self.estimate.filter(|estimate| estimate.is_finite()).or(infinite)
    }
}

/// A row of `choice_models`.
#[derive(Deserialize)]
struct ModelRow {
    participant: String,
    model: String,
    bic: Option<f64>,
}

fn policy_of(reference: &Reference, folder: &Path, number: usize) -> Result<toml::Table, String> {
    let file = folder.join(&reference.parameters);
    let rows: Vec<ParameterRow> = rows(&file)?;
    let mut participants: Vec<&str> = Vec::new();
    for row in &rows {
        if participants.last() != Some(&row.participant.as_str()) && !participants.contains(&row.participant.as_str()) {
            participants.push(&row.participant);
        }
    }
    let participant = match &reference.participant {
        Some(name) => name.as_str(),
        None if participants.is_empty() => return Err(format!("{} has no participant", file.display())),
        None => participants[number % participants.len()],
    };
    if !participants.contains(&participant) {
        let known = participants.join(", ");
        return Err(format!("{} has no participant {participant:?}; it has {known}", file.display()));
    }
    let model = match &reference.model {
        Some(model) => model.clone(),
        None => best_model(&file.with_file_name(MODELS), participant, &rows)?,
    };
    let of_model = rows.iter().filter(|row| row.participant == participant && row.model == model);
    let mut estimates = BTreeMap::new();
    for row in of_model {
        let missing = || {
            let why = row.reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"));
            format!("{}: {model} of {participant} has no estimate of {}{why}", file.display(), row.parameter)
        };
        estimates.insert(row.parameter.as_str(), row.value().ok_or_else(missing)?);
    }
    if estimates.is_empty() && model != "chance" {
        let mut known: Vec<&str> = rows.iter().map(|row| row.model.as_str()).collect();
        known.sort_unstable();
        known.dedup();
        let known = known.join(", ");
        return Err(format!("{} has no model {model:?} of {participant}; it has {known}", file.display()));
    }
    policy(&model, estimates)
}

fn rows<T: serde::de::DeserializeOwned>(file: &Path) -> Result<Vec<T>, String> {
    let fault = |error: csv::Error| {
        let hint = match error.kind() {
            csv::ErrorKind::Io(error) => separator_hint(file, error.kind()),
            _ => "",
        };
        let file = file.display();
        format!("cannot read {file}, the table of fitted models that `plymap run` writes as CSV: {error}{hint}")
    };
    csv::Reader::from_path(file).map_err(fault)?.into_deserialize().collect::<Result<_, _>>().map_err(fault)
}

/// The model of the least BIC that a player can follow, as all of its parameters have a value; the first one of several.
fn best_model(file: &Path, participant: &str, parameters: &[ParameterRow]) -> Result<String, String> {
    let rows: Vec<ModelRow> = rows(file)?;
    let is_known = |model: &str| {
        let mut of_model = parameters.iter().filter(|row| row.participant == participant && row.model == model);
        of_model.all(|row| row.value().is_some())
    };
    // Rollouts are followed on the whole map of a level, which players do not have.
    let can_play = |row: &&ModelRow| {
        row.participant == participant && !row.model.starts_with("forward-search") && is_known(&row.model)
    };
    let fitted = rows.iter().filter(can_play).filter_map(|row| Some((row.bic?, &row.model)));
    let best = fitted.min_by(|left, right| left.0.total_cmp(&right.0));
    best.map(|(_, model)| model.clone())
        .ok_or_else(|| format!("{} has no fitted model of {participant}; name one in `model`", file.display()))
}

/// The policy of a fitted model.
fn policy(model: &str, mut estimates: BTreeMap<&str, f64>) -> Result<toml::Table, String> {
    let rule = model.split('+').next().unwrap_or_default();
    let mut table = toml::Table::from_iter([("kind".to_owned(), toml::Value::from(rule))]);
    // A weight is a difference of log odds; a habit multiplies probabilities.
    for habit in ["undo", "same-piece"] {
        if let Some(weight) = estimates.remove(habit) {
            table.insert(habit.to_owned(), weight.exp().min(1e6).into());
        }
    }
    let mut take = |parameter: &str| {
        estimates.remove(parameter).ok_or_else(|| format!("the model {model} has no estimate of {parameter}"))
    };
    match rule {
        "chance" => {}
        "lapse-optimal" => drop(table.insert("lapse".to_owned(), take("lapse")?.into())),
        "eureka" => {
            table.insert("within".to_owned(), (take("eureka-distance")? as i64).into());
            table.insert("lapse".to_owned(), take("lapse")?.into());
        }
        "soft-optimal" => {
            table.insert("beta".to_owned(), take("inverse-temperature")?.into());
            // What a dead end counts when the model is fitted.
            table.insert("dead-end-loss".to_owned(), DEAD_END_REGRET.into());
        }
        "look-ahead" => {
            table.insert("depth".to_owned(), (take("depth")? as i64).into());
            table.insert("beta".to_owned(), take("inverse-temperature")?.into());
            // The estimate with which the model is fitted.
            table.insert("heuristic".to_owned(), "first".into());
        }
        "hill-climbing" => {
            table.insert("first".to_owned(), take("first-feature")?.into());
            // A game may have one feature only.
            table.insert("second".to_owned(), take("second-feature").unwrap_or(0.0).into());
        }
        "and-or" | "and-or-no-same" => {
            table.insert("kind".to_owned(), "and-or".into());
            table.insert("stopping".to_owned(), take("stopping")?.into());
            table.insert("new-piece".to_owned(), (rule == "and-or").into());
        }
        "and-or-lapse" => {
            table.insert("kind".to_owned(), "and-or".into());
            table.insert("lapse".to_owned(), take("lapse")?.into());
        }
        other => return Err(format!("the model {other:?} is not one that a player can follow")),
    }
    match estimates.keys().next() {
        None => Ok(table),
        Some(parameter) => Err(format!("the model {model} has a parameter {parameter:?} that no policy has")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMETERS: &str = "participant,model,parameter,estimate,reason\n\
        p1,lapse-optimal,lapse,0.25,\n\
        p1,soft-optimal+undo+same-piece,inverse-temperature,1.5,\n\
        p1,soft-optimal+undo+same-piece,undo,-0.6931471805599453,\n\
        p1,soft-optimal+undo+same-piece,same-piece,0,\n\
        p2,eureka,eureka-distance,3,\n\
        p2,eureka,lapse,0.5,\n\
        p2,lapse-optimal,lapse,,nothing to fit\n\
        p3,and-or,stopping,0.125,\n\
        p3,and-or-no-same,stopping,0.25,\n\
        p3,and-or-lapse,lapse,0.5,\n\
        p3,hill-climbing,first-feature,-1.5,\n\
        p3,hill-climbing,second-feature,0.25,\n";
    const CHOICE_MODELS: &str = "participant,model,bic\n\
        p1,chance,90\np1,lapse-optimal,70\np1,soft-optimal+undo+same-piece,60\np2,eureka,80\np2,chance,95\n\
        p3,forward-search,50\np3,and-or-lapse,60\np3,and-or,61\n";

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("choice_parameters.csv"), PARAMETERS).unwrap();
        std::fs::write(folder.path().join(MODELS), CHOICE_MODELS).unwrap();
        folder
    }

    fn found(entries: &str, number: usize) -> Result<String, String> {
        let folder = folder();
        let table = format!("kind = 'fitted'\nparameters = 'choice_parameters.csv'\n{entries}").parse().unwrap();
        let table = resolved(table, folder.path(), number).map_err(|error| error.to_string())?;
        super::super::PolicySpec::new(table.clone()).map_err(|error| error.to_string())?;
        Ok(table.to_string().replace('\n', " ").trim().to_owned())
    }

    #[test]
    fn the_parameters_of_a_participant_are_taken_by_name() {
        let policy = found("participant = 'p1'\nmodel = 'lapse-optimal'", 5).unwrap();
        assert_eq!(policy, "kind = \"lapse-optimal\" lapse = 0.25");
        // exp(ln 1/2) = 1/2, and exp 0 = 1.
        let policy = found("participant = 'p1'", 0).unwrap();
        assert_eq!(policy, "beta = 1.5 dead-end-loss = 10.0 kind = \"soft-optimal\" same-piece = 1.0 undo = 0.5");
        for (model, expected) in [
            ("and-or", "kind = \"and-or\" new-piece = true stopping = 0.125"),
            ("and-or-no-same", "kind = \"and-or\" new-piece = false stopping = 0.25"),
            ("and-or-lapse", "kind = \"and-or\" lapse = 0.5"),
            ("hill-climbing", "first = -1.5 kind = \"hill-climbing\" second = 0.25"),
        ] {
            let policy = found(&format!("participant = 'p3'\nmodel = '{model}'"), 0).unwrap();
            assert_eq!(policy, expected);
        }
        // What nobody can follow is passed over.
        assert!(found("participant = 'p3'", 0).unwrap().starts_with("kind = \"and-or\" lapse"));
        let policy = found("participant = 'p1'\nmodel = 'chance'", 0).unwrap();
        assert_eq!(policy, "kind = \"chance\"");
    }

    #[test]
    fn the_participants_take_turns_where_none_is_named() {
        for (number, kind) in [(0, "soft-optimal"), (1, "eureka"), (3, "soft-optimal")] {
            assert!(found("", number).unwrap().contains(&format!("kind = \"{kind}\"")), "{number}");
        }
        assert!(found("", 1).unwrap().contains("kind = \"eureka\" lapse = 0.5 within = 3"));
    }

    #[test]
    fn an_infinite_estimate_is_played_as_such_or_its_model_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let parameters = "participant,model,parameter,estimate,limit,reason\n\
            p1,soft-optimal+undo+same-piece,inverse-temperature,,plus infinity,none\n\
            p1,soft-optimal+undo+same-piece,undo,,minus infinity,none\n\
            p1,soft-optimal+undo+same-piece,same-piece,0,,\n\
            p1,hill-climbing,first-feature,,,\"rising towards plus infinity, together with others\"\n\
            p1,hill-climbing,second-feature,,,\"rising towards plus infinity, together with others\"\n";
        std::fs::write(folder.path().join("choice_parameters.csv"), parameters).unwrap();
        let models = "participant,model,bic\np1,hill-climbing,5\np1,soft-optimal+undo+same-piece,6\np1,chance,70\n";
        std::fs::write(folder.path().join(MODELS), models).unwrap();
        let resolved_entries = |entries: &str| {
            let table = format!("kind = 'fitted'\nparameters = 'choice_parameters.csv'\n{entries}").parse().unwrap();
            let table = resolved(table, folder.path(), 0).map_err(|error| error.to_string())?;
            super::super::PolicySpec::new(table.clone()).map_err(|error| error.to_string())?;
            Ok::<String, String>(table.to_string().replace('\n', " ").trim().to_owned())
        };
        // Of the best model both weights are infinite together, which no number stands for.
        let policy = resolved_entries("").unwrap();
        assert_eq!(policy, "beta = 1000.0 dead-end-loss = 10.0 kind = \"soft-optimal\" same-piece = 1.0 undo = 0.0");
        let missing = resolved_entries("model = 'hill-climbing'").unwrap_err();
        assert!(missing.contains("has no estimate of first-feature (rising towards"), "{missing}");
    }

    #[test]
    fn what_is_missing_is_named() {
        assert!(found("participant = 'p9'", 0).unwrap_err().contains("no participant \"p9\"; it has p1, p2"));
        assert!(found("participant = 'p2'\nmodel = 'best'", 0).unwrap_err().contains("no model \"best\" of p2"));
        let missing = found("participant = 'p2'\nmodel = 'lapse-optimal'", 0).unwrap_err();
        assert!(missing.contains("lapse-optimal of p2 has no estimate of lapse"), "{missing}");
        assert!(found("partcipant = 'p2'", 0).unwrap_err().contains("unknown field `partcipant`"));
        let other = "kind = 'fitted'\nparameters = 'no.csv'".parse().unwrap();
        assert!(resolved(other, Path::new(""), 0).unwrap_err().to_string().contains("cannot read no.csv"));
    }
}
