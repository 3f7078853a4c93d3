# Reference values of stats::rasch.
#
#   apt-get install r-cran-lme4 r-cran-survival r-cran-numderiv r-cran-jsonlite
#   Rscript crates/statistics/tests/oracles/rasch.R
#
# Writes rasch.json beside this script, in a minute or two.
#
# Marginal: the Rasch model with normal abilities is a logistic model with one random intercept, fitted by lme4's
# glmer with adaptive quadrature of 25 points; standard errors from the Hessian of its deviance by numDeriv. Abilities
# (EAP) and their standard deviations: integrate(), given glmer's estimates; infit and outfit by their definition at
# these abilities. Conditional: the exact conditional logistic regression of survival's clogit, one stratum for each
# participant.
#
# Levels that all or none solved are in the inputs and left out of the models here: they have no finite difficulty.

suppressMessages({library(lme4); library(survival); library(numDeriv); library(jsonlite)})
path <- sub("--file=", "", grep("--file=", commandArgs(FALSE), value = TRUE))

simulate <- function(seed, n_participants, difficulties, sd, share = 1) {
  set.seed(seed, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
  d <- expand.grid(level = seq_along(difficulties), participant = seq_len(n_participants))
  abilities <- rnorm(n_participants, 0.3, sd)
  d$solved <- rbinom(nrow(d), 1, plogis(abilities[d$participant] - difficulties[d$level]))
  if (share < 1) d <- d[sort(sample(nrow(d), round(share * nrow(d)))), ]
  d$level <- sprintf("l%02d", d$level)
  d$participant <- sprintf("p%03d", d$participant)
  d
}

posterior <- function(rows, difficulties, sd) {
  b <- difficulties[rows$level]
  log_density <- function(a) sapply(a, function(own) {
    sum(plogis(ifelse(rows$solved == 1, own - b, b - own), log.p = TRUE)) + dnorm(own, 0, sd, log = TRUE)
  })
  top <- optimize(log_density, c(-12 * sd, 12 * sd), maximum = TRUE, tol = 1e-10)
  width <- 1 / sqrt(1 / sd^2 + sum(plogis(top$maximum - b) * plogis(b - top$maximum)))
  # In two halves, in units of the width: integrate() then sees where the mass is.
  moment <- function(f) {
    g <- function(t) f(top$maximum + width * t) * exp(log_density(top$maximum + width * t) - top$objective)
    integrate(g, -14, 0, rel.tol = 1e-11, subdivisions = 1000)$value +
      integrate(g, 0, 14, rel.tol = 1e-11, subdivisions = 1000)$value
  }
  mass <- moment(function(a) 1)
  mean <- moment(function(a) a) / mass
  c(mean, sqrt(moment(function(a) (a - mean)^2) / mass))
}

fit_statistics <- function(residual, variance, by) {
  list(outfit = unname(tapply(residual^2 / variance, by, mean)),
       infit = unname(tapply(residual^2, by, sum) / tapply(variance, by, sum)))
}

results <- function(name, d) {
  kept <- d[!(ave(d$solved, d$level) %in% c(0, 1)), ]
  model <- glmer(solved ~ 0 + level + (1 | participant), kept, family = binomial, nAGQ = 25, control = glmerControl(
    optimizer = "bobyqa", optCtrl = list(rhoend = 1e-10, maxfun = 1e6), calc.derivs = FALSE,
    check.conv.singular = "ignore"))
  deviance_of <- update(model, devFunOnly = TRUE)
  # From where bobyqa stops, some Newton steps with numerical derivatives: its differences of 1e-7 would otherwise
  # be the largest in the comparison.
  point <- unname(c(getME(model, "theta"), fixef(model)))
  singular <- point[1] < 1e-4
  if (!singular) for (i in 1:3) point <- point - solve(hessian(deviance_of, point), grad(deviance_of, point))
  if (singular) point <- c(0, unname(coef(glm(solved ~ 0 + level, binomial, kept))))
  sd <- point[1]
  levels <- sort(unique(kept$level))
  difficulties <- setNames(-point[-1], levels)
  H <- if (singular) hessian(function(b) deviance_of(c(0, b)), point[-1]) else hessian(deviance_of, point)
  errors <- sqrt(diag(2 * solve(H)))
  deviance <- deviance_of(point)
  k <- length(point)
  message(name, ": sd = ", sd, ", slope left = ", max(abs(grad(deviance_of, point)[-1])))

  people <- sort(unique(kept$participant))
  eap <- sapply(people, function(own) {
    if (singular) c(0, 0) else posterior(kept[kept$participant == own, ], difficulties, sd)
  })
  p <- plogis(eap[1, kept$participant] - difficulties[kept$level])
  by_level <- fit_statistics(kept$solved - p, p * (1 - p), kept$level)
  by_participant <- fit_statistics(kept$solved - p, p * (1 - p), kept$participant)

  informative <- kept[!(ave(kept$solved, kept$participant) %in% c(0, 1)), ]
  conditional <- clogit(solved ~ level + strata(participant), informative, method = "exact",
                        control = coxph.control(eps = 1e-14, toler.chol = 1e-15, iter.max = 60))
  b <- c(0, -unname(coef(conditional)))
  centre <- diag(length(b)) - 1 / length(b)
  V <- centre %*% rbind(0, cbind(0, vcov(conditional))) %*% t(centre)
  list(
    name = name, participant = d$participant, level = d$level, solved = d$solved == 1,
    levels = levels, difficulties = unname(difficulties),
    standard_errors = if (singular) errors else errors[-1],
    ability_sd = sd, ability_sd_error = if (singular) NA else errors[1], singular = singular,
    log_likelihood = -deviance / 2, aic = deviance + 2 * k, bic = deviance + log(nrow(kept)) * k,
    participants = people, abilities = unname(eap[1, ]), ability_sds = unname(eap[2, ]),
    level_infit = by_level$infit, level_outfit = by_level$outfit,
    participant_infit = by_participant$infit, participant_outfit = by_participant$outfit,
    conditional = list(difficulties = as.vector(centre %*% b), standard_errors = sqrt(diag(V)),
                       log_likelihood = conditional$loglik[2])
  )
}

cases <- list(
  results("all cells, 60 x 8", simulate(1, 60, seq(-1.5, 1.5, length.out = 8), 1)),
  results("missing cells, 50 x 12", simulate(2, 50, rnorm(12), 1.3, share = 0.6)),
  results("few people and many levels, 20 x 35", simulate(3, 20, seq(-2, 2, length.out = 35), 0.7, share = 0.9)),
  results("very different people", simulate(4, 80, seq(-2, 2, length.out = 6), 3)),
  results("levels that all or none solved", simulate(5, 40, c(-9, -1, -0.5, 0, 0.5, 1, 9), 1)),
  results("people all alike", simulate(9, 60, c(-1, -0.3, 0.3, 1), 0, share = 0.9))
)

version <- function(name) as.character(packageVersion(name))
versions <- list(R = as.character(getRversion()), lme4 = version("lme4"), survival = version("survival"),
                 numDeriv = version("numDeriv"))
as_json <- function(x) toJSON(x, auto_unbox = TRUE, digits = NA, na = "null", null = "null")
writeLines(c(
  "{", '"script": "rasch.R",', sprintf('"made_with": %s,', as_json(versions)),
  '"cases": [', paste(vapply(cases, as_json, ""), collapse = ",\n"), "]", "}"
), sub("\\.R$", ".json", path))
