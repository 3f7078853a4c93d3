# Studies: proposed, run, and opened.

ply_import <- function(files, levels = NULL, out, game = NULL) {
  # An exit code of 7 is a proposal by which many rows cannot be replayed: it is written, and its questions are shown.
  ply_call("import", files, option("levels", levels), option("game", game), "--out", out, accepted = 7L, quiet = FALSE)
  invisible(out)
}

ply_run <- function(study, out = NULL, only = NULL, fast = FALSE, open = FALSE) {
  folder <- if (is.null(out)) tempfile("plymap-run-") else out
  # An exit code of 6 says that a part could not be made; the rest is there, and the messages name the part.
  said <- ply_call("run", study, "--out", folder, if (length(only) > 0) c("--only", paste(only, collapse = ",")),
                   if (fast) "--fast", accepted = 6L, quiet = FALSE)
  run <- ply_results(folder)
  run$account <- said
  if (open) ply_open(run)
  run
}

ply_results <- function(folder) {
  if (!file.exists(file.path(folder, "manifest.json"))) {
    stop(folder, " holds no run: there is no manifest.json in it", call. = FALSE)
  }
  manifest <- jsonlite::fromJSON(file.path(folder, "manifest.json"), simplifyDataFrame = FALSE)
  structure(list(folder = normalizePath(folder), counts = unlist(manifest$counts), account = character()),
            class = "ply_run")
}

print.ply_run <- function(x, ...) {
  tables <- ply_tables(x)
  cat("A run of plymap in ", x$folder, "\n", length(tables), " tables for ply_read(), report for ply_open()\n", sep = "")
  if (length(x$counts) > 0) cat(paste0("  ", names(x$counts), ": ", x$counts), sep = "\n")
  invisible(x)
}

ply_open <- function(run) {
  report <- file.path(folder_of(run), "report.html")
  browseURL(paste0("file://", utils::URLencode(normalizePath(report, winslash = "/"))))
  invisible(report)
}

ply_figure <- function(run, name = NULL, format = c("svg", "pdf", "png")) {
  folder <- file.path(folder_of(run), "figures")
  format <- match.arg(format)
  there <- sub("\\.[a-z]+$", "", list.files(folder, paste0("\\.", format, "$")))
  if (is.null(name)) return(there)
  if (!name %in% there) {
    stop("the run has no figure ", name, " as ", format, "; it has ", paste(there, collapse = ", "), call. = FALSE)
  }
  file.path(folder, paste0(name, ".", format))
}

# The folder of a run, which may be given as a path.
folder_of <- function(run) if (inherits(run, "ply_run")) run$folder else ply_results(run)$folder
