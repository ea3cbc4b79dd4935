"""A hostile link on every page: each value is refused in a sentence that Markdown leaves alone."""

import importlib
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.test_escape import HOSTILE, outside

ROOT = Path(__file__).resolve().parents[2]
NAMES = [
    "mechanisms",
    "budget",
    "descent",
    "relevance",
    "matrix",
    "regression",
    "autoencoder",
    "kahm",
]


@pytest.mark.parametrize("name", NAMES)
def test_what_a_link_carries_is_shown_and_does_nothing(name):
    module = importlib.import_module(f"dpcore.experiments.{name}")
    fields = list(getattr(module, f"{name.capitalize()}Params").controls())
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run()
    app.switch_page(f"pages/{name}.py")
    for k, field in enumerate(fields):
        app.query_params[field] = HOSTILE[k % len(HOSTILE)]
    app.query_params["v"] = "[x](http://a)"
    app.run()
    assert not app.exception
    warnings = [item.value for item in app.warning]
    refused = [text for text in warnings if "is not allowed" in text]
    assert len(refused) == len(fields)
    for text in warnings:
        assert not any(mark in outside(text) for mark in "[]<>$`|*"), text
        assert "://" not in outside(text)
        assert "www" not in outside(text)
