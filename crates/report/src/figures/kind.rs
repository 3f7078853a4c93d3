//! Kinds of figures.

use plymap_tables::{Columns, Table, text};

/// Command that draws figures of a study.
const OF_STUDY: &str = "plymap figures STUDY --only NAME";

/// Command that draws figures of a search study.
const OF_SEARCHES: &str = "plymap search-study STUDY";

/// Words about a kind of figure, for lists.
struct About {
    /// First words of names.
    name: &'static str,
    /// Whole names, with what differs in capital letters.
    names: &'static str,
    /// Command that draws them.
    command: &'static str,
    /// Meaning.
    meaning: &'static str,
}

macro_rules! kinds {
    ($($kind:ident = $name:literal, $names:literal, $command:expr, $meaning:literal;)*) => {
        /// The kind of a figure. Levels, measures and pages of one kind differ in the further words of their names.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Kind {
            $(#[doc = concat!("`", $names, "`: ", $meaning)] $kind,)*
        }

        impl Kind {
            /// All kinds: those of a study, then those of single positions and of other commands.
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            const fn about(self) -> &'static About {
                match self {
                    $(Self::$kind => &About { name: $name, names: $names, command: $command, meaning: $meaning },)*
                }
            }
        }
    };
}

kinds! {
    ParticipantFlow = "participant-flow", "participant-flow", OF_STUDY,
        "what became of the rows of a log, and whose play was analysed, as a flow diagram after CONSORT";
    MovesAgainstTime = "moves-against-time", "moves-against-time", OF_STUDY,
        "number of moves against time to solve, one point for each solved trial";
    Quality = "quality", "quality-by-level", OF_STUDY,
        "shares of better, same and worse moves at each level, with the chance level";
    TimeByQuality = "time-by-quality", "time-by-quality", OF_STUDY,
        "times before moves of each quality, as percentiles";
    DistanceAlongAttempts = "distance-along-attempts", "distance-along-attempts", OF_STUDY,
        "distance to the goal along each attempt, beside an optimal solution";
    TimeAndQualityByDistance = "time-and-quality-by-distance", "time-and-quality-by-distance", OF_STUDY,
        "times and quality of moves by the distance to the goal";
    DistanceOverTime = "distance-over-time", "distance-over-time", OF_STUDY,
        "distance to the goal over time: horizontal parts are pauses";
    TimeAndQualityByLegalMoves = "time-and-quality-by-legal-moves", "time-and-quality-by-legal-moves", OF_STUDY,
        "times and quality of moves by the number of legal moves";
    InterMoveTimes = "inter-move-times", "inter-move-times", OF_STUDY,
        "distribution of the times between moves, with a mixture of two log-normal distributions";
    ThinkingAndActing = "thinking-and-acting", "thinking-and-acting", OF_STUDY,
        "every attempt over time, in phases of thinking and of acting";
    Learning = "learning", "learning-MEASURE", OF_STUDY,
        "a measure over the trials of a participant, in the order of play";
    Raincloud = "raincloud", "raincloud-MEASURE-by-FACTOR", OF_STUDY,
        "a measure in the groups of a factor: one value of each participant, box and density, with the test";
    CorrelationsOfParticipants = "correlations-of-participants", "correlations-of-participants", OF_STUDY,
        "rank correlations of measures of participants, as a matrix";
    Transitions = "transitions", "transitions", OF_STUDY,
        "which quality of a move follows which, as arrows";
    Survival = "survival", "survival", OF_STUDY,
        "share of trials that are not solved yet, over time, with the numbers at risk";
    TimeModel = "time-model", "time-model", OF_STUDY,
        "effects of a mixed model of the times before moves, as a forest plot";
    OptimalByTime = "optimal-by-time", "optimal-by-time", OF_STUDY,
        "shares of optimal moves by the time before them, with the chance level of the same positions";
    ConditionEffects = "condition-effects", "condition-effects", OF_STUDY,
        "effects of the condition in the mixed models, as a forest plot";
    DifficultyBy = "difficulty-by", "difficulty-by-MEASURE", OF_STUDY,
        "median time to solve each level against a measure of its map";
    ModelResiduals = "model-residuals", "model-residuals", OF_STUDY,
        "residuals of the mixed models against fitted values";
    ModelQuantiles = "model-quantiles", "model-quantiles", OF_STUDY,
        "quantiles of the residuals of the mixed models against those of the normal distribution";
    ModelShares = "model-shares", "model-shares", OF_STUDY,
        "observed shares against those that the logistic mixed models expect";
    ModelInfluence = "model-influence", "model-influence", OF_STUDY,
        "influence of single participants and levels on the mixed models";
    ModelsOfChoice = "models-of-choice", "models-of-choice", OF_STUDY,
        "models of choice compared, by participant and criterion";
    ThoughtByDistance = "thought-by-distance", "thought-by-distance-MEASURE", OF_STUDY,
        "moves of participants and of models by distance to the goal, in terms of AND-OR trees";
    ThoughtTimes = "thought-times", "thought-times-MEASURE", OF_STUDY,
        "times before moves by the depth or the size of the AND-OR tree";
    Players = "players", "players-MEASURE", OF_STUDY,
        "participants and simulated players, from the best to the worst";
    StateGraph = "state-graph", "state-graph-LEVEL", OF_STUDY,
        "every state of a level, placed by its distance to the goal";
    Solution = "solution", "solution-LEVEL", OF_STUDY,
        "the boards of a shortest solution";
    Game = "game", "game-LEVEL", OF_STUDY,
        "the boards of a likely game, where chance decides what follows a move";
    Traffic = "traffic", "traffic-LEVEL", OF_STUDY,
        "the moves of all participants on the state graph";
    Trajectory = "trajectory", "trajectory-LEVEL", OF_STUDY,
        "one attempt as a trajectory on the state graph";
    Attempt = "attempt", "attempt-LEVEL", OF_STUDY,
        "one attempt as boards with times";
    Traps = "traps", "traps-LEVEL", OF_STUDY,
        "positions by the share of moves that were not optimal there, on the state graph";
    Position = "position", "position-LEVEL", "level.draw(state) in Python",
        "one position, and its distance to the goal";
    ThoughtTree = "thought", "thought-tree", "plymap explain LEVEL --thought --out DIR",
        "the AND-OR tree of a position: what is in the way of the goal, and what in the way of that";
    Power = "power", "power", "plymap power STUDY",
        "power of a test by the number of participants";
    Tournament = "tournament", "tournament-MEASURE-LEVEL", "plymap tournament STUDY",
        "results of the games of each strategy";
    SearchesByLevel = "search", "search-MEASURE-by-level", OF_SEARCHES,
        "search algorithms compared on each level";
    SearchesByHeuristic = "search", "search-MEASURE-by-heuristic", OF_SEARCHES,
        "heuristics of A* compared over the levels";
}

impl Kind {
    /// Returns the name of its figures, or the first words of their names.
    pub const fn name(self) -> &'static str {
        self.about().name
    }

    /// Returns the whole names of its figures, with what differs between them in capital letters.
    pub const fn names(self) -> &'static str {
        self.about().names
    }

    /// Returns the meaning of its figures.
    pub const fn meaning(self) -> &'static str {
        self.about().meaning
    }

    /// Returns the command that draws its figures.
    pub const fn command(self) -> &'static str {
        self.about().command
    }
}

/// Returns the table of all kinds of figures.
pub fn kinds_table() -> Table {
    Columns::new()
        .column(
            Kind::ALL,
            text("figure", "names of the figures, with what differs between them in capital letters"),
            |kind| kind.names(),
        )
        .column(Kind::ALL, text("shows", "meaning"), |kind| kind.meaning())
        .column(Kind::ALL, text("command", "command that draws them"), |kind| kind.command())
        .into_table("figures", "Kinds of figures.")
}
