# Checks the distances of levels from their starts. It needs R and nothing else.
# `Rscript check_distances.R [LEVEL ...]` checks all levels of levels.csv beside this file, unless some are named.
#
# A table proves itself: (1) its states are those that moves lead to from the start, (2) goals, and they alone, have the
# distance 0, (3) no move lowers the distance by more than 1, (4) every other state with a distance has a move that
# lowers it by 1. So no way to a goal is shorter, and one is as long. States without a distance have no moves to others.

# RULES

# Checks a table; says how many states, moves and goals there are.
check <- function(level, table) {
  states <- table$state
  distance <- ifelse(table$distance == "", Inf, suppressWarnings(as.numeric(table$distance)))
  if (anyDuplicated(states)) stop("a state is in the table twice")
  if (!level$start %in% states) stop("the start is not in the table")
  goal <- is_goal(level, states)
  moves <- after_moves(level, states, which(level$goals_have_moves == "yes" | !goal))
  from <- moves$from
  to <- match(moves$after, states)
  if (anyNA(to)) stop(states[from[is.na(to)][1]], " has a move to a state that is not in the table")
  reached <- states == level$start
  while (any(new <- !reached[to] & reached[from])) reached[to[new]] <- TRUE
  if (!all(reached)) stop(states[!reached][1], " is in the table and cannot be reached")
  given <- rep(Inf, length(states))
  from_far <- order(distance[to], decreasing = TRUE)  # what is set last stays: the nearest
  given[from[from_far]] <- distance[to[from_far]] + 1
  given[goal] <- 0
  wrong <- which(is.na(distance) | distance != given)[1]
  if (!is.na(wrong)) stop(states[wrong], ": distance ", distance[wrong], ", and its moves give ", given[wrong])
  sprintf("%d states, %d moves, %d goals", length(states), length(from), sum(goal))
}
here <- dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])))
rows <- function(...) read.csv(file.path(...), colClasses = "character", na.strings = character(), encoding = "UTF-8")
failed <- FALSE
levels <- rows(here, "levels.csv")
for (number in which(levels$level %in% commandArgs(TRUE) | length(commandArgs(TRUE)) == 0)) {
  level <- levels[number, ]
  said <- tryCatch(paste0("right (", check(level, rows(dirname(here), "distances", level$table)), ")"),
                   error = function(error) { failed <<- TRUE; paste("WRONG:", conditionMessage(error)) })
  cat(level$level, ": ", said, "\n", sep = "")
}
quit(status = as.integer(failed))
