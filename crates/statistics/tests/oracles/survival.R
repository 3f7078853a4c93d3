# Reference values of stats::survival, from R's survival package: survfit (log-log interval), survdiff,
# coxph (Efron), concordance and cox.zph. Run: Rscript crates/statistics/tests/oracles/survival.R
#
# A limit that R gives as NA or NaN is absent here, and so are R's standard errors where survival is 0.
# R prints a median that its quantile() does not give where the curve stays at one half until the last,
# censored time: the printed one (the table of summary) is kept for the median, and quantile() for other shares.
suppressPackageStartupMessages({library(survival); library(jsonlite)})
set.seed(20240701)
script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
bare <- function(x) unname(as.numeric(x))
absent <- function(x) {x <- bare(x); if (length(x) == 0 || !is.finite(x)) NA else x}
coxph_control <- coxph.control(eps = 1e-13, toler.chol = 1e-14, iter.max = 100)

made <- function(n, scale, censored, decimals) {
  event_at <- rexp(n, 1 / scale); left_at <- rexp(n, censored / scale)
  list(times = round(pmin(event_at, left_at), decimals), events = as.integer(event_at <= left_at))
}
curves <- list(
  "no ties" = made(40, 30, 0.3, 4), "ties" = made(60, 8, 0.4, 0), "mostly censored" = made(50, 100, 3, 2),
  "no censoring" = list(times = round(rexp(31, 0.1), 2), events = rep(1L, 31)),
  "even number, no censoring" = list(times = c(3, 1, 4, 2, 9, 6), events = rep(1L, 6)),
  "half and then censored" = list(times = c(1, 2, 3, 4), events = c(1L, 1L, 0L, 0L)),
  "half for a while" = list(times = c(1, 2, 3, 4), events = c(1L, 1L, 0L, 1L)),
  "censored first" = list(times = c(1, 2, 2.5, 4, 5, 6, 7, 8), events = c(0L, 1L, 1L, 1L, 0L, 1L, 0L, 1L)),
  "all at once" = list(times = c(2, 2, 2), events = c(1L, 1L, 1L)),
  "no event" = list(times = c(2, 3), events = c(0L, 0L)),
  "one event" = list(times = 5, events = 1L), "at time 0" = list(times = c(0, 0, 1, 2, 3), events = c(1L, 0L, 1L, 1L, 1L))
)
kaplan_meier <- list()
for (name in names(curves)) for (level in c(0.95, 0.9)) {
  data <- curves[[name]]
  fit <- survfit(Surv(times, events) ~ 1, data = data, conf.type = "log-log", conf.int = level)
  s <- summary(fit, censored = TRUE)
  table <- s$table
  shares <- c(0.2, 0.75)
  other <- quantile(fit, shares)
  marks <- c(0, sort(unique(data$times))[1], median(data$times), max(data$times))
  at_risk <- sapply(marks, function(mark) sum(data$times >= mark))
  stopifnot(all(summary(fit, times = marks, extend = TRUE)$n.risk == at_risk))
  kaplan_meier[[length(kaplan_meier) + 1]] <- list(
    name = unbox(name), confidence = unbox(level), times = data$times, events = data$events,
    time = s$time, n_at_risk = s$n.risk, n_events = s$n.event, n_censored = s$n.censor, survival = s$surv,
    standard_error = ifelse(s$surv > 0, s$std.err, NA), lower = s$lower, upper = s$upper,
    median = c(absent(table["median"]), absent(table[length(table) - 1]), absent(table[length(table)])),
    shares = shares,
    quantiles = lapply(1:2, function(i) c(absent(other$quantile[i]), absent(other$lower[i]), absent(other$upper[i]))),
    marks = marks, marks_at_risk = at_risk,
    restricted = sapply(marks[-1], function(mark) {
      if (mark == 0) 0 else unname(summary(fit, rmean = mark)$table[if ("rmean" %in% names(table)) "rmean" else "*rmean"])
    }))
}

log_rank <- list()
add_log_rank <- function(name, times, events, group, n_groups) {
  fit <- survdiff(Surv(times, events) ~ factor(group))
  log_rank[[length(log_rank) + 1]] <<- list(
    name = unbox(name), times = times, events = events, group = group, n_groups = unbox(n_groups),
    observed = bare(fit$obs), expected = bare(fit$exp), statistic = unbox(bare(fit$chisq)),
    df = unbox(sum(fit$exp > 0) - 1), p_value = unbox(bare(fit$pvalue)))
}
for (k in 2:4) {
  n <- 30 * k; group <- rep(0:(k - 1), length.out = n)
  data <- made(n, 10 + 5 * group, 0.4, if (k == 3) 0 else 3)
  add_log_rank(paste(k, "groups"), data$times, data$events, group, k)
}
add_log_rank("a group gone before the first event", c(1, 1, 2, 3, 4, 5, 6), c(0L, 0L, 1L, 1L, 1L, 0L, 1L), c(0, 0, 1, 2, 1, 2, 2), 3)
add_log_rank("far apart", c(1:8, 101:108), rep(1L, 16), rep(0:1, each = 8), 2)

cox <- list()
add_cox <- function(name, times, events, covariates, cluster = NULL, level = 0.95) {
  data <- data.frame(covariates); data$times <- times; data$events <- events
  formula <- as.formula(paste("Surv(times, events) ~", paste(names(covariates), collapse = " + ")))
  plain <- coxph(formula, data, ties = "efron", control = coxph_control)
  fit <- plain
  if (!is.null(cluster)) {
    data$cluster <- cluster
    fit <- coxph(formula, data, ties = "efron", control = coxph_control, cluster = cluster)
  }
  s <- summary(fit, conf.int = level); co <- s$coefficients
  error <- if (is.null(cluster)) co[, "se(coef)"] else co[, "robust se"]
  zph <- lapply(c("km", "identity", "log"), function(scale) {
    if (scale == "log" && min(times[events == 1]) <= 0) return(NULL)
    z <- cox.zph(plain, transform = scale)$table
    list(scale = unbox(scale), statistic = bare(z[, "chisq"]), df = bare(z[, "df"]), p_value = bare(z[, "p"]))
  })
  # Of the plain model: the one of a clustered fit is clustered too.
  cc <- concordance(plain)
  cox[[length(cox) + 1]] <<- list(
    name = unbox(name), confidence = unbox(level), times = times, events = events, names = names(covariates),
    covariates = lapply(unname(covariates), identity), clusters = cluster,
    estimate = bare(co[, "coef"]), standard_error = bare(error), statistic = bare(co[, "z"]),
    p_value = bare(co[, "Pr(>|z|)"]), ratio = bare(s$conf.int[, 1]), ratio_lower = bare(s$conf.int[, 3]),
    ratio_upper = bare(s$conf.int[, 4]), log_likelihood_null = unbox(fit$loglik[1]), log_likelihood = unbox(fit$loglik[2]),
    likelihood_ratio = bare(s$logtest), wald = c(bare(fit$wald.test), length(error), bare(pchisq(fit$wald.test, length(error), lower.tail = FALSE))),
    score = bare(s$sctest), concordance = unbox(bare(cc$concordance)), concordance_error = unbox(sqrt(bare(cc$var))),
    proportionality = zph[!sapply(zph, is.null)])
}
simulate <- function(n, beta, decimals, censored) {
  x <- lapply(seq_along(beta), function(i) if (i %% 2 == 1) round(rnorm(n, 10 * i, 2 * i), 2) else as.numeric(rbinom(n, 1, 0.4)))
  names(x) <- paste0("x", seq_along(beta))
  eta <- Reduce(`+`, Map(function(b, v) b * (v - mean(v)), beta, x))
  event_at <- rexp(n, exp(eta) / 20); left_at <- rexp(n, censored / 20)
  list(x = x, times = round(pmin(event_at, left_at), decimals), events = as.integer(event_at <= left_at))
}
d <- simulate(60, 0.3, 4, 0.4); add_cox("one covariate, no ties", d$times, d$events, d$x)
d <- simulate(80, c(0.3, -0.7), 0, 0.3); add_cox("two covariates, many ties", d$times, d$events, d$x, level = 0.9)
d <- simulate(150, c(0.2, 0.5, -0.1), 1, 0.6); add_cox("three covariates, some ties", d$times, d$events, d$x)
add_cox("three covariates, clusters", d$times, d$events, d$x, cluster = rep(1:15, each = 10))
d <- simulate(120, c(0, 0.6), 0, 0.5); add_cox("many ties, clusters", d$times, d$events, d$x, cluster = rep(1:30, 4))
d <- simulate(100, c(2.2, -1), 3, 0.2); add_cox("strong effects", d$times, d$events, d$x)
d <- simulate(70, c(0.1, 0.1), 2, 4); add_cox("few events", d$times, d$events, d$x)
d <- simulate(50, 0.4, 3, 0.3); add_cox("far from zero", d$times, d$events, list(x1 = 1e6 + d$x$x1))
add_cox("ties of five", c(1, 1, 1, 1, 1, 2, 2, 3, 4, 4), c(1L, 1L, 1L, 1L, 1L, 1L, 0L, 1L, 1L, 1L), list(x1 = c(3, 1, 2, 5, 4, 2, 6, 1, 7, 2)))

# Strata: each level has a baseline hazard of its own. The last in the file, so that no other number changes.
stratified <- list()
for (decimals in c(3, 0)) {
  n <- 120; level <- rep(1:4, length.out = n); who <- rep(1:20, each = 6)
  d <- simulate(n, c(0.3, -0.6), decimals, 0.4)
  data <- data.frame(d$x, times = round(d$times * level, decimals), events = d$events, level, who)
  formula <- Surv(times, events) ~ x1 + x2 + strata(level)
  plain <- coxph(formula, data, ties = "efron", control = coxph_control)
  robust <- coxph(formula, data, ties = "efron", control = coxph_control, cluster = who)
  zph <- lapply(c("km", "identity"), function(scale) {
    z <- cox.zph(plain, transform = scale)$table
    list(scale = unbox(scale), statistic = bare(z[, "chisq"]), df = bare(z[, "df"]), p_value = bare(z[, "p"]))
  })
  stratified[[length(stratified) + 1]] <- list(
    name = unbox(if (decimals) "no ties" else "ties"), times = data$times, events = data$events, names = names(d$x),
    covariates = lapply(unname(d$x), identity), clusters = who, strata = level, estimate = bare(coef(plain)),
    standard_error = bare(sqrt(diag(vcov(plain)))), robust_error = bare(sqrt(diag(vcov(robust)))),
    log_likelihood_null = unbox(plain$loglik[1]), log_likelihood = unbox(plain$loglik[2]),
    score = bare(summary(plain)$sctest), proportionality = zph)
}

# Clusters: the infinitesimal jackknife. R's intervals take z, those here t with G - 1 degrees of freedom, made of the same
# standard error; that they are made as R makes its own is checked. The limits of a median are where these first reach one
# half: they need not fall all the time, and quantile() is not made for that.
clustered <- list()
add_clustered <- function(name, data, cluster, level = 0.95) {
  fit <- survfit(Surv(times, events) ~ 1, data = data, cluster = cluster, robust = TRUE, conf.type = "log-log", conf.int = level)
  s <- summary(fit, censored = TRUE)
  inside <- s$surv > 0 & s$surv < 1
  band <- function(sign, q) ifelse(inside, s$surv^exp(sign * q * s$std.err / (s$surv * abs(log(s$surv)))), NA)
  z <- qnorm((1 + level) / 2); t <- qt((1 + level) / 2, length(unique(cluster)) - 1)
  stopifnot(all(s$std.err[inside] > 1e-6), all.equal(c(band(1, z), band(-1, z))[c(inside, inside)], c(s$lower, s$upper)[c(inside, inside)]))
  lower <- band(1, t); upper <- band(-1, t)
  first <- function(limit) s$time[which(limit <= 0.5)[1]]
  clustered[[length(clustered) + 1]] <<- list(
    name = unbox(name), confidence = unbox(level), times = data$times, events = data$events, clusters = cluster,
    n_clusters = unbox(length(unique(cluster))), time = s$time, survival = s$surv,
    standard_error = ifelse(s$surv > 0, s$std.err, NA), lower = lower, upper = upper,
    median = c(absent(quantile(fit, 0.5)$quantile), first(lower), first(upper)))
}
of_people <- function(sizes, decimals, censored) {
  who <- rep(seq_along(sizes), sizes); slow <- exp(rnorm(length(sizes), 0, 0.7))[who]
  event_at <- rexp(length(who), 1 / (20 * slow)); left_at <- rexp(length(who), censored / 20)
  list(times = round(pmin(event_at, left_at), decimals), events = as.integer(event_at <= left_at), who = who)
}
d <- of_people(rep(12, 15), 3, 0.3); add_clustered("no ties", d, d$who)
d <- of_people(rep(8, 12), 0, 0.5); add_clustered("many ties, some censored at once", d, d$who, level = 0.9)
d <- of_people(c(1, 1, 1, 2, 3, 5, 60, 30), 1, 0.4); add_clustered("clusters of one and large ones", d, d$who)
d <- of_people(c(6, 9, 4, 7, 5), 0, 0.3); d$events[d$who == 2] <- 0L; add_clustered("a cluster without events", d, d$who)
d <- of_people(c(7, 11), 2, 0.2); add_clustered("two clusters", d, d$who)
d <- of_people(c(4, 2, 8, 3), 0, 0.01); d$events[d$times > 20] <- 1L; d$times <- pmin(d$times, 20); add_clustered("all that are left at once", d, d$who)
d <- of_people(rep(1, 40), 0, 0.4); add_clustered("clusters of one", d, d$who)
alone <- survfit(Surv(times, events) ~ 1, data = d, robust = TRUE)
stopifnot(all.equal(summary(alone, censored = TRUE)$std.err[clustered[[7]]$survival > 0], na.omit(clustered[[7]]$standard_error), check.attributes = FALSE))

line <- function(case) toJSON(case, digits = NA, na = "null", null = "null")
section <- function(name, cases) paste0(toJSON(unbox(name)), ": [\n", paste(sapply(cases, line), collapse = ",\n"), "\n]")
made_with <- list(R = paste(R.version$major, R.version$minor, sep = "."), survival = as.character(packageVersion("survival")))
text <- paste0("{\n\"script\": \"survival.R\",\n\"made_with\": ", toJSON(made_with, auto_unbox = TRUE), ",\n",
  paste(section("kaplan_meier", kaplan_meier), section("log_rank", log_rank), section("cox", cox),
  section("cox_stratified", stratified), section("kaplan_meier_clustered", clustered), sep = ",\n"), "\n}")
writeLines(text, sub("[.]R$", ".json", script))
