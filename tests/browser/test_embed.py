"""A figure in a slide of another site: what is locked stays, what moves in the browser moves, its link follows."""

import functools
import http.server
import os
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

from pages import PAGES
from tests.browser.journey import PATIENCE
from tests.browser.serving import started
from ui.server.application import FRAMES

ROOT = Path(__file__).resolve().parents[2]
PAGE = "mechanisms"
REVEAL = ROOT / "node_modules/reveal.js/dist"
SLIDES = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Slides</title>
<link rel="stylesheet" href="reveal/reveal.css"></head>
<body><div class="reveal"><div class="slides">
<section id="one"><h1>First</h1></section>
<section id="two"><iframe title="Figure" width="900" height="640"
  data-src="{address}/embed/{link}"></iframe></section>
</div></div><script src="reveal/reveal.js"></script>
<script>Reveal.initialize({{transition: "none"}});</script></body></html>"""


@contextmanager
def shown_from(folder):
    """Another site: files from a folder on a port of their own."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    handler.log_message = lambda *_: None
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.skipif(PAGE not in PAGES, reason="this copy has no such page")
@pytest.mark.skipif(
    not REVEAL.exists() and os.environ.get("DPCORE_REQUIRE_BROWSER") != "1",
    reason="reveal.js is not installed: npm ci",
)
def test_a_locked_figure_in_a_slide_of_another_site(browser, tmp_path):
    link = f"{PAGE}?depth=understand&panel=worlds,loss&locked=epsilon&epsilon=0.5"
    with (
        shown_from(tmp_path) as course,
        started(ROOT / "app.py", environment={FRAMES: course}) as (address, _),
        browser.new_context() as context,
    ):
        (tmp_path / "slides.html").write_text(SLIDES.format(address=address, link=link))
        (tmp_path / "reveal").symlink_to(REVEAL)
        context.set_default_timeout(PATIENCE)
        page, complaints, asked = context.new_page(), [], []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console", lambda said: complaints.append(said.text) if said.type == "error" else None
        )
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{course}/slides.html")
        page.wait_for_function("() => Reveal.isReady()")
        page.get_by_role("heading", name="First").wait_for()
        assert not any("/embed/" in url for url in asked)  # reveal.js loads it with its slide
        page.keyboard.press("ArrowRight")
        frame = page.frame_locator("iframe")
        frame.locator(".dp-figure.dp-ready").wait_for()
        inside = page.frames[1]

        locked = frame.get_by_role("slider", name="ε, privacy parameter")
        assert locked.is_disabled()
        assert "Fixed here: it moves on its own page" in frame.locator(".dp-why").first.inner_text()
        values = f"() => ({{...window.__dpLive['{PAGE}'].values}})"
        before = inside.evaluate(values)
        box = locked.bounding_box()
        page.mouse.move(box["x"] + 5, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + 300, box["y"] + box["height"] / 2)
        page.mouse.up()
        assert inside.evaluate(values) == before

        frame.get_by_role("button", name="Who is asked").click()
        group = frame.get_by_role("slider", name="k, ")
        group.focus()
        group.press("ArrowRight")
        group.press("Tab")
        address_of = frame.get_by_role("link", name="Open this page in the app")
        inside.wait_for_function(
            "() => document.querySelector('.dp-embed-source a').href.includes('group=2')"
        )
        after = inside.evaluate(values)
        assert {name for name in after if after[name] != before[name]} == {"group"}
        assert "epsilon=0.5" in address_of.get_attribute("href")
        assert [
            text for text in complaints if "favicon" not in text and "File not found" not in text
        ][:3] == []
        assert not any("_stcore" in url for url in asked)  # no session of Streamlit's
