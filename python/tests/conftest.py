"""What tests share."""

from pathlib import Path

import plymap
import pytest

DEMO = Path(__file__).resolve().parents[2] / "data" / "demo"


@pytest.fixture(scope="session")
def demo() -> Path:
    """The folder of the demo study."""
    return DEMO


@pytest.fixture(scope="session")
def article() -> plymap.Level:
    """Level 1 of the article: 1,247 states, its start 8 moves from the goal."""
    return plymap.read_levels(DEMO / "levels" / "article-1.txt")[0]


@pytest.fixture(scope="session")
def finished(tmp_path_factory) -> plymap.Run:
    """A quick run of the demo."""
    return plymap.run(DEMO / "study.toml", tmp_path_factory.mktemp("run") / "demo", fast=True, cache=False)
