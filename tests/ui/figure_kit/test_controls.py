"""Every parameter of a page has one control, and the library knows nothing of controls."""

import ast
from dataclasses import fields
from pathlib import Path

import pytest

from dpcore.experiments.mechanisms import MechanismsParams
from dpcore.experiments.params import Control
from pages import specs
from ui.figure_kit.controls import PageControl, check_complete, live_controls
from ui.frame.page_spec import PageSpec
from ui.live.depth import Depth

ROOT = Path(__file__).resolve().parents[3]
SPECS = [spec for spec in specs() if isinstance(spec, PageSpec)]
CONTROLS, PARAMS = SPECS[0].controls, SPECS[0].params
SETTINGS = {
    "advanced", "depth", "ends", "help", "hidden", "label", "mode", "moves", "play", "words",
}  # fmt: skip


def settings_of_widgets(source):
    """What a call that declares a parameter says of its widget."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    declared = [
        call
        for call in calls
        if ast.unparse(call.func).split(".")[0] in ("control", "inherited", "shared")
    ]
    return sorted({k.arg for call in declared for k in call.keywords} & SETTINGS)


def test_experiments_hold_no_settings_of_widgets():
    assert settings_of_widgets("x = control(1, help='h')\ny = shared.epsilon(ends=('a', 'b'))") == [
        "ends",
        "help",
    ]
    for path in sorted((ROOT / "dpcore" / "experiments").rglob("*.py")):
        assert settings_of_widgets(path.read_text("utf-8")) == [], path
    assert not {item.name for item in fields(Control)} & SETTINGS


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.key)
def test_every_parameter_of_a_page_has_its_control(spec):
    assert {item.name for item in spec.controls} == set(spec.params.controls())
    sliders = {name for name, item in spec.params.controls().items() if item.grid is not None}
    for item in spec.controls:
        assert item.ends == ("", "") or item.name in sliders, item.name
    shown = live_controls(spec.controls, spec.params())
    unseen = {name for name, item in spec.params.controls().items() if item.text is not None}
    unseen |= {item.name for item in spec.controls if item.absent and item.absent(spec.params())}
    assert [c.name for c in shown] == [c.name for c in spec.controls if c.name not in unseen]
    assert all(item.label for item in shown)


@pytest.mark.parametrize(
    ("controls", "words"),
    [
        (CONTROLS[1:], f"without a control \\['{CONTROLS[0].name}'\\]"),
        ((*CONTROLS, PageControl("colour")), "without a parameter \\['colour'\\]"),
        ((*CONTROLS, CONTROLS[0]), f"twice \\['{CONTROLS[0].name}'\\]"),
    ],
)
def test_a_page_with_other_controls_than_parameters_is_refused(controls, words):
    with pytest.raises(ValueError, match=words):
        check_complete(controls, PARAMS)


def test_what_a_control_says_reaches_the_reader():
    asked = PageControl(
        "group", label="people who differ", help="h", ends=("a", "b"), mode="local", depth=Depth.UNDERSTAND,
        idle=lambda params: "Nobody differs." if params.noise == "laplace" else "",
    )  # fmt: skip
    (other,) = live_controls((asked,), MechanismsParams(noise="gaussian"))
    assert (other.disabled, other.why) == (False, "")
    (slider,) = live_controls((asked,), MechanismsParams())
    assert slider.why == "Nobody differs."
    assert (slider.help, slider.ends, slider.mode, slider.more) == ("h", ("a", "b"), "local", True)
    assert (slider.symbol, slider.label, slider.disabled) == ("k", "people who differ", True)
    assert live_controls((asked,), MechanismsParams(), hide=("group",)) == []


def test_a_control_that_means_nothing_is_not_there():
    asked = PageControl("group", label="people", absent=lambda params: params.noise == "laplace")
    assert live_controls((asked,), MechanismsParams()) == []
    (there,) = live_controls((asked,), MechanismsParams(noise="gaussian"))
    assert (there.name, there.disabled) == ("group", False)


def test_a_group_has_its_heading_from_the_page_or_from_all_pages():
    relevance = next(spec for spec in SPECS if spec.key == "relevance")
    headings = {item.name: item.group for item in relevance.controls}
    learns = [name for name, heading in headings.items() if heading == "How it learns"]
    assert learns[:3] == ["clip_norm", "sample_rate", "delta"]
    assert (headings["epsilon"], headings["person"]) == ("", "Who")
    shown = live_controls(relevance.controls, relevance.params())
    assert {item.name: item.group for item in shown} == headings
