"""Visits to a page by Streamlit's AppTest, for the tests of all pages."""

import json
import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from unittest.mock import patch

from streamlit.testing.v1 import AppTest

from ui.live import component

__all__ = ["ALONG", "CODE", "app", "data", "on_tab", "opened", "until"]

ROOT = Path(__file__).resolve().parents[2]
CODE = "Code: the call that reproduces this figure"
ALONG = "Download or share: link, data, figure, report, notebook"


def _start():
    return AppTest.from_file(str(ROOT / "pages" / "main.py"), default_timeout=300)


@cache
def _registered():
    """Return the pages that AppTest learns of in a first run, which opens Home.

    The result is cached, since Home takes longer to draw than most pages.
    """
    return _start().run()._registered_pages


def app(page, **link):
    """Open a page in a new session, with ``link`` as query parameters; return the AppTest."""
    found = _start()
    found._registered_pages = _registered()
    found.switch_page(f"{page}/page.py")
    for name, value in link.items():
        found.query_params[name] = value
    return found.run()


def opened(found, title):
    """Open a section under the figure, whose content is drawn only then."""
    found.session_state[f"open.{title}"] = True
    return found.run()


def on_tab(found, title):
    """Open a tab of the figure as a browser does, and run the page until the tab's results are there."""
    real = component.event
    with patch.object(component, "event", lambda key: replace(real(key), tab=title)):
        found.run()
        return until(found, lambda: not data(found).get("busy"))


def until(found, known):
    """Run the page again and again until ``known()`` is true or five minutes have passed.

    The limit is long because background jobs have low priority on a busy machine.
    """
    end = time.monotonic() + 300
    while not known() and time.monotonic() < end:
        time.sleep(0.2)
        found.run()
    return found


def data(found):
    """Return the message with the figure's description that the browser receives."""
    (component,) = found.get("bidi_component")
    return json.loads(component.proto.json)
