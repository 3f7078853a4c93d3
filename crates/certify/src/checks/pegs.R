# Towers: the top item of a peg moves to another one; a ball where there is room, a disk onto no smaller one.
is_goal <- function(level, states) states == level$goal

after_moves <- function(level, states, movable) {
  between <- if (grepl(".", level$start, fixed = TRUE)) "." else ""  # from ten disks on there are dots between them
  capacities <- as.integer(strsplit(level$capacities, " ")[[1]])
  after <- lapply(strsplit(states[movable], "/"), function(pegs) {
    items <- strsplit(gsub("-", "", pegs), between, fixed = TRUE)
    top <- vapply(items, function(peg) if (length(peg) > 0) tail(peg, 1) else NA_character_, "")
    after <- character()
    for (here in which(!is.na(top))) for (there in setdiff(seq_along(pegs), here)) {
      has_room <- if (level$items == "disks") is.na(top[there]) || as.integer(top[here]) < as.integer(top[there])
                  else length(items[[there]]) < capacities[there]
      if (!has_room) next
      moved <- items
      moved[[here]] <- head(items[[here]], -1)
      moved[[there]] <- c(items[[there]], top[here])
      texts <- vapply(moved, paste, "", collapse = between)
      after <- c(after, paste(ifelse(texts == "", "-", texts), collapse = "/"))
    }
    after
  })
  list(from = rep(movable, lengths(after)), after = as.character(unlist(after)))
}
