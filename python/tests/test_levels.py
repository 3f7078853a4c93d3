"""Levels and maps, against counts of the literature and graph libraries."""

import networkx
import numpy
import plymap
import pytest
import scipy.sparse.csgraph


def test_map_has_the_states_of_the_article(article):
    map = article.map()
    assert (map.n_states, len(map), int(map.distances[0])) == (1247, 1247, 8)
    assert map.distances.dtype == numpy.uint32 and map.distances.shape == (1247,)


def test_what_was_taken_for_granted_is_a_warning(tmp_path):
    table = tmp_path / "levels.csv"
    table.write_text("name,board,goal_hierarchy\na,IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM,3\n")
    with pytest.warns(plymap.PlymapWarning, match='"goal_hierarchy" changes nothing here'):
        levels = plymap.read_levels(table)
    assert [level.id for level in levels] == ["a"]


def test_arrays_share_the_memory_of_the_map(article):
    map = article.map()
    again = article.map()
    for name in ("distances", "depths"):
        array = getattr(map, name)
        assert not array.flags.owndata and not array.flags.writeable
        # The level is mapped once, and nothing was copied since.
        assert array.ctypes.data == getattr(again, name).ctypes.data
    kept = map.distances
    total = int(kept.sum())
    del map, again
    assert int(kept.sum()) == total, "an array keeps the map that it belongs to"


def test_distances_are_those_of_a_breadth_first_search(article):
    map = article.map()
    sources, targets = map.edges()
    assert sources.shape == targets.shape == (map.n_arcs,)
    backwards = networkx.DiGraph(zip(targets.tolist(), sources.tolist()))
    found = networkx.multi_source_dijkstra_path_length(backwards, set(map.goals.tolist()))
    assert [found[state] for state in range(map.n_states)] == map.distances.tolist()


def test_graph_libraries_agree(article):
    map = article.map()
    graph, matrix, vertices = map.to_networkx(), map.to_scipy(), map.to_igraph()
    assert graph.number_of_nodes() == matrix.shape[0] == vertices.vcount() == 1247
    assert vertices.ecount() == map.n_arcs == matrix.sum()
    assert graph.to_undirected().number_of_edges() == map.n_edges
    assert graph.nodes[0] == {"state": article.start, "distance": 8} and vertices.vs[0]["name"] == article.start
    lengths = scipy.sparse.csgraph.dijkstra(matrix, unweighted=True, indices=0)
    assert lengths.tolist() == map.depths.tolist() == vertices.distances(source=0)[0]


def test_states_are_written_and_found(article):
    states = article.map().states
    assert states[0] == article.start and states.index(states[-1]) == 1246 and states[5] in states
    assert states[3:7] == [states[number] for number in range(3, 7)] and "nonsense" not in states
    with pytest.raises(IndexError, match="1247 states"):
        states[1247]
    with pytest.raises(plymap.PlymapError):
        states.index("nonsense")


def test_hint_and_solution_follow_the_map(article):
    map, hint, solution = article.map(), article.hint(), article.solve()
    assert (hint.value, hint.is_goal, len(hint.optimal), len(hint.moves)) == (8, False, 4, 11)
    assert len(solution) == 8 and len(solution.states) == 9
    distances = [int(map.distances[map.states.index(state)]) for state in solution.states]
    assert distances == list(range(8, -1, -1))
    graph = map.to_networkx()
    goals = [goal for goal in map.goals.tolist() if map.depths[goal] == 8]
    paths = sum(1 for goal in goals for _ in networkx.all_shortest_paths(graph, 0, goal))
    assert solution.n_shortest == paths
    last = article.hint(solution.states[-1])
    assert last.value == 0 and last.is_goal


def test_unsolvable_level_has_no_distance():
    walled = plymap.read_levels("...B\nAA.B>\n...C\n...C\n")[0]
    map = walled.map()
    assert walled.solve() is None and walled.hint().value is None
    assert set(map.distances.tolist()) == {plymap.UNREACHABLE} and len(map.goals) == 0
    assert map.to_networkx().nodes[0]["distance"] is None


@pytest.mark.parametrize(
    ("game", "folder"), [("tower-of-london", "tower_of_london"), ("tower-of-hanoi", "tower_of_hanoi"), ("sliding-tiles", "sliding_tiles"), ("lights-out", "lights_out")]
)
def test_other_games_are_read(demo, game, folder):
    levels = plymap.read_levels(demo.parent / folder / "levels.txt", game=game)
    assert levels and all(level.game == game for level in levels)
    assert levels[0].hint().value == len(levels[0].solve())


def test_levels_have_names(demo):
    levels = plymap.read_levels(demo / "levels")
    assert len(levels) == 13 and levels["demo-06"].id == "demo-06" and levels[0] in levels and len(levels[:2]) == 2
    with pytest.raises(KeyError, match="there are article-1, demo-01"):
        levels["demo-99"]


def test_figures_are_drawn(article, tmp_path):
    for figure in (article.draw(), article.map().draw(width="single"), article.draw_solution()[0]):
        assert figure._repr_svg_().startswith("<svg") or "<svg" in figure.svg[:200]
        assert figure.save(tmp_path / "a.png", dpi=72).read_bytes().startswith(b"\x89PNG")
        assert figure.save(tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
        figure.save(tmp_path / "a.svg")
        with pytest.raises(ValueError, match="must end in"):
            figure.save(tmp_path / "a.jpg")
    with pytest.raises(plymap.PlymapError, match="width"):
        article.draw(width="wide")


def test_faults_are_data(tmp_path):
    path = tmp_path / "bad.txt"
    path.write_text("AA....\n..B...\n......\n")
    with pytest.raises(plymap.PlymapError) as raised:
        plymap.read_levels(path)
    fault = raised.value.faults[0]
    assert fault.file == str(path) and fault.severity == "error" and fault.message and fault.code
    with pytest.raises(plymap.PlymapError, match="there is no game"):
        plymap.read_levels(path, game="chess")
    with pytest.raises(plymap.PlymapError, match="miles"):
        plymap.read_levels(path, rules={"metric": "miles"})
    with pytest.raises(plymap.PlymapError, match="states"):
        plymap.read_levels("BB...G\nE..H.G\nEAAH.G>\nE..H..\nF...CC\nF.DDD.\n", max_states=100)[0].map()
