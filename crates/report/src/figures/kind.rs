//! Kinds of figures.

macro_rules! kinds {
    ($($kind:ident = $name:literal;)*) => {
        /// The kind of a figure. Levels, measures and pages of one kind differ in the further words of their names.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Kind {
            $(#[doc = concat!("`", $name, "`")] $kind,)*
        }

        impl Kind {
            /// The name of its figures, or the first words of their names.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }
        }
    };
}

kinds! {
    ParticipantFlow = "participant-flow";
    MovesAgainstTime = "moves-against-time";
    Quality = "quality";
    TimeByQuality = "time-by-quality";
    DistanceAlongAttempts = "distance-along-attempts";
    TimeAndQualityByDistance = "time-and-quality-by-distance";
    DistanceOverTime = "distance-over-time";
    TimeAndQualityByLegalMoves = "time-and-quality-by-legal-moves";
    InterMoveTimes = "inter-move-times";
    ThinkingAndActing = "thinking-and-acting";
    Learning = "learning";
    Raincloud = "raincloud";
    CorrelationsOfParticipants = "correlations-of-participants";
    Transitions = "transitions";
    Survival = "survival";
    TimeModel = "time-model";
    OptimalByTime = "optimal-by-time";
    ConditionEffects = "condition-effects";
    DifficultyBy = "difficulty-by";
    ModelResiduals = "model-residuals";
    ModelQuantiles = "model-quantiles";
    ModelShares = "model-shares";
    ModelInfluence = "model-influence";
    ModelsOfChoice = "models-of-choice";
    ThoughtByDistance = "thought-by-distance";
    ThoughtTimes = "thought-times";
    Players = "players";
    StateGraph = "state-graph";
    Solution = "solution";
    Game = "game";
    Traffic = "traffic";
    Trajectory = "trajectory";
    Attempt = "attempt";
    Traps = "traps";
    Position = "position";
    ThoughtTree = "thought";
    Power = "power";
    Tournament = "tournament";
    SearchesByLevel = "search";
    SearchesByHeuristic = "search";
}
