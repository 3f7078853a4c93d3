"""Tables from and to other libraries, without files in between."""

import datetime
import warnings

import duckdb
import numpy
import pandas
import plymap
import polars
import polars.testing
import pyarrow
import pytest

LEVEL = "BB...G\nE..H.G\nEAAH.G>\nE..H..\nF...CC\nF.DDD.\n"
TRIALS = {
    "participant": ["p1", "p1", "p2", "p2", "p3"],
    "n_moves": [8, 12, 9, 30, 21],
    "time_s": [10.0, 14.5, None, 41.0, 20.0],
    "solved": [True, True, False, True, None],
}


def in_all_libraries():
    frame = polars.DataFrame(TRIALS)
    arrow = frame.to_arrow()
    return {
        "polars": frame,
        "pyarrow": arrow,
        "pandas": arrow.to_pandas(),
        "pandas with categories": arrow.to_pandas().astype({"participant": "category"}),
        "pandas with arrow types": arrow.to_pandas(types_mapper=pandas.ArrowDtype),
        "duckdb": duckdb.sql("SELECT * FROM arrow"),
        "in pieces": pyarrow.concat_tables([arrow.slice(0, 2), arrow.slice(2)]),
    }


@pytest.mark.parametrize("library", list(in_all_libraries()))
def test_every_library_gives_the_same(library):
    table = in_all_libraries()[library]
    found = plymap.stats(table, "spearman", x="n_moves", y="time_s").to_polars()
    assert found["n"][0] == 4 and found["estimate"][0] == pytest.approx(1.0)
    by = plymap.stats(table, "median", x="n_moves", by="participant").to_polars()
    assert by["participant"].to_list() == ["p1", "p2", "p3"] and by["estimate"].to_list() == [10, 19.5, 21]
    where = plymap.stats(table, "median", x="n_moves", where="solved").to_polars()
    assert where["estimate"][0] == 12


def test_a_table_goes_to_every_library(article):
    table = article.map().table()
    frame, arrow, own = table.to_polars(), table.to_arrow(), table.to_pandas()
    assert frame.shape == own.shape == (arrow.num_rows, arrow.num_columns) == table.shape == (1247, 10)
    assert frame["distance"].to_list() == arrow["distance"].to_pylist() == own["distance"].tolist()
    assert duckdb.sql("SELECT max(distance) FROM arrow").fetchall() == [(max(frame["distance"]),)]
    numpy.testing.assert_array_equal(own["distance"], article.map().distances)
    assert [column.name for column in table.columns] == frame.columns
    # And back.
    polars.testing.assert_frame_equal(frame, polars.DataFrame(pyarrow.table(table)), check_dtypes=False)


@pytest.fixture(scope="module")
def from_demo(demo):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", plymap.PlymapWarning)
        return plymap.measure(demo / "study.toml")


def test_the_account_of_rows_adds_up(from_demo):
    rows = from_demo.rows
    assert rows["read"] == rows["accepted"] + rows["rejected"] == 11139
    assert rows["accepted"] == rows["replayed"] + rows["excluded"] + rows["left_out"]
    refused = sum(diagnostic["n"] for diagnostic in from_demo.diagnostics if diagnostic["consequence"] in ("rejected", "excluded"))
    assert refused == rows["rejected"] + rows["excluded"] == 26


def test_missing_values_stay_missing(from_demo):
    moves = from_demo["moves"].to_polars()
    assert moves["regret"].null_count() > 0 and moves["regret"].drop_nulls().min() == 0


def test_pandas_has_types_that_can_be_computed_with(from_demo):
    trials, levels = from_demo["trials"].to_pandas(), from_demo["levels"].to_pandas()
    assert str(trials["solved"].dtype) == "boolean" and len(trials[trials["solved"]]) == (trials["solved"] == True).sum()  # noqa: E712
    assert (levels["start_distance"] - levels["max_distance"]).max() <= 0
    large = plymap.Table(plymap.read_levels(LEVEL)[0].map().table()._native).to_pandas()
    assert str(large["n_shortest"].dtype) == "int64"


def test_columns_are_selected(from_demo):
    table = from_demo["levels"].select("level", "n_states")
    assert table.to_polars().columns == ["level", "n_states"] == [column.name for column in table.columns]
    with pytest.raises(KeyError):
        from_demo["levels"].select("nothing")


def test_a_table_is_shown_with_its_words(article):
    table = article.hint().moves
    assert "11 rows" in repr(table) and "quality" in repr(table)
    page = table._repr_html_()
    assert "<table>" in page and 'title="what it does to the value of the position"' in page
    assert table.to_csv().splitlines()[0].startswith("move,") and table.to_latex() and table.to_markdown()
    assert table.column("regret").unit == "moves"
    with pytest.raises(KeyError, match="there are move"):
        table.column("nothing")


def test_what_is_no_table_is_refused():
    with pytest.raises(TypeError, match="a list is no table"):
        plymap.stats([1, 2], "median", x="a")
    with pytest.raises(TypeError, match="column \"lists\" has the type"):
        plymap.stats(polars.DataFrame({"lists": [[1], [2]]}), "median", x="lists")
    with pytest.raises(plymap.PlymapError, match="there is no column"):
        plymap.stats(polars.DataFrame(TRIALS), "median", x="nothing")
    with pytest.raises(plymap.PlymapError, match="no estimator"):
        plymap.stats(polars.DataFrame(TRIALS), "nothing", x="n_moves")
    with pytest.raises(plymap.PlymapError, match='no role "z": x, y, group'):
        plymap.stats(polars.DataFrame(TRIALS), "median", z="n_moves")
    with pytest.raises(plymap.PlymapError, match="adjust: unknown variant `bonferroni`"):
        plymap.stats(polars.DataFrame(TRIALS), "median", x="n_moves", adjust="bonferroni")


def test_dates_and_small_types_are_read():
    frame = polars.DataFrame(
        {
            "day": [datetime.date(2026, 1, 1), datetime.date(2026, 1, 2)],
            "at": [datetime.datetime(2026, 1, 1, 12), None],
            "small": polars.Series([1, 2], dtype=polars.Int8),
            "none": polars.Series([None, None], dtype=polars.Null),
        }
    )
    assert plymap.stats(frame, "median", x="small").to_polars()["estimate"][0] == 1.5
    assert plymap.stats(frame, "median", x="small", by="day").to_polars()["day"].to_list() == ["2026-01-01", "2026-01-02"]


def test_an_empty_table_is_a_table():
    frame = polars.DataFrame({"x": polars.Series([], dtype=polars.Float64), "name": polars.Series([], dtype=polars.String)})
    for table in (frame, frame.to_arrow(), pyarrow.table({"x": pyarrow.array([], pyarrow.float64())})):
        found = plymap.stats(table, "median", x="x").to_polars()
        assert found["n"][0] == 0 and found["estimate"][0] is None


def test_estimators_are_listed():
    listed = plymap.estimators().to_polars()
    assert {"spearman", "mixed", "median"} <= set(listed["estimator"])
