# Lights Out: a press inverts the lamps at some places from the pressed one; a lamp that is on is `*`.
is_goal <- function(level, states) !grepl("*", states, fixed = TRUE)

after_moves <- function(level, states, movable) {
  height <- length(strsplit(level$start, "/")[[1]])
  cells <- do.call(rbind, strsplit(gsub("/", "", states[movable]), ""))  # a row for each state, all pressed side by side
  width <- ncol(cells) / height
  offsets <- do.call(rbind, strsplit(strsplit(level$offsets, " ")[[1]], ","))
  from <- after <- NULL
  for (row in seq_len(height)) for (column in seq_len(width)) {
    rows <- row + as.integer(offsets[, 1]) - 1
    columns <- column + as.integer(offsets[, 2]) - 1
    if (level$edges == "no") {
      rows <- rows %% height
      columns <- columns %% width
    }
    is_there <- rows >= 0 & rows < height & columns >= 0 & columns < width
    lamps <- unique((rows * width + columns + 1)[is_there])
    pressed <- cells
    pressed[, lamps] <- ifelse(cells[, lamps] == "*", ".", "*")
    lines <- lapply(split(seq_len(ncol(cells)), rep(seq_len(height), each = width)),
                    function(line) do.call(paste0, as.data.frame(pressed[, line, drop = FALSE])))
    from <- c(from, movable)
    after <- c(after, do.call(paste, c(unname(lines), sep = "/")))
  }
  list(from = from, after = after)
}
