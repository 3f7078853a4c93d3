# A second opinion on stats::two_samples, from R: the shifts of stats::wilcox.test (exact, without ties or zeros),
# and Hedges' g with its interval from effectsize::hedges_g.
#
#     Rscript crates/statistics/tests/oracles/two_samples.R
#
# It writes two_samples_r.json beside itself. Needs the packages effectsize and jsonlite.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
set.seed(20261127)

sample_of <- function(n, mean) round(rlnorm(n, mean, 0.7), 4)

shifts <- list()
for (sizes in list(c(5, 6), c(8, 20), c(7, 31), c(4, 4))) {
  x <- sample_of(sizes[1], 1.4)
  y <- sample_of(sizes[2], 1.0)
  stopifnot(!anyDuplicated(c(x, y)))
  for (level in c(0.95, 0.9)) {
    test <- wilcox.test(x, y, conf.int = TRUE, conf.level = level, exact = TRUE)
    shifts[[length(shifts) + 1]] <- list(
      test = "mann-whitney", x = x, y = y, confidence = level, p_value = test$p.value,
      shift = unname(test$estimate), lower = test$conf.int[1], upper = test$conf.int[2]
    )
  }
}
for (n in c(7, 15, 40)) {
  x <- sample_of(n, 1.3)
  y <- sample_of(n, 1.0)
  stopifnot(!anyDuplicated(abs(x - y)), all(x != y))
  for (level in c(0.95, 0.9)) {
    test <- wilcox.test(x, y, paired = TRUE, conf.int = TRUE, conf.level = level, exact = TRUE)
    shifts[[length(shifts) + 1]] <- list(
      test = "wilcoxon", x = x, y = y, confidence = level, p_value = test$p.value,
      shift = unname(test$estimate), lower = test$conf.int[1], upper = test$conf.int[2]
    )
  }
}
effects <- list()
for (sizes in list(c(5, 6), c(12, 30), c(3, 3), c(60, 45))) {
  x <- sample_of(sizes[1], 1.4)
  y <- sample_of(sizes[2], 1.0)
  g <- effectsize::hedges_g(x, y, pooled_sd = TRUE, ci = 0.95)
  effects[[length(effects) + 1]] <- list(
    x = x, y = y, confidence = 0.95, hedges_g = g$Hedges_g, lower = g$CI_low, upper = g$CI_high
  )
}
out <- list(
  script = jsonlite::unbox("two_samples.R"),
  made_with = list(
    R = jsonlite::unbox(paste(R.version$major, R.version$minor, sep = ".")),
    effectsize = jsonlite::unbox(as.character(packageVersion("effectsize")))
  ),
  shifts = lapply(shifts, function(case) {
    lapply(case, function(value) if (length(value) == 1) jsonlite::unbox(value) else value)
  }),
  effects = lapply(effects, function(case) {
    lapply(case, function(value) if (length(value) == 1) jsonlite::unbox(value) else value)
  })
)
text <- jsonlite::toJSON(out, digits = I(17), pretty = FALSE)
writeLines(text, file.path(dirname(script), "two_samples_r.json"))
