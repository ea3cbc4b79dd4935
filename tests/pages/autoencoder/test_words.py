"""The words of the page Autoencoder: its records are pictures, many by the same writer."""

import math
import re
from dataclasses import replace

import pytest

from dpcore.experiments.autoencoder import AutoencoderParams
from pages.autoencoder.figure import figure
from pages.autoencoder.page import PAGE
from pages.autoencoder.pipeline import PIPELINE
from pages.autoencoder.words import attack_sentence, meaning

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


def sentence(alone, informed, cancelled, batch=math.nan):
    return attack_sentence(1797, alone=alone, informed=informed, batch=batch, cancelled=cancelled)


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ((0.93, 0.99, 1.0), "among 1797 in 93 of 100 cases"),
        ((0.93, 0.99, 1.0), "With the network at hand, it is 99 of 100 cases"),
        ((0.93, 0.99, 1.0), "hides hardly any picture from somebody who compares by eye"),
        ((0.006, 0.0, 1.0), "finds all 100. Looking scrambled"),
        ((0.004, 0.0, 1.0), "fewer than 1 of 100 cases"),
        ((0.03, 0.01, 0.0), "finds none of them"),
        ((0.03, 0.01, 0.002), "fewer than one of them on average"),
        ((0.03, 0.01, 0.998), "finds more than 99 of them"),
        ((0.998, 0.01, 1.0), "in more than 99 of 100 cases"),
        ((0.0, 0.01, 0.05), "no proof"),
        ((math.nan, 0.0, 0.0), "still at work"),
        ((0.01, 0.0, 0.28), "the noise gave no protection"),
    ],
)
def test_the_sentence_follows_the_shares_that_attackers_found(shares, words):
    assert words in sentence(*shares)


def test_attackers_that_found_some_pictures_are_not_said_to_fail():
    assert "fail" not in sentence(0.01, 0.0, 0.28)


def test_until_the_slow_attacker_has_looked_the_sentence_says_that_it_is_at_work():
    early = sentence(0.0, 0.0, math.nan, batch=0.3)
    assert "somebody who compares by eye finds 30 of them" in early
    assert early.endswith("An attacker who has the network is still at work.")
