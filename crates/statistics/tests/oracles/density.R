# Reference values of stats::density: R's bandwidth, and the density as the mean of normal densities around the values.
# Run: Rscript crates/statistics/tests/oracles/density.R
suppressPackageStartupMessages(library(jsonlite))
script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
samples <- list(
  few = c(1, 2, 3, 4, 5),
  skewed = c(0.4, 0.7, 0.9, 1.1, 1.2, 1.6, 2.5, 4.1, 9.7, 31.0),
  tied = c(2, 2, 2, 2, 2, 2, 2, 3),
  negative = c(-3.2, -1.1, 0, 0.4, 0.5, 2.2, 7)
)
case <- function(name) {
  x <- samples[[name]]
  bw <- bw.nrd0(x)
  at <- seq(min(x), max(x), length.out = 7)
  list(name = name, x = x, bandwidth = bw, at = at, density = sapply(at, function(a) mean(dnorm(a, x, bw))))
}
write_json(list(cases = lapply(names(samples), case)), sub("\\.R$", ".json", script), digits = NA, auto_unbox = TRUE)
