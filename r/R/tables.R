# Tables of a run as data frames.

ply_tables <- function(run) {
  files <- list.files(file.path(folder_of(run), "tables"), "\\.(csv|parquet)$")
  unique(sub("\\.[a-z]+$", "", files))
}

ply_columns <- function(run, table) {
  tables <- jsonlite::fromJSON(file.path(folder_of(run), "codebook.json"))$tables
  place <- match(table, tables$name)
  if (is.na(place)) no_table(run, table)
  tables$columns[[place]]
}

ply_read <- function(run, table, format = c("any", "parquet", "csv")) {
  file <- file_of(run, table, match.arg(format))
  columns <- ply_columns(run, table)
  types <- c(text = "character", boolean = "logical", integer = "numeric", number = "numeric")[columns$type]
  if (endsWith(file, ".csv")) {
    read <- read.csv(file, colClasses = unname(types), na.strings = "", check.names = FALSE, encoding = "UTF-8")
  } else {
    read <- as.data.frame(getExportedValue(parquet_reader(), "read_parquet")(file))
    # Whole numbers of a few bytes would overflow in sums.
    for (i in which(columns$type == "integer")) read[[i]] <- as.numeric(read[[i]])
  }
  # An empty cell of CSV cannot be told from a text without letters; so neither is here.
  for (i in which(columns$type == "text")) read[[i]][read[[i]] %in% ""] <- NA
  for (i in seq_along(read)) attr(read[[i]], "label") <- columns$meaning[i]
  read
}

# The file of a table: as Parquet where there is one and a package that reads it, else as CSV.
file_of <- function(run, table, format) {
  files <- file.path(folder_of(run), "tables", paste0(table, c(".parquet", ".csv")))
  is_there <- file.exists(files) & c(format != "csv" && !is.null(parquet_reader()), format != "parquet")
  if (any(is_there)) return(files[is_there][1])
  if (!any(file.exists(files))) no_table(run, table)
  stop("the table ", table, " of this run is not to be had as ", if (format == "any") "CSV" else format,
       "; install nanoparquet or arrow to read Parquet, or write both: tables = [\"csv\", \"parquet\"] in [output] of the ",
       "study", call. = FALSE)
}

no_table <- function(run, table) {
  stop("the run has no table ", table, "; it has ", paste(ply_tables(run), collapse = ", "), call. = FALSE)
}

# The package that reads Parquet, if there is one.
parquet_reader <- function() {
  for (package in c("nanoparquet", "arrow")) if (requireNamespace(package, quietly = TRUE)) return(package)
  NULL
}
