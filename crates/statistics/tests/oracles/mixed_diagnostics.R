# Reference values of what mixed models leave unexplained, and of how single labels move their fixed effects, from lme4.
#
#   apt-get install r-cran-lme4 r-cran-lmertest r-cran-jsonlite
#   Rscript crates/statistics/tests/oracles/mixed_diagnostics.R
#
# Writes mixed_diagnostics.json beside this script. `changes` of a linear model is the effect of leaving a label out with
# the variances of the whole fit, from the dense covariance matrix of the observations; `without` is what refitting
# without the label gives.

path <- sub("--file=", "", grep("--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(path), "lme4.R"))

simulate <- function(seed, persons, items, slope_sd, event) {
  set.seed(seed)
  data <- expand.grid(participant = sprintf("p%02d", 1:persons), level = sprintf("l%02d", 1:items),
                      repetition = 1:3, stringsAsFactors = FALSE)
  p <- as.integer(factor(data$participant)); l <- as.integer(factor(data$level))
  data$x <- round(rnorm(nrow(data)) + 0.4 * rnorm(persons)[p], 3)
  data$group <- ifelse(p %% 3 == 0, "b", "a")
  mean <- 0.3 + (0.5 + slope_sd * rnorm(persons)[p]) * data$x + 0.4 * (data$group == "b") +
    0.7 * rnorm(persons)[p] + 0.4 * rnorm(items)[l]
  data$y <- if (event) as.numeric(runif(nrow(data)) < plogis(mean)) else round(mean + rnorm(nrow(data)), 4)
  data[sample(nrow(data), round(0.85 * nrow(data))), c("participant", "level", "x", "group", "y")]
}

fit <- function(formula, data, event) {
  if (event) glmer(formula, data, family = binomial, control = glmerControl(optimizer = "bobyqa"))
  else lmer(formula, data, control = tight)
}

# The change of each fixed effect, in standard errors, without each label of a factor, variances as they are.
left_out <- function(model, labels) {
  X <- as.matrix(getME(model, "X")); Z <- as.matrix(getME(model, "Z")); L <- as.matrix(getME(model, "Lambda"))
  V <- sigma(model)^2 * (Z %*% L %*% t(L) %*% t(Z) + diag(nrow(X)))
  y <- getME(model, "y")
  gls <- function(rows) {
    W <- solve(V[rows, rows])
    list(C = solve(t(X[rows, ]) %*% W %*% X[rows, ]), b = solve(t(X[rows, ]) %*% W %*% X[rows, ], t(X[rows, ]) %*% W %*% y[rows]))
  }
  whole <- gls(rep(TRUE, nrow(X)))
  sapply(sort(unique(labels)), function(own) as.vector(gls(labels != own)$b - whole$b) / sqrt(diag(whole$C)))
}

without <- function(model, formula, data, labels, event) {
  se <- sqrt(diag(as.matrix(vcov(model))))
  sapply(sort(unique(labels)), function(own) {
    (fixef(fit(formula, data[labels != own, ], event)) - fixef(model)) / se
  })
}

case <- function(name, formula, data, event) {
  model <- fit(formula, data, event)
  factors <- c("participant", "level")
  named <- function(of) setNames(lapply(factors, function(factor) unname(as.matrix(of(data[[factor]])))), factors)
  list(
    name = name, event = event, formula = paste(deparse(formula, width.cutoff = 500), collapse = ""),
    data = as.list(data), effects = names(fixef(model)), fitted = unname(fitted(model)),
    residuals = unname(residuals(model, type = "pearson") / (if (event) 1 else sigma(model))),
    changes = if (event) NULL else named(function(labels) left_out(model, labels)),
    without = named(function(labels) without(model, formula, data, labels, event))
  )
}

slopes <- y ~ x + group + (1 + x | participant) + (1 | level)
plain <- y ~ x + group + (1 | participant) + (1 | level)
write_cases(list(
  case("slopes", slopes, simulate(1, 15, 6, 0.4, FALSE), FALSE),
  case("few levels", plain, simulate(2, 24, 4, 0, FALSE), FALSE),
  case("events", plain, simulate(3, 24, 8, 0, TRUE), TRUE)
), path)
