"""Journeys under the policy: a hostile link does nothing, and no file needs more; pages are in test_all_readers."""

from itertools import cycle
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pages import specs
from tests.browser.journey import PATIENCE
from ui.frame.page_spec import PageSpec

pytestmark = pytest.mark.browser
SPECS = [spec for spec in specs() if isinstance(spec, PageSpec)]
FIRST = SPECS[0].key
TEXTS = (
    "![x](http://a.example/x.png)", "[Login](http://a.example)", "<img src=http://a.example/y.png>",
    "http://a.example", ":red[x] $x$ :smile:",
)  # fmt: skip
HOSTILE = "&".join(map("=".join, zip(SPECS[0].params.controls(), cycle(TEXTS))))
SVG = "{http://www.w3.org/2000/svg}"
FILES = {
    "Figure (HTML)": b"plotly",
    "Report (HTML)": b"Suppose somebody",
    "Notebook": b'"nbformat"',
}


@pytest.fixture(scope="module")
def strict_context(browser):
    """One for all pages: what the browser has once loaded and compiled it keeps."""
    with browser.new_context(
        reduced_motion="reduce", viewport={"width": 1440, "height": 900}
    ) as context:
        context.set_default_timeout(PATIENCE)
        yield context


@pytest.fixture
def strict(strict_context):
    """A page that keeps to the policy, and what it complained of or asked of others."""
    page = strict_context.new_page()
    said, wanted = [], []
    page.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: wanted.append(request.url))
    yield page, said, wanted
    page.close()


def test_a_hostile_link_is_shown_and_does_nothing(strict, address):
    page, said, wanted = strict
    page.goto(f"{address}/{FIRST}?{HOSTILE}")
    page.wait_for_selector(".dp-figure.dp-ready")
    alerts = page.get_by_test_id("stAlert")
    alerts.first.wait_for()
    assert alerts.locator("a, img, .katex, iframe").count() == 0
    shown = " ".join(alerts.all_inner_texts())
    for words in ("![x](http://a.example/x.png)", "[Login](http://a.example)", "$x$", ":smile:"):
        assert words in shown
    page.wait_for_timeout(1000)
    assert [url for url in wanted if "a.example" in url.split("?")[0]] == []
    assert [line for line in said if "Content Security Policy" in line] == []


def test_no_other_site_can_frame_the_app(strict, address):
    page, _, _ = strict
    page.route(
        "http://a.example/",
        lambda route: route.fulfill(
            content_type="text/html", body=f"<iframe src='{address}/{FIRST}'></iframe>"
        ),
    )
    page.goto("http://a.example/")
    inside = page.frames[1]
    while inside.url in ("", "about:blank"):
        page.wait_for_timeout(100)
    assert inside.url.startswith("chrome-error:")  # refused, not merely empty


def saved(page, button):
    with page.expect_download() as caught:
        button.click()
    return Path(caught.value.path()).read_bytes()


def test_what_is_taken_along_needs_no_more_than_the_policy_allows(strict, address):
    page, said, _ = strict
    page.goto(f"{address}/{FIRST}")
    page.wait_for_selector(".dp-figure.dp-ready")
    page.wait_for_selector("[data-panel] .dp-frame svg", state="attached")
    page.get_by_role("button", name="More:").first.click()
    drawing = saved(page, page.get_by_role("button", name="Save as SVG").first)
    assert len(list(ElementTree.fromstring(drawing).iter(f"{SVG}path"))) > 5
    picture = saved(page, page.get_by_role("button", name="Save as PNG").first)
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    page.get_by_text("Download or share").click()
    for name, words in FILES.items():
        found = saved(page, page.get_by_role("button", name=name))
        assert words in found
    assert said == []
