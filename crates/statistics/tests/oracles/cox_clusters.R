# Reference values of stats::survival::cox with clusters: R's robust variances for clusters of one kind, put together for
# two, with Student's t. Run: Rscript crates/statistics/tests/oracles/cox_clusters.R
#
# The variance of two kinds is that of the first and of the second less that of both (Cameron, Gelbach & Miller, 2011), at
# least the larger of the first two. The degrees of freedom are those of the unit that a covariate varies over: G - 1, less the
# number of covariates with one value in each cluster where it is one of them; the variance times G / df. Of two values, one of
# which two or three clusters have, they are Welch's for equal variances where these are fewer, and the variance is multiplied
# by what makes that of a difference of means unbiased where this is more. Hotelling's test of all covariates has the fewest.
suppressPackageStartupMessages({library(survival); library(jsonlite)})
set.seed(20261127)
script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
control <- coxph.control(eps = 1e-13, toler.chol = 1e-14, iter.max = 100)
bare <- function(x) unname(as.numeric(x))

cases <- list()
add <- function(name, data, covariates, kinds, strata = NULL) {
  right <- paste(c(covariates, if (!is.null(strata)) "strata(stratum)"), collapse = " + ")
  if (!is.null(strata)) data$stratum <- strata
  formula <- as.formula(paste("Surv(time, event) ~", right))
  robust <- function(by) {
    data$by <- as.integer(factor(by))
    vcov(coxph(formula, data, ties = "efron", control = control, cluster = by))
  }
  variances <- lapply(kinds, robust)
  total <- variances[[1]]
  if (length(kinds) == 2) {
    total <- total + variances[[2]] - robust(interaction(kinds[[1]], kinds[[2]], drop = TRUE))
    diag(total) <- pmax(diag(total), diag(variances[[1]]), diag(variances[[2]]))
  }
  # One value in each cluster, by the number of different rows.
  belongs <- sapply(kinds, function(by) sapply(covariates, function(x) nrow(unique(data.frame(by, data[[x]]))) == length(unique(by))))
  belongs <- matrix(belongs, length(covariates))
  n <- sapply(kinds, function(by) length(unique(by)))
  of_column <- function(j) {
    if (!any(belongs[j, ])) return(c(n[1] / (n[1] - 1), n[1] - 1))
    of_kind <- function(kind) {
      df <- n[kind] - 1 - sum(belongs[, kind])
      found <- c(n[kind] / df, df)
      groups <- table(tapply(data[[covariates[j]]], kinds[[kind]], function(x) x[1]))
      if (length(groups) == 2 && min(groups) < 4) {
        found[1] <- max(found[1], sum(1 / groups) / sum((groups - 1) / groups^2))
        found[2] <- min(found[2], sum(1 / groups)^2 / sum(1 / (groups^2 * (groups - 1))))
      }
      found
    }
    each <- sapply(which(belongs[j, ]), of_kind)
    each[, which.min(each[2, ])]
  }
  units <- sapply(seq_along(covariates), of_column)
  df <- units[2, ]; factor <- sqrt(units[1, ])
  total <- total * outer(factor, factor)
  estimate <- bare(coef(coxph(formula, data, ties = "efron", control = control)))
  error <- sqrt(bare(diag(total)))
  half <- qt(0.975, df) * error
  q <- length(covariates); nu <- min(df); df2 <- nu - q + 1
  joint <- c(bare(estimate %*% solve(total, estimate)) * df2 / (nu * q), q, df2)
  cases[[length(cases) + 1]] <<- list(
    name = unbox(name), times = data$time, events = as.integer(data$event), names = covariates,
    covariates = lapply(covariates, function(x) data[[x]]), clusters = bare(kinds[[1]]),
    second = if (length(kinds) == 2) bare(kinds[[2]]) else NULL, strata = strata, estimate = estimate,
    standard_error = error, df = df, statistic = estimate / error, p_value = 2 * pt(-abs(estimate / error), df),
    lower = estimate - half, upper = estimate + half,
    # The matrix of two kinds need not be positive definite, or has too few degrees of freedom for all covariates.
    wald = if (df2 >= 1 && all(eigen(cov2cor(total))$values > 1e-10)) c(joint, pf(joint[1], q, df2, lower.tail = FALSE)) else NULL)
}
crossed <- function(n_people, n_levels, decimals = 1) {
  data <- expand.grid(level = 1:n_levels, who = 1:n_people)
  data$distance <- (3 + 2 * (1:n_levels) + (1:n_levels) %% 3)[data$level]
  data$condition <- as.numeric(data$who %% 2)
  data$other <- as.numeric(data$who %% 3 == 0)
  data$tried <- as.numeric((data$who + data$level) %% 2)
  data$x <- round(rnorm(nrow(data)), 2)
  log_time <- 2 + rnorm(n_people, 0, 0.4)[data$who] + rnorm(n_levels, 0, 0.4)[data$level] + 0.05 * data$distance +
    0.3 * data$condition - 0.2 * data$tried + 0.2 * data$x + rnorm(nrow(data), 0, 0.5)
  data$time <- round(exp(log_time), decimals)
  data$event <- runif(nrow(data)) > 0.15
  data
}
d <- crossed(11, 6)
add("11 participants", d, c("condition", "x"), list(d$who))
add("11 participants and 6 levels", d, c("distance", "condition", "tried"), list(d$who, d$level))
add("levels first", d, c("distance", "condition"), list(d$level, d$who))
add("within levels", d, "condition", list(d$who), d$level)
add("within levels, tried", d, c("tried", "x"), list(d$who), d$level)
d <- crossed(24, 5, 0)
add("24 participants and 5 levels, ties", d, c("distance", "condition"), list(d$who, d$level))
add("two covariates of participants", d, c("condition", "other"), list(d$who))
# Three people against six.
d <- crossed(9, 9)
add("9 participants", d, c("condition", "other"), list(d$who))
# Each level is played in one condition only, by the people of this condition.
d <- crossed(12, 8); d <- d[d$who %% 2 == d$level %% 2, ]
add("levels of conditions", d, c("condition", "x"), list(d$who, d$level))

# Hazard ratios before and after a time: who goes on after it begins anew in a stratum of the own, survSplit's.
splits <- list()
add_split <- function(name, data, covariate, at, by_level) {
  data$x <- data[[covariate]]
  parts <- survSplit(Surv(time, event) ~ ., data, cut = at, episode = "part")
  parts$late <- parts$x * (parts$part == 2)
  formula <- if (by_level) Surv(tstart, time, event) ~ x + late + strata(level, part) else
    Surv(tstart, time, event) ~ x + late + strata(part)
  fit <- coxph(formula, parts, ties = "efron", control = control, cluster = who)
  n <- length(unique(data$who))
  df <- if (nrow(unique(data[c("who", "x")])) == n) n - 2 else n - 1
  estimate <- bare(coef(fit)); error <- sqrt(bare(diag(vcov(fit))) * n / df)
  splits[[length(splits) + 1]] <<- list(
    name = unbox(name), times = data$time, events = as.integer(data$event), x = data$x, clusters = data$who,
    strata = if (by_level) data$level else NULL, at = unbox(at), before = unbox(estimate[1]), after = unbox(sum(estimate)),
    standard_error = unbox(error[2]), df = unbox(df), p_value = unbox(2 * pt(-abs(estimate[2] / error[2]), df)))
}
d <- crossed(14, 6)
add_split("condition within levels", d, "condition", unname(quantile(d$time, 0.5, type = 1)), TRUE)
add_split("tried, without strata", d, "tried", unname(quantile(d$time, 0.5, type = 1)), FALSE)
d <- crossed(10, 8, 0)
add_split("ties at the split", d, "condition", unname(quantile(d$time, 0.4, type = 1)), TRUE)

line <- function(case) toJSON(case, digits = NA, na = "null", null = "null")
made_with <- list(R = paste(R.version$major, R.version$minor, sep = "."), survival = as.character(packageVersion("survival")))
text <- paste0("{\n\"script\": \"cox_clusters.R\",\n\"made_with\": ", toJSON(made_with, auto_unbox = TRUE), ",\n\"cases\": [\n",
  paste(sapply(cases, line), collapse = ",\n"), "\n],\n\"splits\": [\n", paste(sapply(splits, line), collapse = ",\n"), "\n]\n}")
writeLines(text, sub("[.]R$", ".json", script))
