# Reference values of meta-analysis of correlations, from metafor.
#
#   apt-get install r-cran-metafor r-cran-jsonlite
#   Rscript crates/statistics/tests/oracles/meta.R
#
# Writes meta.json beside this script, with the correlations in it. They are analysed as z = atanh(r) with variances
# 1 / (n - 3), and all results are on the scale of z.
#
# Six analyses of each set: tau2 by REML or by DerSimonian & Laird (DL), each with the normal distribution (test "z"),
# after Knapp & Hartung ("knha"; its errors are not kept from being smaller than those of "z") and with their factor of
# the variance at least 1 ("adhoc"; Röver, Knapp & Friede, 2015). The common-effect interval is that of
# rma(method = "EE", test = "z"). The prediction
# interval of this version of metafor is estimate +- q sqrt(se^2 + tau2), with q of the normal distribution for "z", and
# of t with k - 1 df for "knha" and "adhoc" (not k - 2 of Higgins, Thompson & Spiegelhalter, 2009), with se of the same test. I2 and
# H2 come from tau2 and the typical variance, not from Q; for DL they agree with Q where tau2 is not 0.

suppressMessages({library(metafor); library(jsonlite)})
path <- sub("--file=", "", grep("--file=", commandArgs(FALSE), value = TRUE))

simulate <- function(seed, k, rho, tau, sizes) {
  set.seed(seed, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
  n <- sample(sizes, k, replace = TRUE)
  list(n = n, r = round(tanh(atanh(rho) + rnorm(k, 0, tau) + rnorm(k) / sqrt(n - 3)), 4))
}

analysis <- function(z, v, method, test) {
  # Fisher's scoring of REML ends at steps of 1e-5 by default.
  model <- rma(z, v, method = method, test = test, control = list(threshold = 1e-14, maxiter = 10000))
  interval <- predict(model)
  list(
    method = method, test = test, estimate = as.numeric(model$beta), standard_error = model$se,
    statistic = model$zval, df = if (test == "z") NA else model$ddf[1], p_value = model$pval,
    lower = model$ci.lb, upper = model$ci.ub, tau2 = model$tau2, tau2_error = model$se.tau2, i2 = model$I2,
    h2 = model$H2, q = model$QE, q_df = model$k - 1, q_p_value = model$QEp, prediction_lower = interval$pi.lb,
    prediction_upper = interval$pi.ub
  )
}

case <- function(name, d) {
  z <- atanh(d$r)
  v <- 1 / (d$n - 3)
  settings <- expand.grid(test = c("z", "knha", "adhoc"), method = c("REML", "DL"), stringsAsFactors = FALSE)
  results <- Map(function(method, test) analysis(z, v, method, test), settings$method, settings$test)
  first <- results[[1]]
  message(sprintf("%s: tau2 %.6g (REML), %.6g (DL), I2 %.3g", name, first$tau2, results[[4]]$tau2, first$i2))
  common <- rma(z, v, method = "EE", test = "z")
  list(
    name = name, r = d$r, n = d$n, z = z, variance = v, common_width = common$ci.ub - common$ci.lb,
    analyses = unname(results)
  )
}

cases <- list(
  case("homogeneous", simulate(9, 12, 0.35, 0.03, 25:60)),
  case("heterogeneous", simulate(2, 15, 0.3, 0.35, 25:80)),
  case("no variance between", list(r = c(0.31, 0.28, 0.33, 0.3, 0.27, 0.35), n = c(40, 52, 33, 61, 45, 28))),
  case("no difference at all", list(r = c(0.3, 0.3, 0.3), n = c(40, 21, 33))),
  case("q below its df, of very different sizes", list(r = c(0.1, 0.16, 0.31, -0.02), n = c(300, 50, 12, 20))),
  case("two", list(r = c(0.12, 0.61), n = c(34, 41))),
  case("three", list(r = c(-0.15, 0.42, 0.3), n = c(30, 55, 12))),
  case("forty", simulate(6, 40, -0.2, 0.15, 10:120)),
  case("very different sizes", list(r = c(0.9, 0.05, -0.4, 0.3, 0.62), n = c(5, 400, 8, 60, 4)))
)

version <- function(name) as.character(packageVersion(name))
versions <- list(R = as.character(getRversion()), metafor = version("metafor"))
as_json <- function(x) toJSON(x, auto_unbox = TRUE, digits = NA, na = "null", null = "null")
writeLines(c(
  "{", '"script": "meta.R",', sprintf('"made_with": %s,', as_json(versions)),
  '"cases": [', paste(vapply(cases, as_json, ""), collapse = ",\n"), "]", "}"
), sub("\\.R$", ".json", path))
