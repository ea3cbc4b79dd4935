"""Figures made once for all readers who see the same."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from dpcore.experiments.matrix import MatrixParams
from ui import live
from ui.live.depth import Depth
from ui.runner import PageState
from ui.runner.figure_cache import FigureCache

PARAMS = MatrixParams()


def look(*, dragging=False, personal=()):
    return SimpleNamespace(dragging=dragging, is_personal=lambda params: params in personal)


class Maker:
    def __init__(self, size=1):
        self.made, self.size = 0, size

    def __call__(self):
        self.made += 1
        row = live.Array(np.zeros(self.size, np.float32), (None,))
        return live.Figure(controls=[], values={}, arrays={"row": row}, panels=[])


@pytest.fixture
def made():
    return FigureCache(10_000)


def state(**changes):
    return PageState(params=PARAMS, requested_params=PARAMS, **({"look": look()} | changes))


def test_readers_who_see_the_same_get_one_figure(made):
    make, page, result, problem = Maker(), object(), np.ones(3), object()
    first = made.of(page, state(results={"a": result}, problem=problem), Depth.LOOK, make)
    again = made.of(page, state(results={"a": result}, problem=problem), Depth.LOOK, make)
    assert again is first
    assert make.made == 1


@pytest.mark.parametrize(
    "other",
    [
        {"results": {"a": np.ones(3)}},
        {"results": {"a": None}},
        {"results": {}},
        {"problem": object()},
        {"params": PARAMS.but(epsilon=0.5)},
        {"requested_params": PARAMS.but(epsilon=0.5)},
        {"said": "Something else is shown."},
        {"error": "It failed."},
    ],
)
def test_whatever_a_figure_is_made_of_tells_it_from_others(made, other):
    make, page = Maker(), object()
    one = state(results={"a": np.ones(3)}, problem=object())
    made.of(page, one, Depth.LOOK, make)
    made.of(page, replace(one, **other), Depth.LOOK, make)
    assert make.made == 2


def test_what_else_a_figure_depends_on_is_told(made):
    make, one, page = Maker(), state(), object()
    for offered in ("iris",), ("iris", "mnist"), ("iris",):
        made.of(page, one, Depth.LOOK, make, besides=lambda offered=offered: offered)
    assert make.made == 2


def test_pages_and_depths_have_their_own(made):
    make, one, page = Maker(), state(), object()
    for where, depth in ((page, Depth.LOOK), (page, Depth.CHECK), (object(), Depth.LOOK)):
        made.of(where, one, depth, make)
    assert make.made == 3


@pytest.mark.parametrize(
    "one",
    [
        state(busy=live.Busy(progress=0.5, text="computing")),
        state(look=look(dragging=True)),
        state(look=look(personal=(PARAMS,))),
        replace(state(look=look(personal=(PARAMS,))), params=PARAMS.but(epsilon=0.5)),
        state(look=None),
    ],
    ids=["computing", "dragging", "own data", "own data asked for", "no session"],
)
def test_what_is_unfinished_or_a_persons_own_is_not_kept(made, one):
    make, page = Maker(), object()
    for _ in range(2):
        made.of(page, one, Depth.LOOK, make)
    assert make.made == 2
    assert made.nbytes == 0


def test_what_is_held_is_bounded_with_the_results_and_the_oldest_goes_first(made):
    make, page = Maker(size=1000), object()  # 4,000 bytes a figure, 80 a result
    states = [state(results={"a": np.zeros(10)}) for _ in range(3)]
    for one in states:
        made.of(page, one, Depth.LOOK, make)
    assert made.nbytes == 2 * 4080
    made.of(page, states[1], Depth.LOOK, make)
    made.of(page, states[2], Depth.LOOK, make)
    assert make.made == 3
    made.of(page, states[0], Depth.LOOK, make)
    assert make.made == 4
    made.clear()
    assert made.nbytes == 0
