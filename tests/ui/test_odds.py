"""The odds sentence; tests/js/odds.test.js holds the browser to the same table."""

import json
from pathlib import Path

import numpy as np
import pytest

from dpcore.guarantee import odds_bound
from ui.odds import odds_sentence, odds_template, with_odds
from ui.people import people

TABLE = Path(__file__).resolve().parents[1] / "js" / "odds.json"
CASES = json.loads(TABLE.read_text("utf-8"))["cases"]


@pytest.mark.parametrize(("epsilon", "percent", "template", "expected"), CASES)
def test_the_sentence_is_the_one_of_the_browser(epsilon, percent, template, expected):
    assert with_odds(template, epsilon, percent / 100) == expected


def test_a_template_is_filled_as_the_sentence_is():
    made = with_odds(odds_template(1e-5, tail=1.6e-4), 1.0, 0.3)
    assert made == odds_sentence(1.0, 1e-5, tail=1.6e-4, prior=0.3)
    assert with_odds("no place for odds", 1.0, 0.3) == "no place for odds"


def test_a_hundred_people_follow_their_controls():
    text = people(
        [[0.5, np.inf], [1.0, 2.0]], [[0.0, 1e-5], [0.0, 1e-5]], dims=("epsilon", "delta")
    )
    assert text.bounds == [0.5, np.inf, 1.0, 2.0]
    assert "more" not in text.strings[0]
    assert "more" in text.strings[1]
    assert with_odds(text.strings[2], 1.0, 0.5).endswith("at most 73.2 % sure.")
    assert odds_bound(1.0) == pytest.approx(0.7311, abs=1e-4)


def test_without_the_probability_of_more_nothing_is_said_of_how_often():
    """δ is not that probability, and nothing else on the page is."""
    said = odds_sentence(1.0, 1e-5)
    assert said.endswith("(Now and then a result may give away more.)")
    assert "how often" not in said
