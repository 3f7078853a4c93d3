# Reference values of cluster-robust (CR2) errors of fixed effects, clustered by participant, from clubSandwich, for
# linear mixed models (lme4), linear models and logistic models.
#
#   apt-get install r-cran-lme4 r-cran-lmertest r-cran-numderiv r-cran-jsonlite r-cran-clubsandwich
#   Rscript crates/statistics/tests/oracles/mixed_robust.R
#
# Writes mixed_robust.json beside this script, with the simulated data in it. Columns of text are factors with the first
# label in alphabetical order as the reference.
#
# What clubSandwich computes, for clusters j with rows X_j, residuals e_j, weights W_j and a working model of variance
# T_j (up to a scale, which cancels):
#
#   M = (sum of X_j' W_j X_j)^-1
#   D_j = any root of T_j, so that D_j' D_j = T_j (Cholesky's)
#   A_j = D_j' [D_j (T_j - X_j M X_j') D_j']^(-1/2) D_j        with powers of eigenvalues up to 1e-12 taken as 0
#   V = M (sum of X_j' W_j A_j e_j e_j' A_j' W_j X_j) M
#
#   lm                  W = T = identity, so that A_j = (I - X_j M X_j')^(-1/2); residuals of the fit
#   lmer                W_j = V_j^-1 and T_j = V_j = Z_j L L' Z_j' + I, the variance that the model implies over that of
#                       the residuals, with L made of theta; residuals y - X b, without the random effects. M is vcov of
#                       the fixed effects over the variance of the residuals
#   glm of a binomial   with v = m (1 - m) at the fitted m: the rows of X are multiplied by v (the derivative of m by
#                       the linear predictor), W = diag(1 / v) and T = diag(v); residuals y - m. M is the usual vcov
#
# The t test of a combination c of coefficients has Satterthwaite's df as if T were true and known. With
# p_j = A_j' W_j X_j M c, and S the matrix of  S_jk = [j = k] p_j' T_j p_j - p_j' X_j M X_k' p_k :
# df = (trace of S)^2 / (sum of the squares of S).
#
# The test of several combinations is HTZ of Pustejovsky & Tipton (2018). With S of two combinations s and t,
# S(s,t)_jk = [j = k] p_js' T_j p_jt - p_js' X_j M X_k' p_kt, let O(s,t) be its trace and B_jk = O^(-1/2) S_jk O^(-1/2)
# (for every j and k a matrix over s and t). Then nu = q (q + 1) / (sum over s, t, j, k of
# B(s,t)_jk B(t,s)_jk + B(s,s)_jk B(t,t)_jk), and the Wald statistic of q combinations times (nu - q + 1) / (nu q) is
# the statistic: of an F distribution with q and nu - q + 1 df. (nu - q + 1) / nu is delta.

path <- sub("--file=", "", grep("--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(path), "lme4.R"))
suppressMessages(library(clubSandwich))

# Participants answer between 4 and `most` times. `condition` differs between them, `quality` within.
simulate <- function(seed, n_participants, most, slope_sd = 0) {
  set.seed(seed, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
  number <- rep(1:n_participants, times = sample(4:most, n_participants, replace = TRUE))
  n <- length(number)
  d <- data.frame(
    participant = sprintf("p%02d", number), condition = c("control", "trained")[1 + (number %% 3 == 0)],
    quality = sample(c("better", "same", "worse"), n, replace = TRUE, prob = c(5, 3, 2)), x = round(rnorm(n), 2)
  )
  own <- function(sd) rnorm(n_participants, 0, sd)[number]
  expected <- 0.4 * d$x + 0.5 * (d$condition == "trained") + c(better = 0, same = 0.2, worse = 0.4)[d$quality] +
    own(0.6) + own(slope_sd) * d$x
  # Unlike the models think, the spread grows with x.
  d$y <- round(7 + expected + rnorm(n, 0, 0.6) * exp(0.3 * d$x), 4)
  d$solved <- as.integer(runif(n) < plogis(0.3 + expected))
  d <- d[sample(n), ] # rows of a participant do not stand together
  rownames(d) <- NULL
  d
}

tight_glm <- glm.control(epsilon = 1e-15, maxit = 100)

case <- function(name, model_kind, formula, d, tested = NULL) {
  text <- vapply(d, is.character, NA)
  columns <- lapply(d[intersect(names(d), c(all.vars(as.formula(formula)), "participant"))], identity)
  d[text] <- lapply(d[text], factor)
  environment(formula) <- environment()
  model <- switch(
    model_kind,
    lmer = lme4::lmer(formula, d, control = tight),
    lm = lm(formula, d),
    glm = glm(formula, binomial, d, control = tight_glm)
  )
  # The weights that glm keeps are those before its last step; a start at the end makes them the final ones.
  if (model_kind == "glm") model <- glm(formula, binomial, d, start = coef(model), control = tight_glm)
  robust <- vcovCR(model, cluster = d$participant, type = "CR2")
  table <- coef_test(model, robust, test = "Satterthwaite")
  limits <- qt(0.975, table$df_Satt) * table$SE
  random <- NULL
  if (model_kind == "lmer") {
    parts <- VarCorr(model)
    random <- list(
      random = lapply(names(parts), function(group) list(
        group = group, names = I(rownames(parts[[group]])),
        covariance = unname(as.matrix(parts[[group]]))[, , drop = FALSE])),
      theta = I(unname(getME(model, "theta"))), residual_sd = sigma(model), criterion = REMLcrit(model),
      singular = isSingular(model)
    )
    dev <- lme4::lmer(formula, d, control = tight, devFunOnly = TRUE)
    slope <- numDeriv::grad(dev, getME(model, "theta"), method.args = list(d = 0.01))
    message(sprintf("%s: singular = %s, theta = %s, largest gradient %.1e", name, isSingular(model),
                    paste(signif(getME(model, "theta"), 5), collapse = " "), max(abs(slope))))
  } else message(name)
  message(paste("  n =", nrow(d), " df ", paste(signif(table$df_Satt, 5), collapse = " "), " SE ",
                paste(signif(table$SE, 5), collapse = " "), " model SE ",
                paste(signif(sqrt(diag(as.matrix(vcov(model)))), 5), collapse = " ")))
  tests <- lapply(names(tested), function(term) {
    zero <- constrain_zero(tested[[term]], coefs = setNames(table$beta, table$Coef))
    test <- Wald_test(model, zero, robust, test = "HTZ")
    list(name = term, coefficients = tested[[term]], statistic = test$Fstat, delta = test$delta, df1 = test$df_num,
         df2 = test$df_denom, p_value = test$p_val)
  })
  c(
    list(name = name, model = model_kind, formula = Reduce(paste, deparse(formula)), data = columns,
         cluster = "participant"),
    random,
    list(
      fixed = lapply(seq_len(nrow(table)), function(i) list(
        name = table$Coef[i], estimate = table$beta[i], standard_error = table$SE[i], df = table$df_Satt[i],
        statistic = table$tstat[i], p_value = table$p_Satt[i], lower = table$beta[i] - limits[i],
        upper = table$beta[i] + limits[i])),
      covariance = unname(as.matrix(robust)),
      model_covariance = unname(as.matrix(vcov(model))),
      tests = tests
    )
  )
}

intercepts <- y ~ x + condition + (1 | participant)
slopes <- y ~ x + (1 + x | participant)

quality <- list(quality = c("qualitysame", "qualityworse"))
crossing <- c(quality, list("quality:condition" = c("qualitysame:conditiontrained", "qualityworse:conditiontrained")))

# With one participant in the condition, its own row of (I - H) is singular: the root is of the rest.
one_trained <- simulate(9, 12, 10)
one_trained$condition <- ifelse(one_trained$participant == "p04", "trained", "control")

cases <- list(
  case("intercepts, 8 participants", "lmer", intercepts, simulate(1, 8, 15)),
  case("intercepts, 19 participants", "lmer", intercepts, simulate(2, 19, 14)),
  case("intercepts, 40 participants", "lmer", intercepts, simulate(3, 40, 9)),
  case("slopes, 8 participants", "lmer", slopes, simulate(4, 8, 18, 0.5)),
  case("slopes, 19 participants", "lmer", slopes, simulate(5, 19, 14, 0.5)),
  case("slopes, 40 participants", "lmer", slopes, simulate(6, 40, 9, 0.5)),
  case("three labels, 19 participants", "lmer", y ~ quality + x + condition + (1 + x | participant),
       simulate(7, 19, 14, 0.4), tested = quality),
  case("one participant in a condition", "lmer", intercepts, one_trained),
  case("linear model, 8 participants", "lm", y ~ x + condition, simulate(1, 8, 15)),
  case("linear model, 19 participants", "lm", y ~ x + condition, simulate(2, 19, 14)),
  case("linear model, 40 participants", "lm", y ~ x + condition, simulate(3, 40, 9)),
  case("linear model, three labels", "lm", y ~ quality * condition + x, simulate(8, 15, 12),
       tested = crossing),
  case("linear model, one participant in a condition", "lm", y ~ x + condition, one_trained),
  case("logistic model, 8 participants", "glm", solved ~ x + condition, simulate(1, 8, 15)),
  case("logistic model, 15 participants", "glm", solved ~ x + condition, simulate(8, 15, 12)),
  case("logistic model, 40 participants", "glm", solved ~ x + condition, simulate(3, 40, 9)),
  case("logistic model, three labels", "glm", solved ~ quality + x, simulate(2, 19, 14), tested = quality)
)

version <- function(name) as.character(packageVersion(name))
versions <- list(R = as.character(getRversion()), lme4 = version("lme4"), clubSandwich = version("clubSandwich"))
as_json <- function(x) toJSON(x, auto_unbox = TRUE, digits = NA, na = "null", null = "null")
writeLines(c(
  "{", '"script": "mixed_robust.R",', sprintf('"made_with": %s,', as_json(versions)),
  '"cases": [', paste(vapply(cases, as_json, ""), collapse = ",\n"), "]", "}"
), sub("\\.R$", ".json", path))
