"""Fixtures of the browser journeys: one application for all, one browser per worker process, one page per test.

A test fails if its page reports an error or requests an address outside the application.
"""

import os
from pathlib import Path

import pytest

from tests.browser.journey import PATIENCE
from tests.browser.serving import LAUNCH, chromium, served, served_together

ROOT = Path(__file__).resolve().parents[2]


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    if "PYTEST_XDIST_WORKER" not in os.environ:
        with served(ROOT / "app.py") as found:
            yield found
    else:  # one app for all workers: what a page opens with is computed once
        with served_together(ROOT / "app.py", tmp_path_factory.getbasetemp().parent) as found:
            yield found


@pytest.fixture(scope="session")
def browser():
    path = chromium()
    if path is None:
        reason = "no Chromium on the PATH: apt-get install chromium"
        if os.environ.get("DPCORE_REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=path, args=LAUNCH)
        yield found
        found.close()


@pytest.fixture(scope="session")
def axe():
    """Return the JavaScript of axe-core, which finds what makes a page inaccessible."""
    path = ROOT / "node_modules/axe-core/axe.min.js"
    if not path.exists():
        reason = "axe-core is not installed: npm ci"
        if os.environ.get("DPCORE_REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return path.read_text("utf-8")


@pytest.fixture(scope="session")
def context(browser):
    # One for all pages: what the browser has once loaded and compiled it keeps.
    # Waiting for an expression evaluates text, which the pages' policy forbids: test_doors keeps it.
    with browser.new_context(
        reduced_motion="reduce", viewport={"width": 1440, "height": 900}, bypass_csp=True
    ) as found:
        found.set_default_timeout(PATIENCE)  # for conditions: a loaded machine may take its time
        yield found


@pytest.fixture
def page(context, address):
    found = context.new_page()
    complaints = []
    found.on("pageerror", lambda error: complaints.append(f"error: {error}"))
    found.on("request", lambda request: _watch(request.url, address, complaints))
    found.on(
        "response",
        lambda answer: (
            complaints.append(f"{answer.status} {answer.url}")
            if answer.status >= 400 and "/_stcore/" not in answer.url
            else None
        ),
    )
    yield found
    found.close()
    assert complaints == []


def _watch(url, address, complaints):
    if not url.startswith((address, "blob:", "data:", address.replace("http", "ws"))):
        complaints.append(f"off-site request: {url}")
