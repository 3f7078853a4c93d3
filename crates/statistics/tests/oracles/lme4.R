# What lme4 and lmerTest say of a model, shared by the scripts that ask them: mixed.R beside this one, and
# tests/oracles/mixed_recorded.R of the root package.
#
# The optimiser runs to much tighter limits than lme4's default, so that the differences left are rounding and the
# numerical derivatives. R2 after Nakagawa & Schielzeth (2013) is written out here: lme4 has none.

suppressMessages({library(lme4); library(lmerTest); library(jsonlite)})

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

# Writes the cases as JSON beside the script of this path.
write_cases <- function(cases, script) {
  version <- function(name) as.character(packageVersion(name))
  versions <- list(R = as.character(getRversion()), lme4 = version("lme4"), lmerTest = version("lmerTest"))
  as_json <- function(x) toJSON(x, auto_unbox = TRUE, digits = NA, na = "null", null = "null")
  rows <- paste(vapply(cases, as_json, ""), collapse = ",\n")
  writeLines(c(
    "{", sprintf('"script": "%s",', basename(script)), sprintf('"made_with": %s,', as_json(versions)),
    '"cases": [', rows, "]", "}"
  ), sub("\\.R$", ".json", script))
}
