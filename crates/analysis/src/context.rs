//! The data and settings of an analysis, and what several analyses have in common.

use crate::choice_decisions::{ChoiceDecisions, Fits, Positions};
use crate::dataset::Dataset;
use crate::model_specification::ModelSpec;
use plymap_puzzles::valuation::ValuedLevel;
use plymap_statistics::phase::hidden_markov::HiddenMarkov;
use plymap_statistics::phase::mixture::Mixture;
use plymap_statistics::stats::Confidence;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The data and settings of an analysis.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The data.
    pub data: &'a Dataset,
    settings: &'a Settings,
    /// Results shared by analyses of the same data.
    pub shared: Option<&'a Shared>,
}

/// Results that several analyses of the same data, levels and settings need, each computed by the first of them.
#[derive(Default)]
pub struct Shared {
    positions: OnceLock<Arc<Positions>>,
    fits: Arc<Fits>,
    /// Hidden Markov models with one, two and three states, by participant.
    pub hidden_markov: Mutex<HashMap<usize, Vec<HiddenMarkov>>>,
    /// Mixtures of two components, by participant.
    pub(crate) mixtures: Mutex<HashMap<usize, Mixture>>,
}

impl<'a> Context<'a> {
    /// Creates the context of these data and settings, without shared results.
    pub fn new(data: &'a Dataset, settings: &'a Settings) -> Self {
        Self { data, settings, shared: None }
    }

    /// Adds results shared by analyses of the same data and levels.
    pub fn sharing(self, shared: &'a Shared) -> Self {
        Self { shared: Some(shared), ..self }
    }

    /// The decisions of participants, with their positions.
    pub(crate) fn decisions<'b>(&self, levels: &'b [ValuedLevel]) -> ChoiceDecisions<'b>
    where
        'a: 'b,
    {
        let new = || Arc::new(Positions::new(self.data, levels));
        let positions = self.shared.map_or_else(new, |shared| shared.positions.get_or_init(new).clone());
        let fits = self.shared.map_or_else(Arc::default, |shared| shared.fits.clone());
        ChoiceDecisions::new(self.data, levels, positions, fits)
    }

    /// Level of all intervals.
    pub fn confidence(&self) -> Confidence {
        self.settings.use_setting(|used| &mut used.confidence);
        self.settings.confidence
    }

    /// Seed of the random number generator of resampling and starts.
    pub fn seed(&self) -> u64 {
        self.settings.use_setting(|used| &mut used.seed);
        self.settings.seed
    }

    /// The models of the study's own.
    pub fn models(&self) -> &'a [ModelSpec] {
        self.settings.use_setting(|used| &mut used.models);
        &self.settings.models
    }

    /// Returns true if so few people took part that no test is told: estimates and their intervals are.
    pub fn is_pilot(&self) -> bool {
        self.settings.is_pilot
    }

    /// Returns the number of resamples, shuffles or splits to take where `n` is usual: a tenth for a quick look.
    pub fn resamples(&self, n: usize) -> usize {
        self.settings.use_setting(|used| &mut used.is_fast);
        if self.settings.is_fast { (n + 1).div_ceil(10) - 1 } else { n }
    }
}

/// The settings of the analyses of a study.
///
/// They remember which of them were used: the result of an analysis does not depend on the others, and can be kept when those
/// change.
#[derive(Debug)]
pub struct Settings {
    confidence: Confidence,
    seed: u64,
    is_fast: bool,
    /// Not among those that are used: it follows from the data.
    is_pilot: bool,
    models: Vec<ModelSpec>,
    used: Mutex<SettingsUsed>,
}

/// The settings that an analysis used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettingsUsed {
    /// The level of intervals.
    pub confidence: bool,
    /// The seed.
    pub seed: bool,
    /// The choice of a quick look.
    pub is_fast: bool,
    /// The models of the study's own.
    pub models: bool,
}

impl Settings {
    /// Level of intervals, seed, and whether a quick look is enough.
    pub fn new(confidence: Confidence, seed: u64, is_fast: bool) -> Self {
        Self { confidence, seed, is_fast, is_pilot: false, models: Vec::new(), used: Mutex::default() }
    }

    /// Adds models of the study's own.
    pub fn with_models(self, models: &[ModelSpec]) -> Self {
        Self { models: models.to_vec(), ..self }
    }

    /// Says whether the study is a pilot, of which sentences tell no test.
    pub fn of_pilot(self, is_pilot: bool) -> Self {
        Self { is_pilot, ..self }
    }

    /// The settings that were used so far.
    pub fn used(&self) -> SettingsUsed {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The values of those that were used.
    pub fn values_of(&self, used: SettingsUsed) -> impl Serialize + use<> {
        let confidence = used.confidence.then(|| self.confidence.level());
        let models = used.models.then(|| self.models.clone());
        (confidence, used.seed.then_some(self.seed), used.is_fast.then_some(self.is_fast), models)
    }

    fn use_setting(&self, setting: impl FnOnce(&mut SettingsUsed) -> &mut bool) {
        *setting(&mut self.used.lock().unwrap_or_else(PoisonError::into_inner)) = true;
    }
}
