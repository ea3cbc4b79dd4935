"""What a figure in a notebook asks of Python: values are checked as in links, events are answered in the kernel."""

import numpy as np
import pytest

from pages import PAGES
from ui import live
from ui.embed.query import MOST
from ui.live import layers
from ui.live.events import Event
from ui.notebook.own_source import OwnSource
from ui.notebook.page_source import PageSource, request_of

GRID = (0.5, 1.0, 2.0)
X = np.linspace(0, 1, 5)


def own(compute=None, **changes):
    """A figure with a slider over an array, and one that only `compute` draws."""
    described = {
        "controls": [live.Slider(name="power", grid=GRID), live.Slider(name="factor", grid=(1, 2, 3))],
        "arrays": {"x": X, "y": ([X**k for k in GRID], "power")},
        "values": {"power": 1},
        "panels": [live.Panel(key="p", layers=[layers.Line(x="x", y="y")])],
    }  # fmt: skip
    return OwnSource(**{**described, "compute": compute, "name": "own", **changes})


def modes(answer):
    return {control.name: control.mode for control in answer.figure.controls}


def moved(phase="commit", action="", **values):
    return Event(phase=phase, action=action, values=values, seq=1)


def test_a_figure_without_a_function_asks_nothing_of_python():
    source = own()
    answer = source.answer(Event())
    assert not source.asks
    assert modes(answer) == {"power": "local", "factor": "local"}
    assert answer.figure.values == {"power": 1.0, "factor": 1}
    assert answer.figure.evaluate("y") == pytest.approx(X)
    assert answer.figure.arrays["y"].dims == ("power", None)


def test_a_control_that_is_no_dimension_is_answered_by_the_function_once_for_each_value():
    asked = []

    def compute(values):
        asked.append(dict(values))
        return {"more": values["factor"] * X}

    source = own(compute)
    assert modes(source.answer(Event())) == {"power": "local", "factor": "server"}
    answers = [source.answer(moved(phase, power=2.0, factor=3)) for phase in ("drag", "commit")]
    for answer in answers:
        assert answer.figure.evaluate("more") == pytest.approx(3 * X)
    source.answer(moved(power=0.5, factor=3))
    assert asked == [{"power": 1.0, "factor": 1}, {"power": 2.0, "factor": 3}]
    assert source.answer(Event(phase="tick")).figure.values == {"power": 0.5, "factor": 3}


def test_a_drag_is_not_kept_and_reset_returns_to_the_first_values():
    source = own(lambda values: {"more": values["factor"] * X})
    source.answer(moved("drag", factor=3))
    assert source.answer(Event(phase="tick")).figure.values["factor"] == 1
    source.answer(moved(factor=2, power=2.0))
    reset = source.answer(moved("action", "reset", factor=2, power=2.0))
    assert reset.figure.values == {"power": 1.0, "factor": 1}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"power": 3}, r"power=3 is not allowed: .* from 0.5 to 2\. The nearest is 2\."),
        ({"power": "much"}, "power=much is not allowed"),
        ({"power": float("nan")}, "power=nan is not allowed"),
        ({"speed": 1}, "no control “speed”. There are power, factor."),
    ],
)
def test_a_refused_value_is_named_with_what_is_allowed(changes, said):
    with pytest.raises(ValueError, match=said):
        own().check({"power": 1.0, "factor": 1}, changes)


@pytest.mark.parametrize("content", [{"power": "x"}, {"power": [1]}, {"other": 2}, {"power": None}])
def test_what_a_browser_should_not_send_changes_nothing(content):
    assert own().answer(Event(phase="commit", values=content)).figure.values["power"] == 1.0


def test_wrong_descriptions_are_errors_in_words():
    with pytest.raises(ValueError, match="“y” has 1 dimensions and names 2 of them"):
        own(arrays={"x": X, "y": (X, ("power", "factor"))})
    with pytest.raises(TypeError, match="compute has to return arrays by their names, not list"):
        own(lambda values: [1])
    with pytest.raises(TypeError, match="by their names, such as"):
        own().check({"power": 1.0}, 5)


needs_page = pytest.mark.skipif("mechanisms" not in PAGES, reason="this copy lacks the page")


@pytest.fixture(scope="module")
def entries():
    from pages import specs

    return specs()


def page(entries, link):
    return PageSource(request_of(link, entries))


@needs_page
def test_a_link_opens_a_page_at_its_values(entries):
    first = page(entries, "mechanisms?epsilon=2&noise=gaussian").answer(Event())
    assert first.figure.values["epsilon"] == 2
    assert first.figure.values["noise"] == "gaussian"
    assert list(first.notes) == []
    assert any(control.mode == "server" for control in first.figure.controls)


@needs_page
def test_a_links_refused_values_are_said_above_the_figure(entries):
    first = page(entries, "mechanisms?epsilon=1000&color=red&panel=none").answer(Event())
    said = " ".join(first.notes)
    assert "1000" in said
    assert "color" in said
    assert "none" in said
    assert first.figure.values["epsilon"] == 1


@pytest.mark.parametrize(
    ("link", "error", "said"),
    [
        ("nowhere?epsilon=1", ValueError, "no figure “nowhere”. There are mechanisms"),
        ("x" * (MOST + 1), ValueError, f"at most {MOST} signs"),
        (5, TypeError, "not int"),
    ],
)
@needs_page
def test_a_wrong_link_is_an_error_in_words(entries, link, error, said):
    with pytest.raises(error, match=said):
        request_of(link, entries)


@needs_page
def test_a_page_answers_moves_and_buttons_as_in_the_application(entries):
    source = page(entries, "mechanisms")
    values = dict(source.answer(Event()).figure.values)
    given = source.answer(Event(phase="commit", values={**values, "noise": "gaussian"}))
    assert given.figure.values["noise"] == "gaussian"
    assert given.figure.values == source.answer(Event(phase="tick")).figure.values
    again = source.answer(Event(phase="action", action="redraw", values=given.figure.values))
    assert again.figure.values["seed"] == values["seed"] + 1
    reset = source.answer(Event(phase="action", action="reset", values=again.figure.values))
    assert reset.figure.values == values


@needs_page
def test_two_figures_of_one_page_keep_their_own_values(entries):
    one, other = (page(entries, f"mechanisms?epsilon={epsilon}") for epsilon in (1, 2))
    one.answer(Event())
    other.answer(Event())
    one.answer(Event(phase="commit", values={"noise": "gaussian"}))
    assert other.answer(Event(phase="tick")).figure.values["noise"] == "laplace"
    assert one.answer(Event(phase="tick")).figure.values["epsilon"] == 1


@needs_page
def test_locked_and_hidden_controls_stay_so_while_others_are_answered(entries):
    first = page(entries, "mechanisms?locked=epsilon&hidden=seed").answer(Event())
    controls = first.figure.by_name()
    assert controls["epsilon"].disabled
    assert not controls["question"].disabled
    assert controls["seed"].hidden


@needs_page
def test_a_page_checks_values_as_its_parameters(entries):
    source = page(entries, "mechanisms")
    values = source.answer(Event()).figure.values
    assert source.check(values, {"epsilon": 2})["epsilon"] == 2
    with pytest.raises(ValueError, match=r"epsilon=1000 is not allowed: give a value of the grid"):
        source.check(values, {"epsilon": 1000})
    with pytest.raises(ValueError, match="There is no control “eps”"):
        source.check(values, {"eps": 1})


@pytest.mark.skipif("relevance" not in PAGES, reason="this copy lacks the page")
def test_a_readers_own_table_is_not_offered(entries):
    source = page(entries, "relevance?dataset=own")
    assert source._request.problems
    own_choice = live.Choice(name="dataset", options=[("moons", "Moons"), ("own", "Own")])
    assert source._public(own_choice).options == [("moons", "Moons")]
    source._controls = [own_choice]
    with pytest.raises(ValueError, match="own cannot be shown in a notebook"):
        source.check({"dataset": "moons"}, {"dataset": "own"})
    params = source._after(Event(phase="commit", values={"dataset": "own"}))
    assert params.dataset == "moons"
    assert "own cannot be shown" in source._notes[-1]
