"""A hostile link on every page: each value is refused in a sentence that Markdown leaves alone."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages import specs
from tests.ui.words.test_escape import HOSTILE, outside
from ui.frame.page_spec import PageSpec

ROOT = Path(__file__).resolve().parents[2]
SPECS = [spec for spec in specs() if isinstance(spec, PageSpec)]


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.key)
def test_what_a_link_carries_is_shown_and_does_nothing(spec):
    fields = list(spec.params.controls())
    app = AppTest.from_file(str(ROOT / "pages" / "main.py"), default_timeout=120).run()
    app.switch_page(f"{spec.key}/page.py")
    for k, field in enumerate(fields):
        app.query_params[field] = HOSTILE[k % len(HOSTILE)]
    app.query_params["v"] = "[x](http://a)"
    app.run()
    assert not app.exception
    warnings = [item.value for item in app.warning]
    refused = [text for text in warnings if "The link sets" in text or "is not allowed" in text]
    assert len(refused) == len(fields)
    for text in warnings:
        assert not any(mark in outside(text) for mark in "[]<>$`|*"), text
        assert "://" not in outside(text)
        assert "www" not in outside(text)
