"""A page that computes for long: its browser looks for news without asking the page, also after a restart."""

import json
import shutil
from pathlib import Path

import pytest

from tests.browser.journey import PATIENCE
from tests.browser.serving import free_port, served
from ui.web import static_files

PAGE = Path(__file__).parents[2] / "benchmarks" / "latency_apps" / "waiting_page.py"
FIGURE = "window.__dpLive.waiting"


def app(home, routes):
    """The page that waits, with the app's routes or without any."""
    static_files.publish(home / "static")
    shutil.copy(PAGE, home)
    with_routes = f"st.App({PAGE.name!r}, routes=server.ROUTES, middleware=server.MIDDLEWARE)"
    found = with_routes if routes else f"st.App({PAGE.name!r})"
    (home / "app.py").write_text(
        f"import streamlit as st\nfrom ui.server import application as server\napp = {found}\n",
        "utf-8",
    )
    return home / "app.py"


@pytest.fixture
def page(context):
    found = context.new_page()
    yield found
    found.close()


def is_glance(answer):
    return "/news/" in answer.url


def no_news(answer):
    return is_glance(answer) and answer.ok and json.loads(answer.text())["news"] is False


def ready(page):
    page.wait_for_selector(".dp-figure.dp-ready", timeout=PATIENCE)
    page.wait_for_selector(".dp-busy.dp-on", timeout=PATIENCE)


def test_a_page_that_waits_is_not_run_and_its_bar_speaks_after_a_restart_too(page, tmp_path):
    script, port, aborted = app(tmp_path, routes=True), free_port(), []
    # A busy machine answers too late, and the browser then asks the page itself.
    page.on(
        "requestfailed", lambda request: aborted.append(request) if is_glance(request) else None
    )
    with served(script, port=port) as address:
        with page.expect_response(no_news, timeout=PATIENCE) as first:
            page.goto(address)
            ready(page)
        for _ in range(2):
            page.wait_for_event("response", no_news, timeout=PATIENCE)
        events = page.evaluate(f"{FIGURE}.stats.events")
        assert events <= len(aborted), "the page was asked nothing while its news came"
        assert "Waiting" in page.locator(".dp-busy").inner_text()
    with served(script, port=port):
        elsewhere = lambda answer: no_news(answer) and answer.url != first.value.url  # noqa: E731
        page.wait_for_event("response", elsewhere, timeout=PATIENCE)
        assert "Waiting" in page.locator(".dp-busy").inner_text()


def test_an_app_without_the_route_is_asked_for_news_once_and_then_itself(page, tmp_path):
    with served(app(tmp_path, routes=False)) as address:
        glances = []
        page.on("request", lambda request: glances.append(request) if is_glance(request) else None)
        page.goto(address)
        ready(page)
        page.wait_for_function(f"{FIGURE}.stats.events > 2", timeout=PATIENCE)
        assert len(glances) == 1
