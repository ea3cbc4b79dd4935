"""Figures of the static site: the same numbers as in the app, at every value that a reader can reach there."""

import numpy as np
import pytest

from dpcore.experiments.mechanisms import MechanismsParams
from pages import specs
from ui import live
from ui.frame.lattice import Lattice
from ui.frame.page_spec import PageSpec, shown
from ui.live.depth import Depth
from ui.static_site.prepared_figure import LOCKED
from ui.static_site.states import PreparedPage

ON_SITE = [spec for spec in specs() if isinstance(spec, PageSpec) and spec.site is not None]
SMALL = [spec for spec in ON_SITE if spec.key in ("mechanisms", "queries")]
STATES = [(spec, depth) for spec in SMALL for depth in (Depth.LOOK, Depth.UNDERSTAND)]


SEED = 5
DRAWS = {"mechanisms": 60, "budget": 60, "network": 40, "choose": 30, "queries": 10}
"""Compared states of each page: 200 in all."""
FIRST_STATE = ("choose", "network")
"""Pages whose other states take long to compute; the one with which they open is in the project."""
CHEAP = [spec for spec in ON_SITE if spec.key in DRAWS]


def values_of(figure, rng):
    """Random values of the controls that a reader can move without Python."""
    free = [one for one in figure.controls if one.mode == "local" and not one.hidden and one.size()]
    chosen = {}
    for one in free:
        place = int(rng.integers(one.size()))
        if isinstance(one, live.Slider):
            chosen[one.name] = one.grid[place]
        elif isinstance(one, live.Choice):
            chosen[one.name] = one.options[place][0]
        else:
            chosen[one.name] = bool(place)
    return chosen


@pytest.mark.parametrize("spec", CHEAP, ids=lambda spec: spec.key)
def test_every_number_is_that_of_the_app_bit_for_bit(spec):
    """At 200 random states and handles of five pages. ``make audit`` has the other pages."""
    same_numbers(spec, DRAWS[spec.key], np.random.default_rng(SEED))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "spec", [spec for spec in ON_SITE if spec not in CHEAP], ids=lambda spec: spec.key
)
def test_every_number_of_the_slow_pages_is_that_of_the_app(spec):
    same_numbers(spec, 3, np.random.default_rng(SEED))


def same_numbers(spec, n_draws, rng):
    """Compare all arrays and readouts of a page's figure and of the site's, at random states and handles."""
    pages = [PreparedPage(spec, depth) for depth in (Depth.LOOK, Depth.UNDERSTAND)]
    for k in range(n_draws):
        page = pages[k % 2]
        place = int(rng.integers(len(page.states)))
        params = spec.params() if spec.key in FIRST_STATE else page.states[place]
        state = page.computed(params)
        whole, figure = shown(spec, state, page.depth), page.figure(state)
        assert figure.arrays
        known = {readout.value for readout in whole.readouts}
        assert {readout.value for readout in figure.readouts} <= known
        values = values_of(figure, rng)
        for name in figure.arrays:
            seen, there = figure.evaluate(name, values), whole.evaluate(name, values)
            np.testing.assert_array_equal(seen, there, err_msg=f"{params}: {name}")


@pytest.mark.parametrize(
    ("spec", "depth"), STATES, ids=lambda item: getattr(item, "key", str(item))
)
def test_a_control_moves_exactly_if_the_browser_or_a_state_answers_it(spec, depth):
    page = PreparedPage(spec, depth)
    state = page.computed(spec.params())
    whole, figure = shown(spec, state, depth).by_name(), page.figure(state).by_name()
    for name, control in figure.items():
        if isinstance(control, live.Buttons):
            known = {"pin", "reset"} | (
                {"redraw"} if len(page.values.get("seed", ())) > 1 else set()
            )
            assert {action for action, _, _ in control.actions} <= known
        elif control.mode == "server" and not control.hidden and not whole[name].disabled:
            assert control.disabled == (len(page.values.get(name, ())) < 2), name
            assert not control.disabled or control.why == LOCKED
        else:
            assert control == whole[name]


@pytest.mark.parametrize("spec", ON_SITE, ids=lambda spec: spec.key)
def test_declared_values_are_values_of_the_page(spec):
    assert list(spec.site.problems(spec.params)) == []
    for depth in (Depth.LOOK, Depth.UNDERSTAND):
        page = PreparedPage(spec, depth)
        assert spec.params() in page.states
        assert len(page.states) == np.prod(
            [len(values) for values in page.values.values()], dtype=int
        )


def test_what_cannot_be_a_value_is_named():
    lattice = Lattice(values={"noise": ("laplace", "wrong"), "nothing": (1,)})
    first, second = lattice.problems(MechanismsParams)
    assert "noise" in first
    assert "wrong" in first
    assert second == "nothing: MechanismsParams has no such parameter."


def test_numbers_are_in_order_and_the_default_belongs_to_them():
    lattice = Lattice(values={"clip": (2.0, 0.1), "way": ("b", "c")})
    assert lattice.of("clip", 0.5) == (0.1, 0.5, 2.0)
    assert lattice.of("way", "a") == ("a", "b", "c")
    assert lattice.of("other", True) == (True,)
