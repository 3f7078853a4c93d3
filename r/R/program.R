# The program: how it is found and called.

# Path of the program, or an error that says how to name it.
ply_program <- function() {
  named <- getOption("plymap", Sys.getenv("PLYMAP", "plymap"))
  path <- Sys.which(named)[[1]]
  if (path == "") {
    stop("there is no program ", sQuote(named, FALSE), "; install plymap, or name it with options(plymap = \"path of ",
         "plymap\") or the environment variable PLYMAP", call. = FALSE)
  }
  path
}

# Runs the program; returns what it prints, line by line, and stops with its messages if it fails. `accepted` are exit
# codes that are no failure.
ply_call <- function(..., accepted = 0L, quiet = TRUE) {
  kind <- if (.Platform$OS.type == "windows") "cmd" else "sh"
  words <- as.character(unlist(list(...)))
  said <- tempfile("plymap-")
  on.exit(unlink(said))
  lines <- suppressWarnings(system2(ply_program(), shQuote(words, kind), stdout = TRUE, stderr = said))
  Encoding(lines) <- "UTF-8"
  messages <- readLines(said, encoding = "UTF-8", warn = FALSE)
  status <- attr(lines, "status")
  if (!is.null(status) && !status %in% accepted) {
    stop(paste(c("plymap failed:", messages), collapse = "\n"), call. = FALSE)
  }
  if (!quiet && length(messages) > 0) message(paste(messages, collapse = "\n"))
  attr(lines, "status") <- NULL
  lines
}

# An option with a value for each element: none for NULL.
option <- function(name, values) {
  as.vector(rbind(rep(paste0("--", name), length(values)), as.character(values)))
}
