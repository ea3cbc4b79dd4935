"""The words of the page Autoencoder: its records are pictures, many by the same writer."""

import re
from dataclasses import replace

import pytest

from dpcore.experiments.autoencoder import AutoencoderParams
from pages.autoencoder.figure import figure
from pages.autoencoder.meaning import meaning
from pages.autoencoder.pipeline import PIPELINE
from pages.autoencoder.spec import PAGE

_PEOPLE = re.compile(r"\b(people|persons?|nobody|whom|whose|everybody)\b", re.IGNORECASE)


def said(state):
    """All that the figure and its sentence say, controls and labels of curves included."""
    shown = figure(state)
    yield from (PAGE.opening, *meaning(state).strings)
    for panel in shown.panels:
        yield from (panel.title, panel.caption, panel.alt, panel.tab)
        yield from (getattr(layer, "label", "") for layer in panel.layers)
    for readout in shown.readouts:
        yield from (readout.label, readout.note, readout.help)
    for control in shown.controls:
        yield from (control.label, control.help)
    for text in shown.texts:
        yield from text.strings


def state_of(params):
    state = PIPELINE.still(params)
    return replace(state, results={"pictures": state["pictures"]})


@pytest.mark.parametrize("real", [False, True])
def test_a_record_is_called_a_picture_and_not_a_person(real):
    found = [
        text for text in said(state_of(AutoencoderParams(real=real))) if _PEOPLE.search(text or "")
    ]
    assert found == []


def test_the_list_that_attackers_search_says_how_many_wrote_its_pictures():
    (panel,) = (p for p in figure(state_of(AutoencoderParams())).panels if p.key == "found")
    assert "picture in a list of 1797" in panel.caption
    assert "by 13 writers" in panel.caption
