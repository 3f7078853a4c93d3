# Match-the-Tiles: a swipe moves all blocks at once, each as far as walls, edges and other blocks let it.
is_goal <- function(level, states) {
  goals <- strsplit(level$goals, "")[[1]]
  vapply(strsplit(gsub("/", "", states), ""), function(cells) all(cells %in% c(".", "x") | tolower(cells) == goals), NA)
}

# The cells of a line after a swipe to its end, or its beginning: stretches between walls, the blocks of each together.
pushed <- function(cells, to_end) {
  stretch <- cumsum(cells == "x") * 2 + (cells == "x")
  unlist(lapply(split(cells, factor(stretch, unique(stretch))), function(part) {
    free <- part == "."
    if (to_end) c(part[free], part[!free]) else c(part[!free], part[free])
  }), use.names = FALSE)
}

after_moves <- function(level, states, movable) {
  after <- lapply(states[movable], function(state) {
    board <- do.call(rbind, strsplit(strsplit(state, "/")[[1]], ""))
    after <- character()
    for (to_end in c(FALSE, TRUE)) {
      across <- t(apply(board, 1, pushed, to_end))
      down <- apply(board, 2, pushed, to_end)
      text <- function(cells) paste(apply(cells, 1, paste, collapse = ""), collapse = "/")
      after <- c(after, text(across), text(down))
    }
    after[after != state]
  })
  list(from = rep(movable, lengths(after)), after = as.character(unlist(after)))
}
