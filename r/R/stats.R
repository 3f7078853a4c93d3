# Statistics of any data frame.

ply_stats <- function(data, estimator, ..., formula = NULL, where = NULL, by = NULL, adjust = NULL, confidence = NULL,
                      seed = NULL) {
  file <- tempfile("plymap-", fileext = ".csv")
  on.exit(unlink(file))
  write.csv(as_written(data), file, row.names = FALSE, na = "", fileEncoding = "UTF-8")
  roles <- list(...)
  if (length(roles) > 0 && (is.null(names(roles)) || any(names(roles) == ""))) {
    stop("each column needs its role, as in x = \"n_moves\"", call. = FALSE)
  }
  roles <- unlist(Map(option, names(roles), roles), use.names = FALSE)
  if (inherits(formula, "formula")) formula <- paste(deparse(formula, width.cutoff = 500L), collapse = " ")
  said <- ply_call("stats", file, "--estimator", estimator, roles, option("formula", formula), option("where", where),
                   option("by", by), option("adjust", adjust), option("confidence", confidence), option("seed", seed),
                   "--format", "csv")
  from_csv(said)
}

ply_estimators <- function() from_csv(ply_call("stats", "--list-estimators", "--format", "csv"))

from_csv <- function(lines) {
  read.csv(text = lines, na.strings = "", check.names = FALSE, encoding = "UTF-8", stringsAsFactors = FALSE)
}

# A data frame as plymap reads it: true and false as in its own tables, factors as their texts.
as_written <- function(data) {
  data <- as.data.frame(data)
  for (i in seq_along(data)) {
    if (is.logical(data[[i]])) data[[i]] <- ifelse(data[[i]], "true", "false")
    if (is.factor(data[[i]])) data[[i]] <- as.character(data[[i]])
  }
  data
}
