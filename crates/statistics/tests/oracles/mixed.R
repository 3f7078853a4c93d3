# Reference values of stats::mixed, from lme4 and lmerTest.
#
#   apt-get install r-cran-lme4 r-cran-lmertest r-cran-numderiv r-cran-jsonlite
#   Rscript crates/statistics/tests/oracles/mixed.R
#
# Run it in the folder of the repository; the recorded data are below PLYMAP_RECORDED_DATA, or ../shared/data where
# that is not set (docs/recorded_data.md). Writes mixed.json beside this script. Simulated data stand in it; of the
# recorded data only the results, as the data are not part of the project.
#
# The optimiser runs to much tighter limits than lme4's default, so that the differences left are rounding and the
# numerical derivatives. R2 after Nakagawa & Schielzeth (2013) is written out here: lme4 has none.

suppressMessages({library(lme4); library(lmerTest); library(jsonlite)})
path <- sub("--file=", "", grep("--file=", commandArgs(FALSE), value = TRUE))
recorded <- Sys.getenv("PLYMAP_RECORDED_DATA")
if (recorded == "") recorded <- "../shared/data"

tight <- lmerControl(
  optimizer = "nloptwrap",
  optCtrl = list(xtol_abs = 1e-13, xtol_rel = 1e-13, ftol_abs = 1e-13, ftol_rel = 1e-16, maxeval = 1e5),
  calc.derivs = FALSE, check.conv.singular = "ignore"
)

results <- function(model, contrasts = list()) {
  table <- summary(model)$coefficients
  limits <- qt(0.975, table[, "df"]) * table[, "Std. Error"]
  components <- as.data.frame(VarCorr(model))
  groups <- components[components$grp != "Residual", ]
  variances <- groups$vcov
  residual <- sigma(model)^2
  fixed_variance <- var(as.vector(model.matrix(model) %*% fixef(model)))
  total <- fixed_variance + sum(variances) + residual
  tests <- anova(model, type = 3)
  list(
    fixed = lapply(seq_len(nrow(table)), function(i) list(
      name = rownames(table)[i], estimate = table[i, "Estimate"], standard_error = table[i, "Std. Error"],
      df = table[i, "df"], statistic = table[i, "t value"], p_value = table[i, "Pr(>|t|)"],
      lower = table[i, "Estimate"] - limits[i], upper = table[i, "Estimate"] + limits[i]
    )),
    tests = lapply(seq_len(nrow(tests)), function(i) list(
      name = rownames(tests)[i], statistic = tests[i, "F value"], df1 = tests[i, "NumDF"], df2 = tests[i, "DenDF"],
      p_value = tests[i, "Pr(>F)"]
    )),
    random = lapply(seq_len(nrow(groups)), function(i) {
      modes <- ranef(model, condVar = FALSE)[[groups$grp[i]]]
      list(
        name = groups$grp[i], n_levels = unname(getME(model, "l_i")[groups$grp[i]]), variance = variances[i],
        sd = sqrt(variances[i]), icc = variances[i] / (sum(variances) + residual),
        levels = rownames(modes), modes = modes[, 1]
      )
    }),
    residual_sd = sqrt(residual),
    criterion = if (isREML(model)) REMLcrit(model) else deviance(model, REML = FALSE),
    log_likelihood = as.numeric(logLik(model)), aic = AIC(model), bic = BIC(model),
    n = nobs(model), singular = isSingular(model),
    r2_marginal = fixed_variance / total, r2_conditional = (fixed_variance + sum(variances)) / total
  )
}

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

moves <- read.csv(file.path(recorded, "rush_hour/moves_34subj.csv.gz"))
moves <- moves[!is.na(moves$d_after), ]
qualities <- c("better", "same", "worse")
moves$quality <- factor(qualities[2 + sign(moves$d_after - moves$d_before)], qualities)
moves$log_time <- log(moves$rt_ms)
moves$log_n_legal <- log(moves$n_legal)
recorded_model <- lmer(
  log_time ~ quality + d_before + log_n_legal + (1 | subject) + (1 | instance), moves, control = tight
)
found <- results(recorded_model)
found <- c(list(name = "34 people", model = paste(
  "log(rt_ms) ~ quality + d_before + log(n_legal) + (1 | subject) + (1 | instance); quality is better, same or worse",
  "by the sign of d_after - d_before, with better as the reference; all moves but the 10 without d_after; REML")), found)

version <- function(name) as.character(packageVersion(name))
versions <- list(R = as.character(getRversion()), lme4 = version("lme4"), lmerTest = version("lmerTest"))
as_json <- function(x) toJSON(x, auto_unbox = TRUE, digits = NA, na = "null", null = "null")
rows <- function(items) paste(vapply(items, as_json, ""), collapse = ",\n")
writeLines(c(
  "{", '"script": "mixed.R",', sprintf('"made_with": %s,', as_json(versions)),
  '"cases": [', rows(written), "],", '"recorded": [', rows(list(found)), "]", "}"
), sub("\\.R$", ".json", path))
