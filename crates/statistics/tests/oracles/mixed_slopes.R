# Reference values of linear mixed models with random slopes, from lme4, lmerTest and emmeans.
#
#   apt-get install r-cran-lme4 r-cran-lmertest r-cran-numderiv r-cran-jsonlite r-cran-emmeans
#   Rscript crates/statistics/tests/oracles/mixed_slopes.R
#
# Writes mixed_slopes.json beside this script, with the simulated data in it. Columns of text are factors with the first
# label in alphabetical order as the reference. Terms of `random` stand in lme4's order (most labels first); `||` and
# two terms of one group are two entries of the same group there, and one entry with several columns in `modes`.

path <- sub("--file=", "", grep("--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(path), "lme4.R"))
suppressMessages({library(emmeans); library(numDeriv)})
emm_options(msg.interaction = FALSE)

# With more than one parameter a single run of lme4's optimiser stops too early, or in a corner. So: several starts, two
# methods on each, the best of all, and Newton steps at the end for the digits that a search without derivatives leaves
# open. Parameters on their limit of 0 are kept there.
thorough <- function(fn, par, lower, upper, control) {
  diagonal <- lower == 0
  starts <- c(list(par), lapply(c(1, 0.3, 0.05), function(size) ifelse(diagonal, size, 0)),
              lapply(c(-0.2, 0.2), function(size) ifelse(diagonal, 0.3, size)))
  runs <- lapply(starts, function(start) {
    found <- nloptwrap(start, fn, lower, upper, control = tight$optCtrl)$par
    widest <- max(0.1, abs(found))
    found <- minqa::bobyqa(found, fn, lower, upper, control = list(
      rhobeg = 0.05 * widest, rhoend = 1e-9 * widest, maxfun = 1e5))$par
    list(par = found, value = fn(found))
  })
  best <- runs[[which.min(vapply(runs, `[[`, 0, "value"))]]$par
  best[diagonal & best < 1e-6] <- 0
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
  best[diagonal & best < 1e-6] <- 0
  list(par = best, fval = fn(best), feval = 0, convergence = 0)
}
slopes_control <- tight
slopes_control$optimizer <- "thorough"
slopes_control$checkControl$check.scaleX <- "ignore"

drawing <- function(seed) {
  set.seed(seed, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
}

# Rows of a normal distribution with this lower triangle, by label.
own <- function(labels, triangle) {
  unique_labels <- sort(unique(labels))
  effects <- matrix(rnorm(length(unique_labels) * nrow(triangle)), ncol = nrow(triangle)) %*% t(triangle)
  effects[match(labels, unique_labels), , drop = FALSE]
}

triangle <- function(intercept, slope, correlation) {
  matrix(c(intercept, correlation * slope, 0, slope * sqrt(1 - correlation^2)), 2)
}

# All cells, then a share of them. `condition` differs between participants (two labels), `quality` within them (three).
simulate <- function(seed, n_participants, n_levels, by_participant, by_level = triangle(0.3, 0, 0), share = 1,
                     interaction = 0, sd = 0.7) {
  drawing(seed)
  d <- expand.grid(level = sprintf("l%02d", 1:n_levels), participant = sprintf("p%02d", 1:n_participants),
                   stringsAsFactors = FALSE)
  if (share < 1) d <- d[sort(sample(nrow(d), round(share * nrow(d)))), ]
  n <- nrow(d)
  number <- as.integer(substr(d$participant, 2, 3))
  d$condition <- c("control", "trained")[1 + (number %% 2)]
  d$quality <- sample(c("better", "same", "worse"), n, replace = TRUE, prob = c(5, 3, 2))
  d$x <- round(rnorm(n), 2)
  of_participant <- own(d$participant, by_participant)
  of_level <- own(d$level, by_level)
  d$y <- 7 + 0.2 * d$x + 0.3 * (d$condition == "trained") + c(better = 0, same = 0.15, worse = 0.3)[d$quality] +
    interaction * (d$condition == "trained") * (d$x + (d$quality == "worse")) +
    of_participant[, 1] + of_participant[, 2] * d$x + of_level[, 1] + of_level[, 2] * d$x + rnorm(n, 0, sd)
  d$y <- round(d$y, 4)
  d
}

# Each participant answers to the three labels of quality otherwise; every fourth one never meets `worse`.
simulate_qualities <- function(seed, n_participants, most) {
  drawing(seed)
  people <- sprintf("p%02d", 1:n_participants)
  d <- data.frame(participant = rep(people, sample(5:most, n_participants, replace = TRUE)))
  d$quality <- sample(c("better", "same", "worse"), nrow(d), replace = TRUE, prob = c(5, 3, 2))
  d <- d[!(d$quality == "worse" & as.integer(substr(d$participant, 2, 3)) %% 4 == 0), ]
  effects <- own(d$participant, matrix(c(0.6, 0.2, -0.3, 0, 0.5, 0.3, 0, 0, 0.5), 3))
  which_quality <- match(d$quality, c("better", "same", "worse"))
  d$y <- 5 + c(0, 0.2, 0.5)[which_quality] + effects[, 1] + (which_quality == 2) * effects[, 2] +
    (which_quality == 3) * effects[, 3] + rnorm(nrow(d), 0, 0.6)
  d$y <- round(d$y, 4)
  d
}

# Two slopes per participant; the numbers may lie far from 0 relative to their spread.
simulate_two <- function(seed, n_participants, n_each, centre, spread) {
  drawing(seed)
  d <- data.frame(participant = rep(sprintf("p%02d", 1:n_participants), each = n_each))
  n <- nrow(d)
  x <- round(rnorm(n, 0, spread), 2)
  w <- round(rnorm(n), 2)
  effects <- own(d$participant, matrix(c(0.7, 0.1, -0.1, 0, 0.2, 0.05, 0, 0, 0.4), 3))
  d$x <- centre + x
  d$w <- w
  d$y <- round(3 + 0.1 * x - 0.2 * w + effects[, 1] + effects[, 2] * x + effects[, 3] * w + rnorm(n, 0, 0.8), 4)
  d
}

nested_rows <- function(m) unname(as.matrix(m))[, , drop = FALSE]

fit <- function(formula, d, reml) {
  suppressMessages(lmer(as.formula(formula), d, REML = reml, control = slopes_control))
}

# The same hypothesis in its reduced form. The denominator degrees of freedom of a joint test depend on the contrasts that
# span it. Those of plymap are this form; lmerTest's anova takes others for a category in no interaction, so that for
# `quality` of "slopes of three labels, missing cells" it prints 28.683 where this form has 26.763 (F is the same).
reduced <- function(L) {
  row <- 1
  for (column in seq_len(ncol(L))) {
    if (row > nrow(L)) break
    pivot <- row - 1 + which.max(abs(L[row:nrow(L), column]))
    if (abs(L[pivot, column]) < 1e-10) next
    L[c(row, pivot), ] <- L[c(pivot, row), ]
    L[row, ] <- L[row, ] / L[row, column]
    for (other in setdiff(seq_len(nrow(L)), row)) L[other, ] <- L[other, ] - L[other, column] * L[row, ]
    row <- row + 1
  }
  L
}

described <- function(model) {
  table <- summary(model)$coefficients
  limits <- qt(0.975, table[, "df"]) * table[, "Std. Error"]
  tests <- show_tests(anova(model, type = 3))
  components <- VarCorr(model)
  factors <- names(getME(model, "cnms"))
  modes <- ranef(model, condVar = FALSE)
  list(
    fixed = lapply(seq_len(nrow(table)), function(i) list(
      name = rownames(table)[i], estimate = table[i, "Estimate"], standard_error = table[i, "Std. Error"],
      df = table[i, "df"], statistic = table[i, "t value"], p_value = table[i, "Pr(>|t|)"],
      lower = table[i, "Estimate"] - limits[i], upper = table[i, "Estimate"] + limits[i]
    )),
    fixed_covariance = nested_rows(vcov(model)),
    tests = lapply(names(tests), function(term) {
      test <- contestMD(model, reduced(tests[[term]]))
      list(name = term, statistic = test$`F value`, df1 = test$NumDF, df2 = test$DenDF, p_value = test$`Pr(>F)`)
    }),
    random = lapply(seq_along(components), function(i) list(
      group = factors[i], names = I(rownames(components[[i]])), covariance = nested_rows(components[[i]])
    )),
    modes = lapply(names(modes), function(group) list(
      group = group, labels = rownames(modes[[group]]), names = I(colnames(modes[[group]])),
      values = nested_rows(modes[[group]])
    )),
    theta = I(unname(getME(model, "theta"))), residual_sd = sigma(model),
    criterion = if (isREML(model)) REMLcrit(model) else deviance(model, REML = FALSE),
    log_likelihood = as.numeric(logLik(model)), aic = AIC(model), bic = BIC(model), n = nobs(model),
    singular = isSingular(model)
  )
}

# Marginal means of a factor, over the labels of the others in equal shares and at the means of the numbers.
means_of <- function(model, factor) {
  grid <- emmeans(model, as.formula(paste("~", factor)), lmer.df = "satterthwaite")
  means <- as.data.frame(summary(grid))
  pairs <- as.data.frame(summary(contrast(grid, "pairwise", adjust = "none"), infer = TRUE))
  list(
    factor = factor,
    means = lapply(seq_len(nrow(means)), function(i) list(
      label = as.character(means[i, factor]), mean = means$emmean[i], standard_error = means$SE[i], df = means$df[i],
      lower = means$lower.CL[i], upper = means$upper.CL[i]
    )),
    differences = lapply(seq_len(nrow(pairs)), function(i) list(
      name = as.character(pairs$contrast[i]), estimate = pairs$estimate[i], standard_error = pairs$SE[i],
      df = pairs$df[i], lower = pairs$lower.CL[i], upper = pairs$upper.CL[i], statistic = pairs$t.ratio[i],
      p_value = pairs$p.value[i]
    ))
  )
}

# The likelihood ratio test of a formula with less in it; both models by maximum likelihood.
less_of <- function(full, formula, d) {
  test <- anova(fit(formula, d, FALSE), full, refit = FALSE)
  list(formula = formula, chisq = test$Chisq[2], df = test$Df[2], p_value = test$`Pr(>Chisq)`[2])
}

case <- function(name, d, formula, reml = TRUE, means = NULL, less = NULL) {
  text <- vapply(d, is.character, NA)
  rownames(d) <- NULL
  columns <- lapply(d[intersect(names(d), all.vars(as.formula(formula)))], identity)
  d[text] <- lapply(d[text], factor)
  model <- fit(formula, d, reml)
  ml <- fit(formula, d, FALSE)
  found <- described(model)
  # What lme4 finds by itself, to know of models where it stops early.
  alone <- function(control) suppressWarnings(suppressMessages(
    as.numeric(logLik(lme4::lmer(as.formula(formula), d, REML = reml, control = control)))))
  message(sprintf("%s: singular = %s, theta = %s; lme4 by itself stays below by %.1e (tight), %.1e (default)", name,
                  found$singular, paste(signif(found$theta, 6), collapse = " "),
                  found$log_likelihood - alone(tight), found$log_likelihood - alone(lmerControl())))
  values <- eigen(model@vcov_varpar, TRUE, TRUE)$values
  message(sprintf("  n = %d, covariance of the parameters: eigenvalues %s; df %s", found$n,
                  paste(signif(values, 3), collapse = " "),
                  paste(signif(vapply(found$fixed, `[[`, 0, "df"), 4), collapse = " ")))
  c(list(name = name, reml = reml, formula = formula, data = columns), found,
    list(log_likelihood_ml = as.numeric(logLik(ml))),
    list(marginal_means = lapply(means, means_of, model = model), dropped = lapply(less, less_of, full = ml, d = d)))
}

crossed <- simulate(1, 24, 10, triangle(0.5, 0.3, 0.4), share = 0.9)
one <- "y ~ x + condition + (1 + x | participant) + (1 | level)"

# The two models of numbers near to 0 and far from it are one model, as a shift of x only makes other intercepts: those
# at x = 0. lme4 fits the second one badly from its own start (by 50 units of the log likelihood and more), and
# lmerTest's numerical derivatives fail in it even at the optimum. So its values are those of the first one, moved.
two_slopes <- "y ~ x + w + (1 + x + w | participant)"
centre <- 1000
near <- simulate_two(12, 20, 15, 0, 3)
far <- simulate_two(12, 20, 15, centre, 3)
moved_case <- function(name) {
  model <- fit(two_slopes, near, TRUE)
  found <- case(name, near, two_slopes)
  shift <- diag(3)
  shift[1, 2] <- -centre
  found$data$x <- far$x
  found$fixed <- lapply(1:3, function(i) {
    one <- contest1D(model, shift[i, ], confint = TRUE)
    list(name = found$fixed[[i]]$name, estimate = one$Estimate, standard_error = one$`Std. Error`, df = one$df,
         statistic = one$`t value`, p_value = one$`Pr(>|t|)`, lower = one$lower, upper = one$upper)
  })
  moved <- function(m) unname(shift %*% as.matrix(m) %*% t(shift))
  found$fixed_covariance <- moved(found$fixed_covariance)
  found$random[[1]]$covariance <- moved(found$random[[1]]$covariance)
  found$modes[[1]]$values <- found$modes[[1]]$values %*% t(shift)
  triangle <- t(chol(found$random[[1]]$covariance)) / found$residual_sd
  found$theta <- I(triangle[lower.tri(triangle, TRUE)])
  by_itself <- suppressWarnings(suppressMessages(lme4::lmer(as.formula(two_slopes), far, control = tight)))
  there <- suppressWarnings(lme4::lmer(as.formula(two_slopes), far, devFunOnly = TRUE))(as.numeric(found$theta))
  message(sprintf("  lme4 gives the moved parameters a criterion larger by %.1e; by itself stays below by %.1f",
                  there - found$criterion, found$log_likelihood - as.numeric(logLik(by_itself))))
  found
}

cases <- list(
  case("correlated slope, crossed", crossed, one, less = list(
    "y ~ condition + (1 + x | participant) + (1 | level)", "y ~ x + (1 + x | participant) + (1 | level)",
    "y ~ x + condition + (1 | participant) + (1 | level)"), means = "condition"),
  case("correlated slope, crossed, maximum likelihood", crossed, one, reml = FALSE, means = "condition"),
  case("uncorrelated slope, crossed", crossed, "y ~ x + condition + (1 + x || participant) + (1 | level)"),
  case("slopes of participants and of levels", simulate(2, 20, 14, triangle(0.5, 0.3, -0.3), triangle(0.4, 0.25, 0.5)),
       "y ~ x + (1 + x | participant) + (1 + x | level)"),
  case("condition between participants and its interaction with x",
       simulate(3, 22, 10, triangle(0.5, 0.3, 0.3), share = 0.85, interaction = 0.25),
       "y ~ x * condition + (1 + x | participant) + (1 | level)", means = "condition",
       less = list("y ~ x + condition + (1 + x | participant) + (1 | level)")),
  case("slopes of three labels, missing cells", simulate_qualities(4, 36, 14),
       "y ~ quality + (1 + quality | participant)", means = "quality",
       less = list("y ~ 1 + (1 + quality | participant)")),
  case("no variance of slopes, correlated", simulate(5, 20, 8, triangle(0.5, 0, 0)), one),
  case("no variance of slopes, uncorrelated", simulate(5, 20, 8, triangle(0.5, 0, 0)),
       "y ~ x + condition + (1 + x || participant) + (1 | level)"),
  case("hardly any variance of slopes", simulate(69, 20, 8, triangle(0.5, 0.05, 0)), one),
  case("hardly any variance of intercepts", simulate(45, 20, 8, triangle(0, 0.3, 0)), one),
  case("no variance of participants", simulate(23, 20, 8, triangle(0, 0, 0)), one),
  case("intercept and slope in two terms", simulate(8, 18, 12, triangle(0.6, 0.4, 0), share = 0.8),
       "y ~ x + quality + (1 | participant) + (0 + x | participant)", means = "quality"),
  case("two factors and their interaction",
       simulate(9, 24, 12, triangle(0.5, 0.3, 0.2), share = 0.8, interaction = 0.4),
       "y ~ condition * quality + x + (1 + x | participant) + (1 | level)", means = c("condition", "quality"),
       less = list("y ~ condition + quality + x + (1 + x | participant) + (1 | level)")),
  case("one factor", simulate(10, 15, 9, triangle(0.6, 0.4, -0.5), triangle(0, 0, 0)), "y ~ x + (1 + x | participant)"),
  case("two slopes", near, two_slopes),
  moved_case("two slopes, x far from 0"),
  case("a slope without an intercept", simulate(11, 20, 10, triangle(0, 0.4, 0)),
       "y ~ x + (0 + x | participant) + (1 | level)")
)

version <- function(name) as.character(packageVersion(name))
versions <- list(R = as.character(getRversion()), lme4 = version("lme4"), lmerTest = version("lmerTest"),
                 emmeans = version("emmeans"), numDeriv = version("numDeriv"))
as_json <- function(x) toJSON(x, auto_unbox = TRUE, digits = NA, na = "null", null = "null")
writeLines(c(
  "{", '"script": "mixed_slopes.R",', sprintf('"made_with": %s,', as_json(versions)),
  '"cases": [', paste(vapply(cases, as_json, ""), collapse = ",\n"), "]", "}"
), sub("\\.R$", ".json", path))
