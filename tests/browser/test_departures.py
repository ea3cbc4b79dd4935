"""Own data leave the server's memory with their session, also when nobody comes afterwards."""

import json
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from pages import PAGES, specs
from tests.browser.journey import PATIENCE, answered
from tests.browser.serving import served
from ui.frame.page_spec import PageSpec

ROOT = Path(__file__).resolve().parents[2]
ROWS = "\n".join(f"{i % 10},{(i * 7) % 13},{'ab'[i % 2]}" for i in range(60))
CLASSES = f"zebra_x,zebra_y,zebra_kind\n{ROWS}".encode()
NUMBERS = f"zebra_x,zebra_y,n\n{ROWS}".replace("a", "1").replace("b", "2")
TABLES = {  # by where a page keeps them in the session
    "own_data": ("a.csv", CLASSES, "Dataset"),
    "own_regression": ("b.csv", NUMBERS.encode(), "RegressionDataset"),
    "own_choice": ("c.csv", CLASSES, "Dataset"),
}
# The first page of each kind.
GIVEN = {
    spec.pipeline.data.own: spec.key
    for spec in specs()[::-1]
    if isinstance(spec, PageSpec) and spec.pipeline.data and spec.pipeline.data.own
}
PROMISED = 90  # seconds, with what .streamlit/config.toml says
KEPT = "--server.disconnectedSessionTTL=10"  # less than there, so that nobody waits for long


@pytest.fixture
def answer(tmp_path, monkeypatch):
    monkeypatch.setenv("DP_CENSUS", str(tmp_path / "census"))
    return tmp_path / "census"


def census(answer):
    answer.unlink(missing_ok=True)
    answer.with_suffix(".ask").touch()
    for _ in range(PATIENCE // 100):
        if answer.exists():
            return json.loads(answer.read_text())
        time.sleep(0.1)
    raise AssertionError("the server did not answer")


def reachable(url):
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            return answer.headers["content-type"] == "application/octet-stream"
    except urllib.error.HTTPError:
        return False


def use(context, address, path, name, content, fetched):
    page = context.new_page()
    page.on("response", lambda answer: fetched.append(answer) if "/arrays/" in answer.url else None)
    choice = next(spec for spec in specs() if spec.key == path).pipeline.data.choice
    page.goto(f"{address}/{path}?{choice}=own")
    answered(page, name, content, predicts=content.decode().splitlines()[0].split(",")[-1])
    fetched.clear()
    page.get_by_role("button", name="Use this table").click()
    page.get_by_text("60 rows.").wait_for(timeout=PATIENCE)
    quiet = 0  # the work may begin a moment after the words are there; few numbers travel with their message
    for _ in range(600):
        quiet = 0 if page.locator(".dp-busy.dp-on").count() else quiet + 1
        if fetched or quiet == 50:
            break
        page.wait_for_timeout(100)
    return page


def test_nothing_of_own_data_is_reachable_after_the_tab_is_closed(browser, answer):
    ear = (str(ROOT / "tests" / "browser" / "departing.py"),)
    own_files = []
    with (
        served(ROOT / "app.py", KEPT, command=ear) as address,
        browser.new_context(reduced_motion="reduce") as context,
    ):
        pages = []
        for own, page in GIVEN.items():
            fetched = []
            pages.append(use(context, address, page, *TABLES[own][:2], fetched))
            own_files += [(found.url, found.headers["cache-control"]) for found in fetched]
        assert own_files
        for url, kept in own_files:
            assert kept == "no-store", url
            assert url.count("/") == 5, url  # http://host/arrays/token/digest
            assert reachable(url)
        there = census(answer)
        kinds = {TABLES[own][2] for own in GIVEN}
        assert {"AppSession", "Table", *kinds} <= set(there)
        pages[0].goto(f"{address}/{PAGES[1]}")  # another session: that of the page before has ended
        for page in pages:
            page.close()
        closed = time.monotonic()
        while time.monotonic() - closed < PROMISED:
            left = census(answer)
            if not left:
                break
            time.sleep(2)
        print(f"gone after {time.monotonic() - closed:.0f} s")
        assert left == []
        assert not any(reachable(url) for url, _ in own_files)
