# Reference values of stats::mixed for the recorded moves of 34 people, from lme4 and lmerTest.
#
#   apt-get install r-cran-lme4 r-cran-lmertest r-cran-numderiv r-cran-jsonlite
#   Rscript tests/oracles/mixed_recorded.R
#
# Run it in the folder of the repository; the recorded data are below PLYMAP_RECORDED_DATA, or ../shared/data where
# that is not set (docs/recorded_data.md). Writes mixed_recorded.json beside this script: only the results, as the data
# are not part of the project. What the model is asked stands in lme4.R of plymap-statistics.

path <- sub("--file=", "", grep("--file=", commandArgs(FALSE), value = TRUE))
source("crates/statistics/tests/oracles/lme4.R")
recorded <- Sys.getenv("PLYMAP_RECORDED_DATA")
if (recorded == "") recorded <- "../shared/data"

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

write_cases(list(found), path)
