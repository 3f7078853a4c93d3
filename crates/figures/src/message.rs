//! Messages of figures: a key and an English text for each.

macro_rules! messages {
    ($($key:ident = $english:literal;)*) => {
        /// A text that figures have in every language; each `{}` stands for a number, and `*` for a name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Message {
            $(#[doc = $english] $key,)*
        }

        impl Message {
            /// Every message.
            pub const ALL: &[Self] = &[$(Self::$key),*];

            /// Its English text.
            pub fn english(self) -> &'static str {
                match self {
                    $(Self::$key => $english,)*
                }
            }
        }
    };
}

messages! {
    PagesNotDrawn = "pages beyond these are not drawn: {}";
    NoData = "no data";
    NothingToDraw = "nothing was left to draw";
    NoValue = "no value";
    NotShownMissing = "{} not shown (missing)";
    NotShownMissingOrNotPositive = "{} not shown (missing or not positive)";
    NotShownNotPositive = "{} not shown (not positive)";
    NotShownBeyondAxes = "{} not shown (beyond the axes)";
    OwnAxes = "own axes";
    Count = "n";
    Level = "level";
    InterMoveTime = "inter-move time (s)";
    PercentileRange = "{}th to {}th percentile";
    InterquartileRange = "interquartile range";
    NoMoveHasTime = "no move has a recorded time";
    MedianNotShown = "{} median not shown (not positive)";
    MediansNotShown = "{} medians not shown (not positive)";
    IntervalOrBandCut = "{} interval or band cut at the edge of the axis (not positive below it)";
    IntervalsOrBandsCut = "{} intervals or bands cut at the edge of the axis (not positive below it)";
    Mark = "mark";
    Band = "band";
    NumberAtRisk = "number at risk";
    Fit = "fit";
    CutAtLimit = "cut at the limit";
    OneAttempt = "one attempt";
    Example = "example";
    Optimal = "optimal";
    DeadEnd = "dead end";
    AttemptBeyondEdge = "{} attempt goes on beyond the right edge";
    AttemptsBeyondEdge = "{} attempts go on beyond the right edge";
    ShownAttemptBeyondEdge = "{} of the attempts shown goes on beyond the right edge";
    ShownAttemptsBeyondEdge = "{} of the attempts shown go on beyond the right edge";
    LevelWithOwnAxes = "{} level has axes of its own";
    LevelsWithOwnAxes = "{} levels have axes of their own";
    AxisBeginsAbove = "the vertical axis does not begin at {}";
    AxisOfLevelBeginsAbove = "the vertical axis of {} level does not begin at {}";
    AxesOfLevelsBeginAbove = "the vertical axes of {} levels do not begin at {}";
    DistanceToGoal = "distance to goal";
    DistanceToGoalInMoves = "distance to goal (moves)";
    MoreKind = "and {} more kind";
    MoreKinds = "and {} more kinds";
    ContinuedOnNextPage = "continued on the next page";
    ContinuedFromPageBefore = "continued from the page before";
    Continued = " (continued)";
    SumOfComponents = "sum of the components";
    Boundary = "boundary";
    BarCut = "{} bar of a panel with n < {} cut at the top (arrow)";
    BarsCut = "{} bars of panels with n < {} cut at the top (arrows)";
    DensityPerLogUnit = "density (per log unit)";
    Coefficient = "coefficient";
    Significant = "significant";
    Bold = "bold";
    NoCoefficient = "no coefficient";
    PairWithoutCoefficient = "{} pair has no coefficient";
    PairsWithoutCoefficient = "{} pairs have no coefficient";
    MeasureAlone = "measure {}";
    MeasureRange = "measures {} to {}";
    MeasureWithMeasure = "measure {} with measure {}";
    MeasureWithRange = "measure {} with measures {} to {}";
    RangeWithMeasure = "measures {} to {} with measure {}";
    RangeWithRange = "measures {} to {} with measures {} to {}";
    BestModel = "best model ({})";
    BestFor = "best for";
    DifferenceMissing = "{} difference missing";
    DifferencesMissing = "{} differences missing";
    ThinkingHigh = "thinking (high)";
    ActingLow = "acting (low)";
    PhaseNotKnown = "not known (thin)";
    Solved = "solved";
    NotSolved = "not solved";
    EndNotLogged = "end not logged";
    Error = "error";
    TimeSinceStart = "time since the start (s)";
    Seconds = "{} s";
    UpToSeconds = "up to {} s";
    AttemptBeyondTime = "{} attempt goes on beyond {} s (arrows)";
    AttemptsBeyondTime = "{} attempts go on beyond {} s (arrows)";
    ShownAttemptBeyondTime = "{} of the attempts shown goes on beyond {} s (arrows)";
    ShownAttemptsBeyondTime = "{} of the attempts shown go on beyond {} s (arrows)";
    MoveBeforeAxis = "{} move not shown (before the start of the axis)";
    MovesBeforeAxis = "{} moves not shown (before the start of the axis)";
    AttemptWithoutMove = "{} attempt without a move";
    AttemptsWithoutMove = "{} attempts without a move";
    SecondRowsNamed = "only every {}nd row is named";
    ThirdRowsNamed = "only every {}rd row is named";
    FurtherRowsNamed = "only every {}th row is named";
    NoMove = "no move";
    NoMoves = "no moves";
    ChanceShare = "share of optimal moves by chance";
    ShareOfMoves = "share of moves (%)";
    ArrowLeftOut = "{} arrow below {} % left out";
    ArrowsLeftOut = "{} arrows below {} % left out";
    WishedMove = "wished move";
    LegalMove = "legal move";
    Obstacle = "obstacle";
    ObstacleAtEnd = "obstacle at which thought ends";
    AllMustGo = "all must go (AND)";
    OneIsEnough = "one move is enough (OR)";
    DrawnToDepth = "drawn to depth {}";
    WishedMoveNotDrawn = "{} wished move not drawn";
    WishedMovesNotDrawn = "{} wished moves not drawn";
    ObstacleNotDrawn = "{} obstacle not drawn";
    ObstaclesNotDrawn = "{} obstacles not drawn";
    MoreMoveNotShown = "{} more move not shown";
    MoreMovesNotShown = "{} more moves not shown";
    DepthInTree = "depth in the tree (steps)";
    Move = "move";
    Depth = "depth";
    Probability = "p";
    Goal = "goal";
    WithGoals = "with goals";
    Start = "start";
    MovesToGo = "{} to go";
    NoPathToGoal = "no path to a goal";
    OtherState = "other state";
    ErrorRate = "error rate";
    OptimalMove = "optimal move";
    UndoOrRestart = "undo or restart";
    TimesMade = "times made";
    Visits = "visits";
    MoreErrorsThanByChance = "more errors than by chance";
    VisitedState = "visited state";
    NotVisited = "not visited";
    StatesSummedUp = "neighbouring states summed up in {} discs";
    AreaByStates = "area by number of states";
    PaleDiscsByStates = "pale discs by number of states";
    VisitedStatesApart = "visited states apart from others";
    VisitedDisc = "{} visited disc stands for several states";
    VisitedDiscs = "{} visited discs stand for several states";
    MoveInDiscError = "{} move inside one disc ({} error) not drawn";
    MoveInDiscErrors = "{} move inside one disc ({} errors) not drawn";
    MovesInDiscError = "{} moves inside one disc ({} error) not drawn";
    MovesInDiscErrors = "{} moves inside one disc ({} errors) not drawn";
    MoveInStateError = "{} move that left the state as it was ({} error) not drawn";
    MoveInStateErrors = "{} move that left the state as it was ({} errors) not drawn";
    MovesInStateError = "{} moves that left the state as it was ({} error) not drawn";
    MovesInStateErrors = "{} moves that left the state as it was ({} errors) not drawn";
    NoMoveMade = "no move was made";
    NobodyChose = "nobody had to choose a move";
    StateWithRim = "{} state with a rim";
    StatesWithRim = "{} states with a rim";
    TooManyForLetters = "too many for letters";
    ResidualsOfMixedModels = "Residuals of the mixed models";
    QuantilesOfResidualsOfMixedModels = "Quantiles of the residuals of the mixed models";
    SharesAndProbabilitiesOfMixedModels = "Shares and probabilities of the mixed models";
    InfluenceOfParticipantsAndLevelsOnMixedModels = "Influence of participants and levels on the mixed models";
    ThereIsNoModelOfThisKind = "there is no model of this kind";
    FromLogToAnalysis = "From the log to the analysis";
    ByLevel = "by level";
    ByCondition = "by condition";
    ByParticipant = "by participant";
    StateGraphOfLevel = "State graph of level *";
    SolutionOfLevel = "Solution of level *";
    GameOfLevel = "A game of level *";
    MovesOfAllInLevel = "Moves of all participants in level *";
    TrajectoryThroughLevel = "Trajectory through level *";
    ErrorsInLevel = "Where people err in level *";
    OneAttemptAtLevel = "One attempt at level *";
    LevelHasNoState = "the level has no state";
    LevelHasNoSolution = "the level has no solution";
    LevelHasNoMove = "the level has no move";
    AttemptHasNoMove = "the attempt has no move";
    CorrelationsOfMeasuresOverParticipants = "Correlations of measures over participants";
    NoTwoMeasuresCouldBeCorrelated = "no two measures could be correlated";
    FromQualityOfMoveToThatOfNext = "From the quality of a move to that of the next";
    NoAttemptHasTwoMoves = "no attempt has two moves";
    EffectsOnInterMoveTime = "Effects on the inter-move time";
    EffectsOfCondition = "Effects of the condition";
    HowLongTrialsStayUnsolved = "How long trials stay unsolved";
    HowLongGamesLast = "How long games last";
    NoTrialHasRecordedTime = "no trial has a recorded time";
    NoLevelWasSolvedInRecordedTime = "no level was solved in a recorded time";
    ModelsOfChoiceCompared = "Models of choice compared";
    NoModelCouldBeFitted = "no model could be fitted";
    ThereIsNoModel = "there is no model";
    TimeByStartDistance = "Time to solve levels by the distance of the start to the goal";
    TimeByStates = "Time to solve levels by the number of states";
    TimeByShortestSolutions = "Time to solve levels by the number of shortest solutions";
    TimeByMovesAway = "Time to solve levels by the moves that must go away from the goal";
    TimeAndQualityByDistanceToGoal = "Time and quality by distance to the goal";
    TimeAndQualityByNumberOfLegalMoves = "Time and quality by the number of legal moves";
    NoMoveHasDistance = "no move has a distance";
    NoMoveWasReplayed = "no move was replayed";
    ShareOfOptimalMovesByTimeBeforeThem = "Share of optimal moves by the time before them";
    MovesThatReasoningBackwardsFromGoalComesTo = "Moves that reasoning backwards from the goal comes to";
    DepthOfMovesInTreeOfReasoningBackwardsFromGoal = "Depth of moves in the tree of reasoning backwards from the goal";
    OptimalMovesOfPeopleAndOfModels = "Optimal moves of people and of models";
    MovesOfSamePieceAgainOfPeopleAndOfModels = "Moves of the same piece again, of people and of models";
    MovesBackOfPeopleAndOfModels = "Moves back, of people and of models";
    NoPositionHasTree = "no position has a tree";
    TimeOfMoveByDepthInTreeOfReasoningBackwards = "Time of a move by its depth in the tree of reasoning backwards";
    TimeOfMoveBySizeOfTreeOfReasoningBackwards = "Time of a move by the size of the tree of reasoning backwards";
    NoPositionHasTreeOrNoTimesAreKnown = "no position has a tree, or no times are known";
    DistributionOfInterMoveTimes = "Distribution of inter-move times";
    InterMoveTimeByQualityOfMove = "Inter-move time by the quality of the move";
    DistanceToGoalAlongEachAttempt = "Distance to the goal along each attempt";
    ExpectedPointsAlongEachAttempt = "Expected points along each attempt";
    DistanceToGoalOverTime = "Distance to the goal over time";
    NoAttemptHasAllOfTimes = "no attempt has all of its times";
    ThinkingAndActingInEachAttempt = "Thinking and acting in each attempt";
    NoAttemptHasRecordedTime = "no attempt has a recorded time";
    MovesAgainstTimeToSolve = "Number of moves against time to solve";
    MovesAgainstTimeOfGame = "Number of moves against time of the game";
    NoLevelWasFinishedInRecordedTime = "no level was finished in a recorded time";
    QualityOfMoves = "Quality of moves";
    QualityOfMovesByLevel = "Quality of moves by level";
    QualityOfMovesByCondition = "Quality of moves by condition";
    QualityOfMovesByParticipant = "Quality of moves by participant";
    ChangeOverTrialsTime = "Change over trials: time";
    ChangeOverTrialsExcessMoves = "Change over trials: excess moves";
    ChangeOverTrialsMedianInterMoveTime = "Change over trials: median inter-move time";
    NoTrialHasThisMeasure = "no trial has this measure";
    OrderOfTrialsIsNotKnown = "the order of the trials is not known";
    PeopleBetweenChanceAndOptimalPlay = "People between chance and optimal play";
    ShareOfOptimalMovesOfPeopleAndSimulatedPlayers = "Share of optimal moves of people and simulated players";
    RegretOfPeopleAndSimulatedPlayers = "Regret of people and simulated players";
    ExcessMovesOfPeopleAndSimulatedPlayers = "Excess moves of people and simulated players";
    NobodyHasSuchValue = "nobody has such a value";
    Moves = "moves";
    TimeToSolve = "time to solve (s)";
    DistanceToGoalInCells = "distance to goal (cells)";
    TimeOfGame = "time of the game (s)";
    NumberOfMoves = "number of moves";
    TrialNumberWithinParticipant = "trial number within participant";
    IntervalOfMedian = "{} % interval of the median";
    MedianTimeS = "median time (s)";
    MedianInterMoveTimeS = "median inter-move time (s)";
    MedianExcessMovesMoves = "median excess moves (moves)";
    SpearmanRho = "Spearman's ρ";
    BelowPHolm = "p < {} (Holm)";
    EffectOnInterMoveTimeLnS = "effect on the inter-move time (ln s)";
    LnOfRatio = "ln of the ratio ({} is twice)";
    NoEffect = "no effect";
    Time = "time (s)";
    ShareOfTrialsNotYetSolved = "share of trials not yet solved";
    EndedWithoutSolution = "ended without a solution";
    ShareOfGamesNotYetOver = "share of games not yet over";
    LeftBeforeEnd = "left before its end";
    Interval = "{} % interval";
    MedianTimeToSolveS = "median time to solve (s)";
    DistanceOfStartToGoal = "distance of the start to the goal";
    NumberOfStates = "number of states";
    NumberOfShortestSolutions = "number of shortest solutions";
    MovesThatMustGoAwayFromGoal = "moves that must go away from the goal";
    DeltaAIC = "Δ AIC";
    DeltaBIC = "Δ BIC";
    DeltaLnLOfLevelsLeftOut = "Δ {} ln L of levels left out";
    NumberOfLegalMoves = "number of legal moves";
    TimeBeforeMoveRelativeToUsual = "time before the move relative to usual";
    ShareOfOptimalMoves = "share of optimal moves";
    IntervalOfMean = "{} % interval of the mean";
    ShareOfMovesInTree = "share of moves in the tree";
    ShareOfMovesOfSamePiece = "share of moves of the same piece";
    ShareOfMovesBack = "share of moves back";
    NodesOfTree = "nodes of the tree";
    DistanceToGoalTenthsOfEachParticipant = "distance to goal (tenths of each participant)";
    CellsMade = "cells made";
    MovesMade = "moves made";
    ShareOfExpectedPoints = "expected further points / at the start";
    SolutionOfMedianLength = "solution of median length";
    GameOfMedianLength = "game of median length";
    MoveThatIsNotOptimal = "move that is not optimal";
    Finished = "finished";
    PercentileOfFittedValue = "percentile of the fitted value";
    ResidualSD = "residual (SD)";
    NormalQuantile = "normal quantile";
    QuantileOfResidualsSD = "quantile of residuals (SD)";
    FittedProbability = "fitted probability";
    ObservedShare = "observed share";
    PercentileAmongParticipantsOrLevels = "percentile among participants, or levels";
    ChangeOfEffectSE = "change of the effect (SE)";
    TwoPercentiles = "{}th and {}th percentile";
    Quartiles = "quartiles";
    Median = "median";
    MedianAt = "median {}";
    Normal = "normal";
    ShareProbability = "share = probability";
    NoChange = "no change";
    Participant = "participant";
    AsProbableInBoth = "as probable in both";
    Trap = "trap (adjusted p < {})";
    ChanceNormalisedScore = "chance-normalised score ({} chance, {} optimal)";
    MeanRegret = "mean regret of a move (moves)";
    MeanExcess = "mean excess of solved trials (moves)";
    Person = "person";
    SimulatedCohort = "simulated cohort";
    ComparedWith = "compared with *";
}

/// A text with each `{}` replaced by a number.
pub(super) fn filled<N: AsRef<str>>(text: &str, numbers: impl IntoIterator<Item = N>) -> String {
    let (mut numbers, mut parts) = (numbers.into_iter(), text.split("{}"));
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        filled.push_str(numbers.next().as_ref().map_or("", AsRef::as_ref));
        filled.push_str(part);
    }
    filled
}
