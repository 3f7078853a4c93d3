# Reference values of logistic mixed models from lme4's glmer: Laplace's approximation, and Gauss-Hermite quadrature
# (nAGQ 7 and 11) of models with one random intercept.
#
#   apt-get install r-cran-lme4 r-cran-numderiv r-cran-jsonlite
#   Rscript crates/statistics/tests/oracles/glmm.R
#
# Writes glmm.json beside this script, with the simulated data in it, within a minute. Columns of text are factors with
# the first label in alphabetical order as the reference.
#
# Errors of the fixed effects are three:
#   standard_error          from the second derivatives of the deviance over theta and the fixed effects together, by
#                           numDeriv; what vcov(model) means to give. Of these are z, p and the limits
#   standard_error_rx       vcov(model, use.hessian = FALSE): theta taken as known
#   standard_error_default  what summary() prints of a glmer with all its defaults (use.hessian = TRUE): the derivatives
#                           by differences over 1e-4, where its own search stopped. Its log likelihood is
#                           log_likelihood_default

suppressMessages({library(lme4); library(numDeriv); library(jsonlite)})
path <- sub("--file=", "", grep("--file=", commandArgs(FALSE), value = TRUE))

tight <- list(xtol_abs = 1e-12, xtol_rel = 1e-12, ftol_abs = 1e-12, ftol_rel = 1e-15, maxeval = 1e5)

# lme4 takes the determinant in the deviance at the last but one of its inner iterations. At the default tolerance that
# moves the log likelihood by 1e-3, and the inner iterations fail when told to go on for much longer. So every value is
# computed twice, the second time from the mode that the first one found.
exact <- function(fn) {
  inside <- environment(fn)
  from <- inside$lp0
  function(p) {
    inside$lp0 <- from
    fn(p)
    inside$lp0 <- inside$resp$eta - inside$baseOffset
    fn(p)
  }
}

# Several starts of theta, two methods on each, the best of all, and Newton steps at the end for the digits that a
# search without derivatives leaves open. Parameters on their limit of 0 are kept there.
thorough <- function(fn, par, lower, upper, control) {
  fn <- exact(fn)
  n_theta <- length(environment(fn)$pp$theta)
  is_theta <- seq_along(par) <= n_theta
  diagonal <- lower == 0
  safe <- function(p) tryCatch(fn(p), error = function(e) 1e10)
  starts <- c(list(par), lapply(c(1, 0.3, 0.05), function(size) ifelse(diagonal, size, ifelse(is_theta, 0, par))),
              lapply(c(-0.2, 0.2), function(size) ifelse(diagonal, 0.3, ifelse(is_theta, size, par))))
  runs <- lapply(starts, function(start) {
    found <- nloptwrap(start, safe, lower, upper, control = tight)$par
    found <- minqa::bobyqa(found, safe, lower, upper, control = list(rhobeg = 0.05, rhoend = 1e-9, maxfun = 1e5))$par
    list(par = found, value = safe(found))
  })
  best <- runs[[which.min(vapply(runs, `[[`, 0, "value"))]]$par
  best[diagonal & best < 1e-5] <- 0
  free <- !(diagonal & best == 0)
  among <- function(part) fn(replace(best, free, part))
  slope_at <- function(part) grad(among, part, method.args = list(d = 0.01))
  size <- Inf
  for (i in seq_len(if (any(free)) 10 else 0)) {
    slope <- slope_at(best[free])
    if (max(abs(slope)) >= size) break
    size <- max(abs(slope))
    kept <- best
    step <- tryCatch(solve(hessian(among, best[free]), slope), error = function(e) NULL)
    if (is.null(step) || any((best[free] - step)[diagonal[free]] < 0)) break
    best[free] <- best[free] - step
  }
  if (is.finite(size) && max(abs(slope_at(best[free]))) > size) best <- kept
  best[diagonal & best < 1e-5] <- 0
  list(par = best, fval = fn(best), feval = 0, convergence = 0)
}

control <- glmerControl(optimizer = "bobyqa", tolPwrss = 1e-11, calc.derivs = FALSE, check.conv.singular = "ignore",
                        check.conv.grad = "ignore", check.conv.hess = "ignore")
control$optimizer <- c("bobyqa", "thorough")

own <- function(labels, triangle) {
  unique_labels <- sort(unique(labels))
  effects <- matrix(rnorm(length(unique_labels) * nrow(triangle)), ncol = nrow(triangle)) %*% t(triangle)
  effects[match(labels, unique_labels), , drop = FALSE]
}

triangle <- function(intercept, slope, correlation) {
  matrix(c(intercept, correlation * slope, 0, slope * sqrt(1 - correlation^2)), 2)
}

# `condition` differs between participants. `ease` is the log odds of solving.
simulate <- function(seed, n_participants, n_levels, by_participant, level_sd = 0, ease = 0.3, share = 1) {
  set.seed(seed, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
  d <- expand.grid(level = sprintf("l%02d", 1:n_levels), participant = sprintf("p%02d", 1:n_participants),
                   stringsAsFactors = FALSE)
  if (share < 1) d <- d[sort(sample(nrow(d), round(share * nrow(d)))), ]
  n <- nrow(d)
  d$condition <- c("control", "trained")[1 + (as.integer(substr(d$participant, 2, 3)) %% 2)]
  d$x <- round(rnorm(n), 2)
  of_participant <- own(d$participant, by_participant)
  expected <- ease + 0.4 * d$x + 0.5 * (d$condition == "trained") + of_participant[, 1] + of_participant[, 2] * d$x +
    own(d$level, matrix(level_sd))[, 1]
  d$solved <- as.integer(runif(n) < plogis(expected))
  d
}

nested_rows <- function(m) unname(as.matrix(m))[, , drop = FALSE]

fit <- function(formula, d, points) {
  suppressWarnings(glmer(as.formula(formula), d, binomial, control = control, nAGQ = points))
}

case <- function(name, d, formula, points = 1, less = NULL) {
  rownames(d) <- NULL
  columns <- lapply(d[intersect(names(d), all.vars(as.formula(formula)))], identity)
  text <- vapply(d, is.character, NA)
  d[text] <- lapply(d[text], factor)
  model <- fit(formula, d, points)
  theta <- unname(getME(model, "theta"))
  estimates <- fixef(model)
  deviance_at <- exact(
    glmer(as.formula(formula), d, binomial, control = control, nAGQ = points, devFunOnly = TRUE))
  optimum <- c(theta, unname(estimates))
  curvature <- hessian(deviance_at, optimum)
  slope <- grad(deviance_at, optimum, method.args = list(d = 0.01))
  among <- seq_along(theta)
  covariance <- (2 * solve(curvature))[-among, -among]
  errors <- sqrt(diag(covariance))
  by_rx <- suppressWarnings(sqrt(diag(as.matrix(vcov(model, use.hessian = FALSE)))))
  components <- VarCorr(model)
  factors <- names(getME(model, "cnms"))
  modes <- ranef(model, condVar = FALSE)
  alone <- suppressWarnings(suppressMessages(glmer(as.formula(formula), d, binomial, nAGQ = points)))
  by_default <- suppressWarnings(sqrt(diag(as.matrix(vcov(alone)))))
  message(sprintf("%s: n = %d, solved = %.3f, singular = %s, theta = %s, largest gradient %.1e", name, nobs(model),
                  mean(d$solved), isSingular(model), paste(signif(theta, 6), collapse = " "), max(abs(slope))))
  relative <- function(other) paste(sprintf("%.1e", other / errors - 1), collapse = " ")
  message(sprintf("  lme4 by itself stays below by %.1e; errors %s, relative to them by default: %s, by rx: %s",
                  as.numeric(logLik(model)) - as.numeric(logLik(alone)), paste(signif(errors, 7), collapse = " "),
                  relative(by_default), relative(by_rx)))
  dropped <- lapply(less, function(other) {
    test <- anova(fit(other, d, points), model)
    list(formula = other, chisq = test$Chisq[2], df = test$Df[2], p_value = test$`Pr(>Chisq)`[2])
  })
  list(
    name = name, formula = formula, points = points, data = columns,
    fixed = lapply(seq_along(estimates), function(i) list(
      name = names(estimates)[i], estimate = unname(estimates[i]), standard_error = errors[i],
      statistic = unname(estimates[i]) / errors[i], p_value = 2 * pnorm(-abs(unname(estimates[i])) / errors[i]),
      lower = unname(estimates[i]) - qnorm(0.975) * errors[i], upper = unname(estimates[i]) + qnorm(0.975) * errors[i],
      standard_error_default = unname(by_default[i]), standard_error_rx = unname(by_rx[i])
    )),
    fixed_covariance = covariance,
    random = lapply(seq_along(components), function(i) list(
      group = factors[i], names = I(rownames(components[[i]])), covariance = nested_rows(components[[i]])
    )),
    modes = lapply(names(modes), function(group) list(
      group = group, labels = rownames(modes[[group]]), names = I(colnames(modes[[group]])),
      values = nested_rows(modes[[group]])
    )),
    theta = I(theta), deviance = -2 * as.numeric(logLik(model)), log_likelihood = as.numeric(logLik(model)),
    log_likelihood_default = as.numeric(logLik(alone)), aic = AIC(model), bic = BIC(model), n = nobs(model),
    singular = isSingular(model), dropped = dropped
  )
}

one <- "solved ~ x + condition + (1 | participant)"
one_less <- list("solved ~ condition + (1 | participant)")
crossed <- "solved ~ x + condition + (1 | participant) + (1 | level)"
crossed_less <- list("solved ~ condition + (1 | participant) + (1 | level)")
slopes <- "solved ~ x + (1 + x | participant)"
slopes_less <- list("solved ~ 1 + (1 + x | participant)", "solved ~ x + (1 | participant)")
few <- simulate(1, 30, 10, triangle(1, 0, 0), share = 0.9)
rare <- simulate(27, 40, 15, triangle(1, 0, 0), ease = -3.6)

cases <- list(
  case("one factor", few, one, less = one_less),
  case("one factor, 7 points", few, one, 7, less = one_less),
  case("one factor, 11 points", few, one, 11),
  case("crossed", simulate(2, 30, 12, triangle(1, 0, 0), 0.8), crossed, less = crossed_less),
  case("slopes", simulate(3, 36, 16, triangle(0.9, 0.7, 0.4)), slopes, less = slopes_less),
  case("slopes, uncorrelated, crossed", simulate(6, 30, 15, triangle(0.9, 0.7, 0), 0.6, share = 0.9),
       "solved ~ x + condition + (1 + x || participant) + (1 | level)"),
  case("slopes, crossed", simulate(7, 30, 15, triangle(0.9, 0.7, -0.4), 0.6),
       "solved ~ x * condition + (1 + x | participant) + (1 | level)"),
  case("no variance", simulate(8, 25, 8, triangle(0, 0, 0)), one, less = one_less),
  case("no variance, 7 points", simulate(8, 25, 8, triangle(0, 0, 0)), one, 7),
  case("hardly any variance of slopes", simulate(9, 30, 10, triangle(0.9, 0, 0)), slopes),
  case("no variance of slopes", simulate(29, 30, 10, triangle(0.9, 0, 0)), slopes),
  case("no variance of levels", simulate(10, 30, 10, triangle(0.9, 0, 0)), crossed, less = crossed_less),
  case("rare", rare, one, less = one_less),
  case("rare, 11 points", rare, one, 11),
  case("rare, no variance", simulate(4, 40, 15, triangle(1, 0, 0), ease = -4), one),
  case("nearly all solved", simulate(5, 40, 15, triangle(1, 0, 0), 1, ease = 4), crossed, less = crossed_less),
  case("very different people", simulate(11, 30, 10, triangle(4, 0, 0)), one),
  case("very different people, 11 points", simulate(11, 30, 10, triangle(4, 0, 0)), one, 11)
)

version <- function(name) as.character(packageVersion(name))
versions <- list(R = as.character(getRversion()), lme4 = version("lme4"), numDeriv = version("numDeriv"))
as_json <- function(x) toJSON(x, auto_unbox = TRUE, digits = NA, na = "null", null = "null")
writeLines(c(
  "{", '"script": "glmm.R",', sprintf('"made_with": %s,', as_json(versions)),
  '"cases": [', paste(vapply(cases, as_json, ""), collapse = ",\n"), "]", "}"
), sub("\\.R$", ".json", path))
