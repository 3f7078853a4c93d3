# Rush Hour: pieces slide along their lines, until the target stands at its exit or, by its goal, can go there. Boards
# are a matrix, a row for each, with a frame of # around each board: nothing slides out of it. All move side by side.
framed <- function(level, boards) {
  cells <- cbind("#", do.call(rbind, strsplit(boards, "")))
  inner <- matrix(seq_len(ncol(cells) - 1), nrow = as.integer(level$width))
  cells[, c(rbind(0, cbind(0, inner, 0), 0)) + 1, drop = FALSE]
}
boards_of <- function(cells) gsub("#", "", do.call(paste0, as.data.frame(cells)), fixed = TRUE)
place <- function(cells, piece, is_last) max.col(cells == piece, ties.method = if (is_last) "last" else "first")
step <- function(level, piece) diff(which(framed(level, level$start) == piece))[1]  # to the next cell on its line

is_goal <- function(level, states) {
  cells <- framed(level, states)
  along <- step(level, level$target) * if (level$exit %in% c("right", "bottom")) 1 else -1
  ahead <- place(cells, level$target, along > 0) + along
  while (level$goal == "path-clear" && any(free <- cells[cbind(seq_along(ahead), ahead)] == "."))
    ahead[free] <- ahead[free] + along
  cells[cbind(seq_along(ahead), ahead)] == "#"
}

after_moves <- function(level, states, movable) {
  from <- after <- NULL
  for (piece in setdiff(framed(level, level$start), c(".", "x", "#"))) for (along in step(level, piece) * c(1, -1)) {
    cells <- framed(level, states[movable])
    sliding <- seq_along(movable)
    repeat {
      front <- place(cells, piece, along > 0) + along
      sliding <- sliding[cells[cbind(sliding, front[sliding])] == "."]
      if (length(sliding) == 0) break
      cells[cbind(sliding, place(cells, piece, along < 0)[sliding])] <- "."
      cells[cbind(sliding, front[sliding])] <- piece
      from <- c(from, movable[sliding])
      after <- c(after, boards_of(cells[sliding, , drop = FALSE]))
      if (level$metric == "cell") break
    }
  }
  list(from = from, after = after)
}
