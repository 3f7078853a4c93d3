#!/usr/bin/env Rscript
# Redo the main results of this report with R; with the package survival, and with lme4 and lmerTest where installed.
#
#     Rscript analysis.R              one line for each result: plymap's number | the same number as computed here
#     Rscript analysis.R --short      only results that differ or could not be redone
#
# The script reads the folder `tables` beside it. From the lower tables (moves, trials, levels) it computes again what
# plymap wrote in the upper ones. Exit code 0: all agree; 1: something differs; 2: a package or a table is missing.
# Take any section as the beginning of an analysis of your own. What each column means stands in the JSON file beside
# its table.

here <- normalizePath(dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])))
is_short <- "--short" %in% commandArgs(TRUE)
options(warn = -1, stringsAsFactors = FALSE)
# Numbers agree if they differ by no more than this: a share of the larger one, or an absolute number (rounding).
tolerance <- list(
  count = c(0, 0),          # numbers of things
  value = c(1e-9, 1e-11),   # closed formulas: medians, shares, coefficients, statistics
  p     = c(1e-6, 1e-15),   # p values, sensitive to the last digits of the statistic
  fit   = c(1e-4, 1e-8),    # what a search for the best parameters found
  df    = c(1e-3, 1e-8)     # degrees of freedom by Satterthwaite, from numerical derivatives, and p values from them
)
found <- c(agree = 0, DIFFERS = 0, empty = 0)
not_redone <- character()

# ---------------------------------------------------------------------------------------------- tables and comparison

stop_for <- function(why) {
  cat("MISSING", why, "\n")
  quit(status = 2)
}
if (!requireNamespace("survival", quietly = TRUE)) stop_for("package survival")

manifest <- file.path(here, "manifest.json")
if (!file.exists(manifest)) stop_for(paste0(manifest, ": this script belongs into the folder of a report"))
manifest <- readLines(manifest, warn = FALSE, encoding = "UTF-8")
confidence <- as.numeric(sub(".*: *([0-9.]+).*", "\\1", grep('"confidence":', manifest, value = TRUE)[1]))

# Columns that are text, also where a participant is called 007 or NA. All others are numbers, or true and false.
TEXT <- c("participant", "session", "level", "condition", "event", "source_file", "state_before", "state_after",
          "quality", "scope", "group", "x", "y", "method", "factor", "test", "groups", "first", "second", "from", "to",
          "measure", "coefficient", "interval", "kind", "term", "part", "model", "parameter", "reason")

# A table of the report; without rows if the study did not ask for it.
table_of <- function(name, needed = FALSE) {
  is_listed <- function(ending) any(grepl(sprintf('"tables/%s.%s"', name, ending), manifest, fixed = TRUE))
  path <- file.path(here, "tables", paste0(name, if (is_listed("csv")) ".csv" else ".parquet"))
  if (!is_listed("csv") && !is_listed("parquet")) {
    if (needed) stop_for(paste0("tables/", name, ": the report has no such table"))
    return(data.frame())
  }
  if (!file.exists(path)) stop_for(paste0(path, ": the manifest lists this file"))
  if (!is_listed("csv")) {
    if (requireNamespace("nanoparquet", quietly = TRUE)) data <- as.data.frame(nanoparquet::read_parquet(path))
    else if (requireNamespace("arrow", quietly = TRUE)) data <- as.data.frame(arrow::read_parquet(path))
    else stop_for("package nanoparquet or arrow: this report has its tables as Parquet only")
  } else {
    data <- read.csv(path, colClasses = "character", na.strings = character(), check.names = FALSE, encoding = "UTF-8")
    for (column in setdiff(names(data), TEXT)) {
      values <- data[[column]]
      is_flag <- all(values %in% c("true", "false", ""))
      data[[column]] <- if (is_flag) c(true = TRUE, false = FALSE)[values] else type.convert(values, "", as.is = TRUE)
    }
  }
  for (column in intersect(names(data), TEXT)) data[[column]][is.na(data[[column]])] <- ""
  data
}
rows_of <- function(data) split(data, factor(seq_len(nrow(data))))
section <- function(name) if (!is_short) cat("\n", name, "\n", sep = "")

# One line: numbers of a row of plymap's table, each beside the same number as computed here.
compare <- function(what, row, own, fit = FALSE) {
  verdict <- "empty"
  said <- character()
  for (name in names(own)) {
    plymap <- as.numeric(row[[name]])
    value <- if (length(own[[name]])) as.numeric(own[[name]]) else NA
    kind <- if (fit && name %in% c("df", "p_value")) "df" else if (grepl("^p_", name)) "p"
            else if (grepl("^n", name)) "count" else if (fit) "fit" else "value"
    text <- sprintf("%s %.7g | %.7g", name, plymap, value)
    has_reason <- !is.null(row$reason) && row$reason != ""
    allowed <- tolerance[[kind]][1] * max(abs(plymap), abs(value)) + tolerance[[kind]][2]
    if (is.na(plymap) && (is.na(value) || has_reason)) {
      # plymap has no value, and says why
    } else if (!is.na(plymap) && !is.na(value) && (abs(plymap - value) <= allowed || plymap == value)) {
      if (verdict == "empty") verdict <- "agree"
    } else {
      verdict <- "DIFFERS"
      apart <- abs(plymap - value)
      text <- paste0(text, if (is.na(apart)) " DIFFERS, one is missing" else sprintf(" DIFFERS by %.2g", apart))
    }
    said <- c(said, text)
  }
  found[verdict] <<- found[verdict] + 1
  if (is_short && verdict != "DIFFERS") return(invisible())
  cat("  ", what, ": ", paste(said, collapse = ", "), ": ", verdict, "\n", sep = "")
}

# One line for a column of a table: the row of it that differs most. Both are named by row.
compare_column <- function(what, column, plymap, own, names) {
  if (length(plymap) == 0) return(invisible())
  apart <- ifelse(is.na(plymap) != is.na(own), Inf, ifelse(is.na(plymap), 0, abs(plymap - own)))
  worst <- which.max(apart)
  what <- sprintf("%s, the worst of %d rows, %s", what, length(plymap), names[worst])
  compare(what, setNames(list(plymap[worst]), column), setNames(list(own[worst]), column))
}
cannot <- function(what, why) {
  not_redone <<- c(not_redone, why)
  cat("  ", what, ": not redone, ", why, "\n", sep = "")
}
if (!any(grepl('"tables/moves.', manifest, fixed = TRUE)) && !any(grepl('"rows_read": *[1-9]', manifest))) {
  cat("0 results agree, 0 differ, 0 could not be redone: the study has no log.\n")
  quit(status = 0)
}

# --------------------------------------------------------------------------------------------------- moves and trials
# A trial is one participant at one level in one session, until the level is solved for the first time.
trials <- table_of("trials", TRUE)
moves <- table_of("moves", TRUE)
levels <- table_of("levels", TRUE)
key <- function(data) paste(data$participant, data$session, data$level, sep = "\r")
# TRUE, FALSE, or NA: not known. Where values are points (2048) a game is finished rather than solved.
trials$is_solved <- if (is.null(trials$finished)) trials$solved else trials$finished
trials$start_distance <- levels$start_distance[match(trials$level, levels$level)]
# Solved trials of which no row was left out: the sample of most results.
solved <- trials[trials$is_solved %in% TRUE & trials$n_left_out == 0, ]
# Rows without a quality are no moves (resets, hints). What was done after the first solution, or in an attempt after
# a give-up, is not measured.
moves$trial <- match(key(moves), key(trials))
attempt <- paste(key(moves), moves$attempt, sep = "\r")
gave_up <- ave(as.numeric(moves$event == "give_up"), attempt, FUN = cumsum) > 0
# A move follows another in its attempt if it was made from the position after it, and no undo, reset or illegal move
# was logged between them. `from` is the quality of the move that it follows.
steps <- which(moves$quality != "" | moves$event %in% c("undo", "reset"))
now <- moves[steps[-1], ]
last <- moves[steps[-length(steps)], ]
is_legal <- function(rows) !(rows$quality %in% c("", "illegal"))
follows <- attempt[steps[-1]] == attempt[steps[-length(steps)]] & is_legal(now) & is_legal(last) &
  (now$ply == last$ply + 1) %in% TRUE & now$state_before == last$state_after
moves$from <- rep("", nrow(moves))
moves$from[steps[-1]] <- ifelse(follows, last$quality, "")
# The condition of an attempt is that of its first row that has one.
with_condition <- which(moves$condition != "")
moves$of_attempt <- moves$condition[with_condition[match(attempt, attempt[with_condition])]]
made <- moves[moves$quality != "" & !(moves$is_after_goal %in% TRUE) & !gave_up & !is.na(moves$trial), ]
made <- made[!(made$attempt > trials$solved_in_attempt[made$trial]) %in% TRUE, ]
legal <- made[made$quality != "illegal", ]
timed <- made[made$ply > 0 & !is.na(made$rt_s), ]   # inter-move times: first moves of attempts left out

section("trials, participants and levels, from moves and trials")
per_trial <- function(values, trial, of) {
  result <- tapply(values, factor(trial, seq_len(nrow(trials))), of)
  as.vector(result)
}
names_of_trials <- paste(trials$participant, trials$level)
n_moves <- tabulate(made$trial, nrow(trials))
compare_column("trials", "n_moves", trials$n_moves, n_moves, names_of_trials)
own <- per_trial(made$is_optimal, made$trial, mean)
compare_column("trials", "share_optimal", trials$share_optimal, own, names_of_trials)
own <- per_trial(made$regret, made$trial, function(regret) if (all(is.na(regret))) NA else mean(regret, na.rm = TRUE))
compare_column("trials", "mean_regret", trials$mean_regret, own, names_of_trials)
own <- tabulate(made$trial[is.na(made$regret)], nrow(trials))
compare_column("trials", "n_without_regret", trials$n_without_regret, own, names_of_trials)
own <- per_trial(timed$rt_s, timed$trial, median)
compare_column("trials", "median_inter_move_s", trials$median_inter_move_s, own, names_of_trials)
for (name in c("participants", "level_play")) {
  upper <- table_of(name, TRUE)
  by <- if (name == "participants") "participant" else "level"
  per <- function(data, of) sapply(upper[[by]], function(one) of(data[data[[by]] == one, ]))
  compare_column(name, "n_trials", upper$n_trials, per(trials, nrow), upper[[by]])
  own <- per(trials, function(own) sum(own$n_optimal) / sum(own$n_moves))
  compare_column(name, "share_optimal", upper$share_optimal, own, upper[[by]])
  own <- per(solved, function(own) median(own$n_moves))
  compare_column(name, "median_moves_of_solved", upper$median_moves_of_solved, own, upper[[by]])
  own <- per(solved, function(own) median(own$time_s, na.rm = TRUE))
  compare_column(name, "median_time_of_solved_s", upper$median_time_of_solved_s, own, upper[[by]])
}

# -------------------------------------------------------------------------------------------------------- correlations

p_of_r <- function(r, df) {   # two-sided p of t = r sqrt(df / (1 - r^2))
  if (is.na(r) || df < 1) NA else if (abs(r) == 1) 0 else 2 * pt(-abs(r) * sqrt(df / (1 - r^2)), df)
}
is_constant <- function(x) length(x) == 0 || max(x) == min(x)
all_orders <- list()
orders <- function(n) {   # all n! orders of n things, one in each row
  if (n == 1) return(matrix(1L))
  if (length(all_orders) < n || is.null(all_orders[[n]])) {
    shorter <- orders(n - 1)
    insert <- function(first) cbind(first, shorter + (shorter >= first))
    all_orders[[n]] <<- unname(do.call(rbind, lapply(seq_len(n), insert)))
  }
  all_orders[[n]]
}
# The coefficient and its two-sided p.
correlate <- function(method, x, y) {
  n <- length(x)
  if (n < 3 || is_constant(x) || is_constant(y)) return(c(NA, NA))
  if (method == "kendall") {   # exact up to 33 pairs without ties
    is_exact <- n <= 33 && !anyDuplicated(x) && !anyDuplicated(y)
    test <- cor.test(x, y, method = "kendall", exact = is_exact)
    return(c(test$estimate, test$p.value))
  }
  if (method == "spearman") { x <- rank(x); y <- rank(y) }
  r <- cor(x, y)
  if (1 - abs(r) < 1e-14) r <- sign(r)
  if (method == "pearson" || n > 9) return(c(r, p_of_r(r, n - 2)))
  x <- x - mean(x)   # exact: the share of all orders with so large a coefficient
  y <- y - mean(y)
  c(r, mean(abs(matrix(y[orders(n)], ncol = n) %*% x) >= abs(sum(x * y)) - 1e-9))
}
# Lower end of the interval by Fisher's z; for Spearman with the standard error of Bonett and Wright (2000).
lower_end <- function(method, r, n) {
  if (is.na(r) || n < 4 || abs(r) == 1) return(NA)
  error <- sqrt((if (method == "spearman") 1 + r^2 / 2 else 1) / (n - 3))
  tanh(atanh(r) - qnorm((1 + confidence) / 2) * error)
}
both <- function(data, x, y) {   # rows with both measures; points have no excess_moves
  if (is.null(data[[x]]) || is.null(data[[y]])) return(data[0, ])
  data[!is.na(data[[x]]) & !is.na(data[[y]]), ]
}

section("correlations over solved trials, pooled and by level")
for (row in rows_of(table_of("correlations"))) {
  sample <- both(if (row$scope == "pooled") solved else solved[solved$level == row$level, ], row$x, row$y)
  test <- correlate(row$method, sample[[row$x]], sample[[row$y]])
  what <- sprintf("%s of %s and %s, %s", row$method, row$x, row$y, if (row$level == "") "pooled" else row$level)
  lower <- lower_end(row$method, test[1], nrow(sample))
  compare(what, row, list(n = nrow(sample), estimate = test[1], lower = lower, p_value = test[2]))
}

section("correlations within and between participants and levels")
for (row in rows_of(table_of("within_correlations"))) {
  sample <- both(solved, row$x, row$y)
  by <- if (grepl("levels$", row$scope)) "level" else "participant"
  r <- NA
  df <- 0
  if (row$scope == "pooled") {   # plymap's interval is from resampled participants, and not redone
    r <- correlate(row$method, sample[[row$x]], sample[[row$y]])[1]
  } else if (grepl("^within", row$scope)) {   # deviations from the means of groups (Bakdash and Marusich, 2017)
    sample <- sample[table(sample[[by]])[sample[[by]]] > 1, ]
    x <- sample[[row$x]] - ave(sample[[row$x]], sample[[by]])
    y <- sample[[row$y]] - ave(sample[[row$y]], sample[[by]])
    df <- nrow(sample) - length(unique(sample[[by]])) - 1
    if (df > 0 && min(sd(x), sd(y)) > 1e-12) r <- sum(x * y) / sqrt(sum(x^2) * sum(y^2))
  } else if (grepl("^between", row$scope)) {   # the means of groups
    means <- sapply(c(row$x, row$y), function(name) c(tapply(sample[[name]], sample[[by]], mean), NULL))
    if (nrow(sample)) means <- matrix(means, ncol = 2)
    df <- if (nrow(sample)) nrow(means) - 2 else 0
    if (nrow(sample)) r <- correlate("pearson", means[, 1], means[, 2])[1]
  } else {   # what is left of both where the start distance of the level is held constant
    sample <- sample[!is.na(sample$start_distance), ]
    df <- nrow(sample) - 3
    of <- function(name) if (row$method == "spearman") rank(sample[[name]]) else sample[[name]]
    if (df >= 0 && !is_constant(sample$start_distance)) {
      rest <- function(name) residuals(lm(of(name) ~ of("start_distance")))
      r <- correlate("pearson", rest(row$x), rest(row$y))[1]
    }
  }
  own <- list(n = nrow(sample), estimate = r)
  if (row$scope != "pooled") own$p_value <- p_of_r(r, df)
  compare(sprintf("%s, %s of %s and %s", row$scope, row$method, row$x, row$y), row, own)
}

# ------------------------------------------------------------------------------------------------- times and qualities

section("time by quality")
rows <- table_of("time_by_quality")
for (row in rows_of(rows)) {
  times <- sort(timed$rt_s[timed$quality == row$quality])
  n <- length(times)
  q <- quantile(times, c(0.25, 0.5, 0.75), names = FALSE)
  # Interval of the median: from one time to another, so many from either end that the binomial coverage suffices.
  outside <- sum(pbinom(seq_len(n) - 1, n, 0.5) <= (1 - confidence) / 2)
  lower <- if (outside) times[outside] else NA
  compare(row$quality, row, list(n = n, median_s = q[2], lower_s = lower, q1_s = q[1], q3_s = q[3]))
}
if (nrow(rows) && length(unique(timed$quality)) > 1) {
  test <- kruskal.test(timed$rt_s, factor(timed$quality))
  compare("Kruskal-Wallis test", rows[1, ], list(kruskal_wallis_h = test$statistic, kruskal_wallis_p = test$p.value))
}

section("time and quality, participant by participant")
# The timed legal moves of a group; groups of distance and n_legal are named by smallest and largest value.
moves_of <- function(factor, group) {
  later <- timed[timed$quality != "illegal", ]
  if (factor == "quality") return(later[later$quality == group, ])
  if (factor == "optimal") return(later[later$is_optimal == (group == "optimal"), ])
  if (group == "(none)") return(later[0, ])
  ends <- as.numeric(strsplit(group, " to ")[[1]])
  value <- if (factor == "distance") later$value_before else later$n_legal
  later[!is.na(value) & value >= ends[1] & value <= ends[length(ends)], ]
}
# Wilcoxon's sum of the positive ranks of differences that are not 0; its p, up to 50 exact, with ties too.
signed_ranks <- function(d) {
  d <- round(d, 12)   # 0.3 - 0.2 is 0.8 - 0.7
  d <- d[d != 0]
  if (length(d) == 0) return(c(NA, NA))
  ranks <- rank(abs(d))
  plus <- sum(ranks[d > 0])
  if (length(d) > 50) return(c(plus, wilcox.test(d, exact = FALSE, correct = FALSE)$p.value))
  counts <- 1   # in how many ways signs make each sum of doubled ranks
  for (shift in 2 * ranks) counts <- c(counts, numeric(shift)) + c(numeric(shift), counts)
  c(plus, min(1, 2 * sum(counts[seq_len(2 * min(plus, sum(ranks) - plus) + 1)]) / 2^length(d)))
}
medians_of <- function(data) tapply(data$rt_s, data$participant, median)
for (row in rows_of(table_of("time_medians"))) {
  own <- moves_of(row$factor, row$group)
  medians <- medians_of(own)
  own <- list(n = length(medians), n_moves = nrow(own), median_s = median(medians))
  compare(paste(row$factor, row$group), row, own)
}
for (row in rows_of(table_of("time_tests"))) {
  if (row$test == "dunn") next   # not in base R
  groups <- lapply(strsplit(row$groups, "; ")[[1]], function(group) moves_of(row$factor, group))
  medians <- lapply(groups, medians_of)
  who <- Reduce(intersect, lapply(medians, names))   # participants with a median in each group
  medians <- matrix(sapply(medians, function(own) own[who]), ncol = length(groups))
  own <- list(statistic = NA, p_value = NA)
  if (row$test == "friedman" && length(groups) > 2 && length(who) > 1) {
    test <- friedman.test(medians)
    own <- list(n = length(who), statistic = test$statistic, p_value = test$p.value)
  } else if (row$test == "wilcoxon" && length(who)) {
    d <- medians[, 1] - medians[, 2]
    test <- signed_ranks(d)
    walsh <- outer(d, d, "+") / 2
    shift <- median(walsh[upper.tri(walsh, diag = TRUE)])   # Hodges and Lehmann
    own <- list(statistic = test[1], p_value = test[2], n = length(d), estimate = shift)
  } else if (row$test == "mann-whitney" && all(sapply(groups, nrow) > 0)) {
    x <- groups[[1]]$rt_s
    y <- groups[[2]]$rt_s
    is_exact <- min(length(x), length(y)) <= 8 && !anyDuplicated(c(x, y)) && length(x) * length(y) <= 2e5
    test <- wilcox.test(x, y, exact = is_exact)
    own <- list(n = length(x) + length(y), statistic = test$statistic, p_value = test$p.value)
  }
  compare(sprintf("%s of %s: %s", row$test, row$factor, row$groups), row, own)
}

section("quality by level")
for (row in rows_of(table_of("quality_by_level"))) {
  own <- made$quality[made$level == row$level]
  k <- sum(own == row$quality)
  n <- length(own)
  ends <- if (n) prop.test(k, n, conf.level = confidence, correct = FALSE)$conf.int else c(NA, NA)   # Wilson (1927)
  own <- list(n = k, n_moves = n, share = if (n) k / n else NA, lower = ends[1], upper = ends[2])
  compare(paste(row$quality, "at", row$level), row, own)
}

section("which quality follows which; moves from positions without an optimal move are left out")
for (row in rows_of(table_of("transitions"))) {
  owner <- if (row$scope == "condition") "of_attempt" else row$scope
  of_group <- if (row$scope == "all") legal else legal[legal[[owner]] %in% row$group, ]
  to <- of_group$quality[of_group$n_optimal > 0 & of_group$from == row$from]
  own <- list(n = sum(to == row$to), n_from = length(to), n_left_out = sum(of_group$n_optimal == 0))
  own$share <- if (own$n_from) own$n / own$n_from else NA
  compare(sprintf("%s: %s, then %s", trimws(paste(row$scope, row$group)), row$from, row$to), row, own)
}

# --------------------------------------------------------------------------------------------- levels and participants

section("difficulty of levels")
difficulty <- table_of("difficulty")
for (place in seq_len(nrow(difficulty))) {
  row <- difficulty[place, ]
  every <- trials[trials$level == row$level, ]
  own <- solved[solved$level == row$level, ]
  of_level <- legal[legal$level == row$level, ]
  human <- list(share_solved = mean(every$is_solved, na.rm = TRUE), median_moves = median(own$n_moves),
                median_time_s = median(own$time_s, na.rm = TRUE), share_optimal = mean(of_level$is_optimal))
  if (!is.null(own$excess_moves)) human$mean_excess_moves <- mean(own$excess_moves, na.rm = TRUE)
  counts <- list(n_trials = nrow(every), n_solved = sum(every$is_solved, na.rm = TRUE), n_moves = nrow(of_level))
  compare(row$level, row, c(counts, human))
  for (name in names(human)) difficulty[place, name] <- human[[name]]   # from here on as computed here
}
for (row in rows_of(table_of("level_correlations"))) {
  sample <- if (row$y == "") difficulty[0, ] else both(difficulty, row$x, row$y)
  test <- correlate(row$method, sample[[row$x]], if (row$y != "") sample[[row$y]])
  own <- list(n = nrow(sample), estimate = test[1], p_value = test[2])
  compare(sprintf("%s of %s and %s", row$method, row$x, row$y), row, own)
}

section("reliability of measures, means over solved trials")
# The order of a participant's trials is that of their first rows in the files of the log, in the order of these.
rest <- paste(manifest[grep('^ *"log": *\\{', manifest)[1]:length(manifest)], collapse = " ")
rest <- sub('.*?"files": *\\[', "", rest, perl = TRUE)
rest <- regmatches(rest, regexpr('^(\\s*"(\\\\.|[^"\\\\])*",?)*', rest, perl = TRUE))
log_files <- regmatches(rest, gregexpr('"(\\\\.|[^"\\\\])*"', rest, perl = TRUE))[[1]]
log_files <- vapply(log_files, function(text) as.character(parse(text = text)[[1]]), "")
first <- moves[order(match(moves$source_file, log_files), moves$source_row, method = "radix"), ]
ordered <- solved[order(match(key(solved), unique(key(first)))), ]
spearman_brown <- function(r) 2 * r / (1 + abs(r))
set.seed(1)
N_SPLITS <- 500
all_rows <- table_of("reliability")
for (measure in unique(all_rows$measure)) {
  rows <- all_rows[all_rows$measure == measure, ]
  of <- function(coefficient) rows[rows$coefficient == coefficient, ]
  known <- ordered[!is.na(ordered[[measure]]), ]
  values <- split(known[[measure]], known$participant)
  halved <- values[lengths(values) > 1]
  if (length(halved) > 2) {   # halves of each participant's trials, at random; the second may have one more
    split_once <- function(number) {
      halves <- sapply(halved, function(own) {
        is_first <- seq_along(own) %in% sample.int(length(own), length(own) %/% 2)
        c(mean(own[is_first]), mean(own[!is_first]))
      })
      spearman_brown(correlate("pearson", halves[1, ], halves[2, ])[1])
    }
    splits <- sapply(seq_len(N_SPLITS), split_once)
    # plymap's splits are others: five standard errors of the difference of the two means are allowed.
    n_theirs <- as.numeric(gsub("[^0-9]", "", of("split-half")$interval))
    allowed <- 5 * sd(splits, na.rm = TRUE) * sqrt(1 / N_SPLITS + 1 / n_theirs)
    value <- mean(splits, na.rm = TRUE)
    is_near <- abs(of("split-half")$estimate - value) <= allowed
    own <- list(n = length(halved), estimate = if (is_near %in% TRUE) of("split-half")$estimate else value)
    compare(sprintf("%s, split-half, %.4f ± %.4f", measure, value, allowed), of("split-half"), own)
    half <- function(place) sapply(halved, function(own) mean(own[seq(place, length(own), 2)]))
    r <- correlate("pearson", half(1), half(2))[1]
    compare(paste0(measure, ", odd-even"), of("odd-even"), list(n = length(halved), estimate = spearman_brown(r)))
  }
  n <- nrow(known)
  k <- length(values)
  if (k > 1 && n > k) {   # one-way analysis of variance of participants; n0 stands for their numbers of trials
    f <- anova(lm(known[[measure]] ~ known$participant))[1, "F value"]
    n0 <- (n - sum(lengths(values)^2) / n) / (k - 1)
    compare(paste0(measure, ", ICC(1)"), of("ICC(1)"), list(n = k, estimate = (f - 1) / (f + n0 - 1), statistic = f))
    compare(paste0(measure, ", ICC(1,n0)"), of("ICC(1,n0)"), list(n = k, estimate = 1 - 1 / f))
  }
  # Participants by levels: levels at which half of the participants have a value, and who has one at all of these.
  first <- known[!duplicated(known[c("participant", "level")]), ]
  grid <- tapply(first[[measure]], list(first$participant, first$level), c)
  if (length(grid)) grid <- grid[, 2 * colSums(!is.na(grid)) >= nrow(grid), drop = FALSE]
  if (length(grid)) grid <- grid[rowSums(is.na(grid)) == 0, , drop = FALSE]
  n <- nrow(grid)
  k <- ncol(grid)
  if (length(grid) && n > 1 && k > 1 && !is_constant(grid)) {   # mean squares (Shrout and Fleiss, 1979)
    bms <- k * var(rowMeans(grid))
    jms <- n * var(colMeans(grid))
    ems <- sum((grid - outer(rowMeans(grid), colMeans(grid), "+") + mean(grid))^2) / ((n - 1) * (k - 1))
    agreement <- (bms - ems) / (bms + (k - 1) * ems + k * (jms - ems) / n)
    compare(paste0(measure, ", ICC(2,1)"), of("ICC(2,1)"), list(n = n, n_levels = k, estimate = agreement))
    single <- (bms - ems) / (bms + (k - 1) * ems)
    compare(paste0(measure, ", ICC(3,1)"), of("ICC(3,1)"), list(n = n, estimate = single, statistic = bms / ems))
    compare(paste0(measure, ", ICC(3,k)"), of("ICC(3,k)"), list(n = n, estimate = 1 - ems / bms))
  }
}

# --------------------------------------------------------------------------------------------------- curves and models

section("time to solve (Kaplan-Meier); trials that ended without a solution are censored")
lasted <- trials[trials$n_left_out == 0 & !is.na(trials$time_s), ]
first <- moves[moves$condition != "", ]
lasted$condition <- first$condition[match(key(lasted), key(first))]   # of the first row of the trial that has one
rows <- table_of("survival")
curves <- table_of("survival_curves")
for (row in rows_of(rows)) {
  own <- if (row$scope == "all") lasted else lasted[lasted[[row$scope]] %in% row$group, ]
  what <- trimws(paste(row$scope, row$group))
  ends <- list(quantile = NA, lower = NA, upper = NA)
  if (nrow(own)) {
    curve <- survival::survfit(survival::Surv(time_s, is_solved) ~ 1, own, conf.type = "log-log", conf.int = confidence)
    theirs <- curves[curves$scope == row$scope & curves$group == row$group, ]
    place <- sapply(theirs$time_s, function(time) which.min(abs(curve$time - time)))
    compare_column(paste("curve of", what), "unsolved", theirs$unsolved, curve$surv[place], theirs$time_s)
    lower <- ifelse(curve$surv < 1 & curve$surv > 0, curve$lower, NA)[place]
    compare_column(paste("curve of", what), "lower", theirs$lower, lower, theirs$time_s)
    ends <- quantile(curve, 0.5)
  }
  own <- list(n = nrow(own), n_solved = sum(own$is_solved), median_s = ends$quantile)
  compare(what, row, c(own, list(lower_s = ends$lower, upper_s = ends$upper)))
}
if (nrow(rows) && length(unique(na.omit(lasted$condition))) > 1) {
  test <- survival::survdiff(survival::Surv(time_s, is_solved) ~ condition, lasted)
  p <- pchisq(test$chisq, length(test$n) - 1, lower.tail = FALSE)
  row <- rows[rows$scope == "condition", ][1, ]
  compare("log-rank test of conditions", row, list(log_rank = test$chisq, p_value = p))
}

section("time and quality in one model: ln t = quality + value before + ln(legal moves) + participant + level")
rows <- table_of("time_model")
effects <- if (nrow(rows)) rows[rows$kind == "effect" & !is.na(rows$estimate), ] else rows
sample <- legal[legal$ply > 0 & (legal$rt_s > 0) %in% TRUE & !is.na(legal$value_before), ]
factors <- Filter(function(name) length(unique(sample[[name]])) > 1, c("participant", "level"))
has_lme4 <- requireNamespace("lme4", quietly = TRUE)
if (nrow(effects) && !has_lme4) {
  cannot("model of times", "package lme4 is not installed")
} else if (nrow(effects) && !length(factors)) {
  cannot("model of times", "one participant and one level have no variance to estimate")
} else if (nrow(effects)) {
  best_first <- c("better", "same", "worse", "dead-end", "best", "slip", "mistake", "blunder")
  sample$quality <- factor(sample$quality, intersect(best_first, sample$quality))   # the best is the reference
  fixed <- c(if (nlevels(sample$quality) > 1) "quality", "value_before", "log(n_legal)")
  formula <- reformulate(c(fixed, sprintf("(1 | %s)", factors)), "log(rt_s)")
  # The search goes on far beyond lme4's usual limits, so that only rounding is left.
  precise <- list(xtol_abs = 1e-12, xtol_rel = 1e-12, ftol_abs = 1e-13, ftol_rel = 1e-15, maxeval = 1e5)
  control <- lme4::lmerControl("nloptwrap", optCtrl = precise, calc.derivs = FALSE,
                               check.conv.singular = "ignore")
  has_lmertest <- requireNamespace("lmerTest", quietly = TRUE)   # with degrees of freedom by Satterthwaite, and p
  model <- (if (has_lmertest) lmerTest::lmer else lme4::lmer)(formula, sample, control = control)
  if (!has_lmertest) cannot("p values of the model of times", "package lmerTest is not installed")
  here_all <- coef(summary(model))
  names_here <- c(intercept = "(Intercept)", distance = "value_before", value = "value_before",
                  "ln n_legal" = "log(n_legal)")
  for (row in rows_of(effects)) {
    name <- if (row$term %in% names(names_here)) names_here[[row$term]] else sub("quality = ", "quality", row$term)
    of <- if (name %in% rownames(here_all)) here_all[name, ] else NA
    own <- list(n = nrow(sample), estimate = of["Estimate"], standard_error = of["Std. Error"])
    if (has_lmertest) own <- c(own, df = unname(of["df"]), p_value = unname(of["Pr(>|t|)"]))
    compare(row$term, row, own, fit = TRUE)
  }
  variances <- as.data.frame(lme4::VarCorr(model))
  for (row in rows_of(table_of("time_model_variances"))) {
    variance <- variances$vcov[tolower(variances$grp) == row$part]
    own <- list(variance = variance, log_likelihood = as.numeric(logLik(model)))
    compare(paste("variance of", row$part), row, own, fit = TRUE)
  }
}

section("models of choice: ln of the probability of the moves that were made")
rows <- table_of("choice_models")
parameters <- table_of("choice_parameters")
for (row in rows_of(rows[rows$model %in% c("chance", "lapse-optimal"), ])) {
  own <- legal[legal$participant == row$participant, ]
  what <- paste0(row$participant, ", ", row$model)
  if (row$n_unknown > 0 || nrow(own) == 0) {
    cannot(what, "the table moves does not tell which positions plymap could not evaluate")
  } else if (row$model == "chance") {   # each of n legal moves has the probability 1 / n
    compare(what, row, list(n = nrow(own), log_likelihood = -sum(log(own$n_legal))))
  } else {   # with the probability lambda (a lapse) any legal move, else one of the k optimal ones; any where none is
    any_move <- 1 / own$n_legal
    best_move <- ifelse(own$n_optimal > 0, own$is_optimal / pmax(own$n_optimal, 1), any_move)
    likelihood <- function(lapse) sum(log(lapse * any_move + (1 - lapse) * best_move))
    inside <- optimize(likelihood, c(0, 1), maximum = TRUE, tol = 1e-10)$maximum
    lapses <- c(0, 1, inside)
    lapse <- lapses[which.max(sapply(lapses, likelihood))]
    compare(what, row, list(n = nrow(own), log_likelihood = likelihood(lapse)), fit = TRUE)
    of <- parameters[parameters$participant == row$participant & parameters$model == row$model, ][1, ]
    compare(paste0(what, ", probability of a lapse"), of, list(estimate = lapse), fit = TRUE)
  }
}

why <- if (length(not_redone)) sprintf(" (%s)", paste(unique(not_redone), collapse = "; ")) else ""
cat(sprintf("\n%d results agree, %d differ, %d could not be redone%s; %d have no value in plymap's tables.\n",
            found["agree"], found["DIFFERS"], length(not_redone), why, found["empty"]))
quit(status = if (found["DIFFERS"] > 0) 1 else 0)
