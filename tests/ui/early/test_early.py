"""What a page opens with, before Streamlit is there: whole and public, the state of the link or nothing."""

import base64
import gzip
import hashlib
import json
import re

import pytest

from pages import specs
from tests.ui.routed import routed
from ui.early import figure_store
from ui.early.markup import START, with_early
from ui.early.routes import ROUTES
from ui.embed.render_jobs import opened
from ui.frame.page_spec import PageSpec
from ui.live import array_files
from ui.server import application, cache_warmup, preload_links

(PAGE,) = (spec for spec in specs() if isinstance(spec, PageSpec) and spec.key == "mechanisms")
SHELL = (
    "<html><head><title>Streamlit</title>"
    '<link rel="preload" href="./static/media/SourceSansVF-Upright.x.woff2" as="font">'
    '<script type="module" crossorigin src="./static/js/index.js"></script>'
    '<link rel="modulepreload" crossorigin href="./static/js/a.js">'
    '<link rel="stylesheet" crossorigin href="./static/css/index.css"></head>'
    '<body><div id="root"></div></body></html>'
)


@pytest.fixture
def early():
    figure_store.forget()
    cache_warmup.draw([PAGE], free=lambda: True)
    yield figure_store._FIGURES[PAGE.key]
    figure_store.forget()


def test_a_page_that_is_drawn_ahead_is_kept_with_its_message(early):
    status, headers, body = routed(
        f"/early/{PAGE.key}/{early.digest}", ROUTES, accept_encoding="gzip"
    )
    assert status == 200
    assert "immutable" in headers["cache-control"]
    told = json.loads(gzip.decompress(body))
    assert told["name"] == PAGE.key
    assert told["session"] == "early", "another than any of Python's"
    assert told["busy"] is None
    assert [file["url"] for file in told["files"] if not file["purpose"]] == list(early.files)
    plain = routed(f"/early/{PAGE.key}/{early.digest}", ROUTES)
    assert json.loads(plain[2]) == told
    assert routed(f"/early/{PAGE.key}/another", ROUTES)[0] == 404
    assert routed(f"/early/nowhere/{early.digest}", ROUTES)[0] == 404


@pytest.mark.parametrize(
    ("query", "values"),
    [
        ("", {}),
        ("v=1&epsilon=1", {}),
        ("epsilon=0.5", {"epsilon": 0.5}),
        ("epsilon=0.5&seed=0&v=1", {"epsilon": 0.5}),
        ("group=2", None),  # another state, which Python has to draw
        ("epsilon=a", None),  # the page says what is wrong with it
        ("depth=check", None),
        ("v=2&epsilon=1", {}),
        ("v=3&epsilon=1", {}),
        ("v=4&epsilon=1", {}),
        ("v=5&epsilon=1", {}),
        ("v=6&epsilon=1", {}),
        ("v=7&epsilon=1", {}),
        ("v=8", None),
        ("embed=true", None),
        ("x=" + "y" * 3000, None),
    ],
)
def test_the_state_of_the_link_or_nothing(early, query, values):
    found = figure_store.on_page(f"/base/{PAGE.key}", query)
    assert found == (None if values is None else (early, values))


def test_pages_without_a_figure_and_arrays_that_are_gone_have_none(early, monkeypatch):
    assert figure_store.on_page("/", "") is None
    assert figure_store.on_page("/home", "") is None
    monkeypatch.setattr(figure_store, "PUBLIC", array_files.Store(1))
    assert figure_store.on_page(f"/{PAGE.key}", "") is None


def test_what_is_not_whole_is_not_kept(monkeypatch):
    figure_store.forget()
    monkeypatch.setattr("ui.server.cache_warmup.opened", lambda page: (opened(page)[0], False))
    cache_warmup.draw([PAGE], free=lambda: True)
    assert figure_store.on_page(f"/{PAGE.key}", "") is None


def test_the_page_begins_with_it_and_streamlit_waits(early):
    page = with_early(preload_links.with_links(SHELL), early, {"epsilon": 0.5})
    head, _, body = page.partition("</head>")
    assert f"<title>{PAGE.title} · DP Explorer</title>" in head
    assert "index.js" not in head
    assert "modulepreload" not in head
    assert "index.css" not in head
    part, _, rest = body.partition('<div id="root"></div>')
    assert PAGE.question in part
    assert "&quot;epsilon&quot;: 0.5" in part
    (later,) = re.findall(r'<template id="dp-later">(.*?)</template>', rest, re.S)
    for name in ("js/index.js", "js/a.js", "index.css", "BidiComponent"):
        assert later.count(name) == 1
    assert rest.index("</template>") < rest.index("<script>"), "it looks for what stands before it"
    assert f"<script>{START}</script>" in rest
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_a_page_of_another_form_stays_as_it_is(early):
    for other in ("<html><head></head><body></body></html>", SHELL.replace('"root"', '"app"')):
        assert with_early(other, early, {}) == other


def test_the_policy_knows_the_script_and_no_other():
    policy = application.headers()["content-security-policy"]
    script = policy.partition("script-src")[2].partition(";")[0]
    assert "unsafe-inline" not in script
    digest = base64.b64encode(hashlib.sha256(START.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in script
