"""The first steps with an experiment: a proposal, one figure, a simulation, its power, and the page of the program."""

import json
import sys
import urllib.request
import xml.etree.ElementTree

import pandas
import plymap
import polars
import pytest
from conftest import DEMO

DATA = DEMO.parent
TUTORIAL = DATA / "tutorial"
TOWER = DATA / "tower_of_london"


@pytest.fixture(scope="module")
def proposal():
    return plymap.propose(TUTORIAL / "raw", TUTORIAL / "problems.txt")


def test_a_proposal_says_what_it_found_and_how_sure_it_is(proposal):
    assert proposal.game == "tower-of-london"
    assert (proposal.n_moves, proposal.n_unused, proposal.share) == (442, 0, 1.0)
    assert not proposal.is_doubtful and proposal.questions == []
    notes = {note.entry: note for note in proposal.notes}
    assert notes["level"].certainty == "sure" and notes["condition"].certainty == "likely"
    assert "ms" in notes["rt"].reason
    assert 'action = "{From}>{To}"' in proposal.toml
    assert any(sentence.startswith("1 × null-move") for sentence in proposal.diagnostics)
    assert "442 moves" in repr(proposal)


def test_a_proposal_is_applied_and_saved(proposal, tmp_path):
    with pytest.warns(plymap.PlymapWarning):
        played = proposal.apply()
    trials = played["trials"].to_pandas()
    assert len(trials) == 60 and set(trials["condition"]) == {"plan", "quick"}
    file = proposal.save(tmp_path / "my-study")
    with pytest.warns(plymap.PlymapWarning):
        again = plymap.measure(file)["trials"].to_pandas()
    pandas.testing.assert_frame_equal(again, trials)
    with pytest.raises(FileExistsError):
        proposal.save(tmp_path / "my-study")


def test_what_cannot_be_proposed_is_said(tmp_path):
    empty = tmp_path / "log.csv"
    empty.write_text("a,b\n1,2\n")
    with pytest.raises(plymap.PlymapError, match="nothing in the files can be replayed"):
        plymap.propose(empty, TUTORIAL / "problems.txt", game="tower-of-london")
    with pytest.raises(plymap.PlymapError, match="there is no game"):
        plymap.propose(empty, TUTORIAL / "problems.txt", game="chess")


def numbers(figure, path):
    return pandas.read_csv(figure.save(path / "numbers.csv"))


@pytest.mark.parametrize("library", [pandas, polars])
def test_a_figure_is_drawn_from_a_frame(library, tmp_path):
    log = library.read_csv(TOWER / "log.csv")
    figure = plymap.figure("quality", log, TOWER / "levels.txt", game="tower-of-london", width="single")
    assert figure.name == "quality-by-level"
    assert xml.etree.ElementTree.fromstring(figure._repr_svg_()).tag.endswith("svg")
    # What is drawn is what is counted of the same log.
    drawn = numbers(figure, tmp_path)
    moves = plymap.label(log, TOWER / "levels.txt", game="tower-of-london").to_pandas()
    counted = moves[~moves["is_after_goal"] & moves["quality"].notna()].groupby(["level", "quality"]).size()
    shown = drawn[drawn["count"] > 0].set_index(["level", "quality"])["count"]
    assert shown.to_dict() == counted.to_dict()
    for ending, begin in ((".pdf", b"%PDF"), (".png", b"\x89PNG")):
        assert figure.save(tmp_path / f"figure{ending}").read_bytes().startswith(begin)


def test_a_figure_may_be_of_levels_alone_or_of_a_study(tmp_path):
    graph = plymap.figure("state-graph", levels=TOWER / "levels.txt", game="tower-of-london")
    drawn = numbers(graph, tmp_path)
    assert (drawn["kind"] == "state").sum() == 36
    learning = plymap.figure("learning-excess-moves", TOWER / "study.toml")
    assert learning.name == "learning-excess-moves"


def test_figures_that_cannot_be_drawn_are_refused():
    with pytest.raises(plymap.PlymapError, match="moves-against-time"):
        plymap.figure("pie", TOWER / "study.toml")
    with pytest.raises((plymap.PlymapError, ValueError)):
        plymap.figure("quality", levels=TOWER / "levels.txt", game="tower-of-london")
    with pytest.raises(TypeError, match="levels are missing"):
        plymap.figure("quality", pandas.DataFrame({"participant": ["p"]}))
    levels = plymap.read_levels(TOWER / "levels.txt", game="tower-of-london")
    with pytest.raises(TypeError, match="files of levels"):
        plymap.figure("state-graph", levels=levels)


def test_every_kind_is_listed():
    kinds = plymap.figure_kinds().to_pandas()
    assert {"quality-by-level", "state-graph-LEVEL", "power"} <= set(kinds["figure"])
    assert kinds["shows"].str.len().min() > 10


def test_a_simulation_is_a_study(tmp_path):
    simulated = plymap.simulate(TUTORIAL / "simulation.toml", tmp_path / "play")
    assert (simulated.n_participants, simulated.n_trials) == (12, 60)
    log = pandas.read_csv(simulated.log)
    assert len(log) == simulated.n_rows
    players = simulated.players.to_pandas()
    assert set(players["cohort"]) == {"plan", "quick"} and len(players) == 12
    trials = plymap.measure(simulated)["trials"].to_pandas()
    assert trials["solved"].sum() == simulated.n_solved
    other = plymap.simulate(TUTORIAL / "simulation.toml", tmp_path / "other", seed=6)
    assert not pandas.read_csv(other.log).equals(log)
    with pytest.raises(plymap.PlymapError, match=r"no \[\[cohort\]\]"):
        plymap.simulate(TOWER / "study.toml", tmp_path / "none")


def test_power_is_a_curve(tmp_path):
    found = plymap.power(TUTORIAL / "simulation.toml", tmp_path / "power", repeats=20)
    curve = found.tables["power"].to_pandas()
    assert list(curve["n"]) == [3, 4, 5, 6, 8, 10]
    reached = curve[curve["power"] >= 0.8]["n"]
    assert found.needed is not None and found.needed <= reached.min()
    assert found.figures["power"].svg.startswith("<svg")
    with pytest.raises(plymap.PlymapError, match=r"no \[power\]"):
        plymap.power(TOWER / "study.toml", tmp_path / "none")


def stands_in(monkeypatch, tmp_path, text):
    """A program that does what the text says instead of plymap."""
    script = tmp_path / "program.py"
    script.write_text(text)
    monkeypatch.setattr("plymap.pages._program", lambda: [sys.executable, str(script)])


def test_a_page_is_served_until_it_is_closed(monkeypatch, tmp_path):
    text = """import sys, time
print("reading", *sys.argv[1:], flush=True)
print("plymap: the page is at http://127.0.0.1:8123/?key=a; Ctrl-C ends it", file=sys.stderr, flush=True)
time.sleep(60)
"""
    stands_in(monkeypatch, tmp_path, text)
    shown = []
    monkeypatch.setattr("webbrowser.open", shown.append)
    with plymap.open(tmp_path / "a.csv") as page:
        assert page.address == "http://127.0.0.1:8123/?key=a"
        assert page.is_open and shown == [page.address]
        assert page.address in page._repr_html_()
    assert not page.is_open
    plymap.open(browser=False).close()
    assert len(shown) == 1


def test_the_page_of_the_program_itself_is_served(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with plymap.open(TOWER / "log.csv", TOWER / "levels.txt", browser=False) as page:
        with urllib.request.urlopen(page.address) as answer:
            assert "<title>" in answer.read().decode()
        with urllib.request.urlopen(page.address + "api/project") as answer:
            files = json.load(answer)["files"]
    assert [len(files[kind]) for kind in ("levels", "logs")] == [1, 1]
    assert not page.is_open


def test_a_program_that_ends_is_quoted(monkeypatch, tmp_path):
    stands_in(monkeypatch, tmp_path, "raise SystemExit('no such file: a.csv')")
    with pytest.raises(RuntimeError, match="no such file: a.csv"):
        plymap.open("a.csv", browser=False)
