# Reference values of the cluster-robust errors of stats::logit, from clubSandwich: CR2 of a binomial glm, with
# Satterthwaite's degrees of freedom.
#
#   apt-get install r-cran-clubsandwich r-cran-jsonlite
#   Rscript crates/statistics/tests/oracles/logit_cr2.R
#
# Writes logit_cr2.json beside this script, with the simulated data in it. `covariates` are the columns of the model
# without the intercept, products among them written out.
#
# The bread of the sandwich comes from the weights of the last step but one of glm, which is 1e-7 off. So it is fitted
# again from where it ended. clubSandwich takes eigenvalues of a cluster's matrix below 1e-12 for 0, whatever its scale; the message of each
# case says how far the others are from that, and how many are 0. `wald` is the test of all covariates by chi-squared.

suppressMessages({library(clubSandwich); library(jsonlite)})
path <- sub("--file=", "", grep("--file=", commandArgs(FALSE), value = TRUE))

# Participants with `sizes` trials, each with a log odds of its own. `trained` is constant within participants, `x` and
# `after` are not.
simulate <- function(seed, sizes, spread = 0.8, ease = -0.4) {
  set.seed(seed, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
  participant <- rep(seq_along(sizes), sizes)
  n <- length(participant)
  own <- rnorm(length(sizes), 0, spread)[participant]
  d <- data.frame(participant, x = round(rnorm(n, 8, 3) + 2 * own, 2), after = rbinom(n, 1, 0.4),
                  trained = participant %% 2)
  d$solved <- rbinom(n, 1, plogis(ease + 0.15 * (d$x - 8) - 0.5 * d$after + 0.6 * d$trained + own))
  d[sample(n), ]
}

# The eigenvalues that clubSandwich compares with 1e-12.
eigenvalues <- function(model, participant) {
  x <- model.matrix(model)
  v <- fitted(model) * (1 - fitted(model))
  inverse <- solve(crossprod(x * sqrt(v)))
  unlist(lapply(split(seq_along(v), participant), function(rows) {
    own <- x[rows, , drop = FALSE] * v[rows]^1.5
    eigen(diag(v[rows]^2, length(rows)) - own %*% inverse %*% t(own), symmetric = TRUE, only.values = TRUE)$values
  }))
}

case <- function(name, d, formula) {
  first <- glm(as.formula(formula), binomial, d, epsilon = 1e-15, maxit = 100)
  model <- glm(as.formula(formula), binomial, d, epsilon = 1e-15, maxit = 100, start = coef(first))
  covariance <- vcovCR(model, cluster = d$participant, type = "CR2")
  tests <- coef_test(model, covariance, test = "Satterthwaite")
  limits <- conf_int(model, covariance, level = 0.95, test = "Satterthwaite")
  slopes <- seq_along(coef(model))[-1]
  chi_squared <- sum(coef(model)[slopes] * solve(as.matrix(covariance)[slopes, slopes], coef(model)[slopes]))
  joint <- function(statistic) c(statistic, length(slopes), pchisq(statistic, length(slopes), lower.tail = FALSE))
  own <- eigenvalues(model, d$participant)
  message(sprintf("%s: n = %d, clusters = %d, eigenvalues of 0: %d, least other: %.1e, df = %s", name, nrow(d),
                  length(unique(d$participant)), sum(own < 1e-12), min(own[own > 1e-12]),
                  paste(signif(tests$df_Satt, 4), collapse = " ")))
  columns <- model.matrix(model)[, slopes, drop = FALSE]
  list(
    name = name, confidence = 0.95, formula = formula, names = I(colnames(columns)), events = d$solved,
    clusters = d$participant, covariates = unname(lapply(seq_along(slopes), function(i) unname(columns[, i]))),
    estimate = tests$beta, standard_error = unname(tests$SE), statistic = unname(tests$tstat), df = tests$df_Satt,
    p_value = tests$p_Satt, lower = unname(limits$CI_L), upper = unname(limits$CI_U),
    log_likelihood = -model$deviance / 2, log_likelihood_null = -model$null.deviance / 2,
    mcfadden_r_squared = 1 - model$deviance / model$null.deviance,
    likelihood_ratio = joint(model$null.deviance - model$deviance), wald = joint(chi_squared)
  )
}

of_one <- function(d, who) transform(d, one = as.integer(participant == who))
both <- "solved ~ x + trained"
cases <- list(
  case("five people", simulate(1, c(4, 9, 60, 23, 31)), both),
  case("eight people, interaction", simulate(2, c(3, 40, 12, 25, 9, 71, 18, 33)), "solved ~ x * trained + after"),
  case("nineteen people, some with one trial", simulate(3, c(1, 1, 1, 2, 2, 3, 5, 8, 8, 12, 1, 20, 35, 4, 1, 6, 14, 9, 50)),
       "solved ~ x + after + trained"),
  case("everybody with one trial", simulate(4, rep(1, 60)), both),
  case("two people", simulate(5, c(30, 45)), "solved ~ x + after"),
  case("constant within people", simulate(16, c(12, 3, 25, 8, 40, 17)), "solved ~ trained"),
  case("one person most of the data", simulate(7, c(400, 5, 7, 3, 6, 9, 2)), both),
  case("rare", simulate(8, c(90, 40, 120, 15, 60, 75, 33, 150), ease = -4), both),
  case("strong", simulate(9, c(20, 35, 28, 14, 40, 31, 22, 9, 26), spread = 2.5), both),
  case("a person of their own", of_one(simulate(10, c(25, 14, 38, 9, 20, 31)), 3), "solved ~ x + one"),
  case("a slope of one person", of_one(simulate(11, c(22, 16, 30, 12, 27, 19, 5)), 5), "solved ~ after + one * x"),
  case("one condition has one person", transform(simulate(12, c(24, 18, 30, 11)), trained = as.integer(participant == 1)),
       both)
)

version <- function(name) as.character(packageVersion(name))
versions <- list(R = as.character(getRversion()), clubSandwich = version("clubSandwich"))
as_json <- function(x) toJSON(x, auto_unbox = TRUE, digits = NA, na = "null", null = "null")
writeLines(c(
  "{", '"script": "logit_cr2.R",', sprintf('"made_with": %s,', as_json(versions)),
  '"cases": [', paste(vapply(cases, as_json, ""), collapse = ",\n"), "]", "}"
), sub("\\.R$", ".json", path))
