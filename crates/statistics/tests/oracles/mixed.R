# Reference values of stats::mixed, from lme4 and lmerTest.
#
#   apt-get install r-cran-lme4 r-cran-lmertest r-cran-numderiv r-cran-jsonlite
#   Rscript crates/statistics/tests/oracles/mixed.R
#
# Writes mixed.json beside this script, with the simulated data in it. What the models are asked stands in lme4.R.

path <- sub("--file=", "", grep("--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(path), "lme4.R"))

contrast <- function(model, weights) {
  one <- contest1D(model, weights, confint = TRUE)
  list(weights = weights, estimate = one$Estimate, standard_error = one$`Std. Error`, df = one$df,
       statistic = one$`t value`, p_value = one$`Pr(>|t|)`, lower = one$lower, upper = one$upper)
}

# All cells, then a share of them at random, some of them several times.
simulate <- function(seed, n_participants, n_levels, sds, share = 1, most_repeats = 1, n_days = 0) {
  set.seed(seed, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
  d <- expand.grid(level = sprintf("l%02d", 1:n_levels), participant = sprintf("p%02d", 1:n_participants))
  if (share < 1) d <- d[sort(sample(nrow(d), round(share * nrow(d)))), ]
  if (most_repeats > 1) d <- d[rep(seq_len(nrow(d)), sample(1:most_repeats, nrow(d), replace = TRUE)), ]
  n <- nrow(d)
  d$participant <- as.character(d$participant)
  d$level <- as.character(d$level)
  d$quality <- sample(c("better", "same", "worse"), n, replace = TRUE, prob = c(5, 3, 2))
  d$distance <- sample(0:20, n, replace = TRUE)
  own <- function(labels, sd) {
    effects <- setNames(rnorm(length(unique(labels)), 0, sd), sort(unique(labels)))
    unname(effects[labels])
  }
  d$y <- 7 + c(better = 0, same = 0.15, worse = 0.3)[d$quality] - 0.02 * d$distance +
    own(d$participant, sds[1]) + own(d$level, sds[2]) + rnorm(n, 0, 0.7)
  if (n_days > 0) {
    d$day <- sprintf("d%d", sample(n_days, n, replace = TRUE))
    d$y <- d$y + own(d$day, sds[3])
  }
  d$y <- round(d$y, 4)
  d$quality <- factor(d$quality, c("better", "same", "worse"))
  d
}

crossed <- y ~ quality + distance + (1 | participant) + (1 | level)
cases <- list(
  list("crossed, 40 x 12", simulate(1, 40, 12, c(0.5, 0.3)), crossed, TRUE),
  list("crossed, 40 x 12, maximum likelihood", simulate(1, 40, 12, c(0.5, 0.3)), crossed, FALSE),
  list("missing cells and repeats", simulate(2, 30, 15, c(0.4, 0.5), share = 0.55, most_repeats = 4), crossed, TRUE),
  list("more levels than participants", simulate(3, 9, 30, c(0.6, 0.2), share = 0.8), crossed, TRUE),
  list("no variance of levels", simulate(10, 24, 10, c(0.4, 0)), crossed, TRUE),
  list("hardly any variance of levels, maximum likelihood", simulate(12, 24, 10, c(0.4, 0)), crossed, FALSE),
  list("no variance of either", simulate(45, 12, 8, c(0, 0)), crossed, TRUE),
  list("one factor", simulate(5, 20, 12, c(0.5, 0.0)), y ~ quality + distance + (1 | participant), TRUE),
  list("three factors", simulate(6, 25, 10, c(0.5, 0.3, 0.3), share = 0.9, n_days = 6),
       y ~ quality + distance + (1 | participant) + (1 | level) + (1 | day), TRUE),
  list("a strong participant", simulate(7, 15, 6, c(8, 0.3)), crossed, TRUE)
)

written <- lapply(cases, function(case) {
  d <- case[[2]]
  model <- lmer(case[[3]], d, REML = case[[4]], control = tight)
  found <- results(model)
  message(case[[1]], ": singular = ", found$singular, ", theta = ", paste(getME(model, "theta"), collapse = " "))
  c(list(name = case[[1]], reml = case[[4]], y = d$y, quality = as.character(d$quality), distance = d$distance,
         groups = lapply(names(getME(model, "l_i")), function(name) list(name = name, labels = d[[name]]))),
    found, list(contrasts = list(contrast(model, c(0, -1, 1, 0)), contrast(model, c(1, 0, 0.5, 10)))))
})

write_cases(written, path)
