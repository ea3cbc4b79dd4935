"""The handles whose latency is measured are handles of the pages, and no page with handles is left out."""

import pytest

from benchmarks.latency_apps.handles import HANDLES
from pages import specs
from ui.frame.page_spec import PageSpec

PAGES = {spec.key: spec for spec in specs() if isinstance(spec, PageSpec)}


def sliders(spec):
    """What the sliders of a page are called by a screen reader."""
    fields = spec.params.controls()
    for item in spec.controls:
        field = fields[item.name]
        if field.grid is not None and not item.hidden:
            name = item.label or field.label
            yield f"{field.symbol}, {name}" if field.symbol else name


@pytest.mark.parametrize("entry", HANDLES, ids=lambda entry: f"{entry.path} {entry.tab}".strip())
def test_what_is_measured_is_there(entry):
    spec = PAGES[entry.key]
    assert set(entry.sliders) <= set(sliders(spec))
    query = dict(part.split("=") for part in entry.path.partition("?")[2].split("&") if part)
    assert not spec.params.from_link(query)[1]  # no value that is refused


def test_no_page_with_sliders_is_left_out():
    assert set(PAGES) - {entry.key for entry in HANDLES} == set()


def test_no_two_figures_have_one_name():
    names = [entry.named(label) for entry in HANDLES for label in entry.sliders]
    assert len(names) == len(set(names))
