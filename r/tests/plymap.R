# Tests of the package on the study that `plymap init` writes. Without the program they are skipped, and say so.
library(plymap)

if (inherits(try(ply_program(), silent = TRUE), "try-error")) {
  message("SKIPPED: the tests, for there is no plymap on the path and none in PLYMAP")
  quit(status = 0)
}

fails <- function(code, words) {
  said <- tryCatch({
    code
    "no error"
  }, error = conditionMessage)
  if (!grepl(words, said, fixed = TRUE)) stop("expected an error with ", sQuote(words), ", not: ", said)
}

folder <- file.path(tempfile("plymap-test-"), "a study, 1")
dir.create(dirname(folder))
ply_call("init", folder)
study <- file.path(folder, "study.toml")
both <- sub("tables = [\"csv\"]", "tables = [\"csv\", \"parquet\"]", readLines(study, encoding = "UTF-8"), fixed = TRUE)
writeLines(both, study, useBytes = TRUE)
run <- ply_run(folder, out = file.path(dirname(folder), "results"), only = c("description", "quality"))

# The account of rows, and the tables.
stopifnot(inherits(run, "ply_run"), run$counts[["participants"]] == 3, run$counts[["rows_read"]] == 32,
          any(grepl("32 accepted + 0 rejected", run$account, fixed = TRUE)),
          "trials" %in% ply_tables(run), identical(ply_tables(run), ply_tables(run$folder)),
          any(grepl("3", capture.output(print(run)), fixed = TRUE)))
trials <- ply_read(run, "trials")
columns <- ply_columns(run, "trials")
stopifnot(nrow(trials) == 3, identical(names(trials), columns$name), is.logical(trials$solved),
          is.character(trials$session), is.numeric(trials$n_moves), all(is.na(trials$condition)),
          identical(attr(trials$n_moves, "label"), columns$meaning[columns$name == "n_moves"]))

# Both formats hold the same.
if (nzchar(system.file(package = "nanoparquet")) || nzchar(system.file(package = "arrow"))) {
  for (table in ply_tables(run)) {
    of_parquet <- ply_read(run, table, "parquet")
    of_csv <- ply_read(run, table, "csv")
    stopifnot(all.equal(of_parquet, of_csv, tolerance = 1e-14), identical(lapply(of_parquet, class), lapply(of_csv, class)))
  }
} else {
  message("SKIPPED: tables as Parquet, for there is neither nanoparquet nor arrow")
  fails(ply_read(run, "trials", format = "parquet"), "install nanoparquet or arrow")
}

# The rows of a log that R reads by itself.
logged <- read.csv(file.path(folder, "logs", "moves.csv"))
moves <- ply_read(run, "moves", format = "csv")
stopifnot(identical(c(moves$action), logged$move), all.equal(c(moves$rt_s), logged$rt_ms / 1000))

# Statistics of a data frame, against those of R.
made <- data.frame(x = c(3, 1, 4, 1, 5, 9, 2, 6), y = c(2, 7, 1, 8, 2, 8, 1, 8), keep = rep(c(TRUE, FALSE), 4),
                   group = factor(rep(c("a", "b"), each = 4)))
by_plymap <- ply_stats(made, "pearson", x = "x", y = "y")
by_r <- cor.test(made$x, made$y)
stopifnot(abs(by_plymap$estimate - by_r$estimate) < 1e-12, abs(by_plymap$p_value - by_r$p.value) < 1e-12)
kept <- ply_stats(made, "pearson", x = "x", y = "y", where = "keep", confidence = 0.9)
stopifnot(kept$n == 4, abs(kept$estimate - with(subset(made, keep), cor(x, y))) < 1e-12, kept$confidence == 0.9)
groups <- ply_stats(made, "describe", x = c("x", "y"), by = "group")
stopifnot(nrow(groups) == 4, setequal(groups$group, c("a", "b")))
welch <- ply_stats(made, "t-test", y = "y", group = "group")
stopifnot(abs(welch$p_value - t.test(y ~ group, made)$p.value) < 1e-9)
stopifnot("spearman" %in% ply_estimators()$estimator)

mixed <- ply_stats(moves, "mixed", formula = log(rt_s) ~ n_legal + (1 | participant))
stopifnot("n_legal" %in% mixed$term, all(mixed$n == 32))

# Figures, and a proposal.
stopifnot(file.exists(ply_figure(run, ply_figure(run)[1])))
proposed <- file.path(dirname(folder), "proposed")
suppressMessages(ply_import(file.path(folder, "logs", "moves.csv"), file.path(folder, "levels"), proposed))
stopifnot(file.exists(file.path(proposed, "study.toml")))

# What is wrong is said.
fails(ply_read(run, "trails"), "no table trails; it has")
fails(ply_figure(run, "none"), "no figure none")
fails(ply_results(tempdir()), "holds no run")
fails(ply_run(tempfile()), "plymap failed")
fails(ply_stats(made, "pearson", "x"), "needs its role")
fails(ply_stats(made, "pearson", x = "x", y = "z"), "z")
before <- options(plymap = "no-such-program")
fails(ply_program(), "no-such-program")
options(before)

unlink(dirname(folder), recursive = TRUE)
message("all tests of the package passed")
