"""The served page names the scripts of the first figure, and each of them is there."""

import gzip
import re
import urllib.request
from pathlib import Path

import pytest

from pages import PAGES
from ui.server import preload_links
from ui.web import static_files

ROOT = Path(__file__).resolve().parents[3]


def page(address, path="", **headers):
    request = urllib.request.Request(
        f"{address}/{path}", headers={"Accept": "text/html,*/*", **headers}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.status, answer.headers, answer.read()


@pytest.mark.parametrize("path", ["", PAGES[1], f"{PAGES[1]}?epsilon=2"])
def test_a_page_names_every_module_and_each_is_there(address, path):
    _, headers, body = page(address, path)
    assert int(headers["content-length"]) == len(body)
    named = re.findall(r'<link rel="modulepreload"[^>]* href="\.([^"]+)"', body.decode())
    assert len(named) == len(set(named)), "asked for once"
    assert f"/app/static/{static_files.entry()}" in named
    assert sum("BidiComponent" in name for name in named) == 1
    css = f"/app/static/{static_files.live_folder()}/live.css"
    assert f'<link rel="preload" as="style" href=".{css}">' in body.decode()
    late = [name for name in named if "/app/static/" in name or "BidiComponent" in name]
    for name in late:
        with urllib.request.urlopen(f"{address}{name}", timeout=30) as answer:
            assert "javascript" in answer.headers["content-type"], name


def test_an_old_page_is_not_kept_for_a_new_one(address):
    """A condition about the page's own file says nothing of the names that were added."""
    _, headers, _ = page(address)
    assert headers["etag"] is None
    assert headers["last-modified"] is None
    later = {"If-Modified-Since": "Sun, 22 Nov 2037 00:00:00 GMT", "If-None-Match": "*"}
    status, _, body = page(address, **later)
    assert status == 200
    assert static_files.live_folder() in body.decode()


def test_a_page_is_compressed_for_who_takes_that(address):
    _, headers, body = page(address, **{"Accept-Encoding": "gzip"})
    assert headers["content-encoding"] == "gzip"
    assert headers["vary"] == "Accept-Encoding"
    assert gzip.decompress(body) == page(address)[2]
    assert int(headers["content-length"]) == len(body) < 4500


def test_what_is_no_page_stays_as_it_is(address):
    _, headers, body = page(address, f"app/static/{static_files.entry()}")
    assert body.lstrip().startswith(b"const $")
    assert headers["etag"]
    assert page(address, "_stcore/health")[2] == b"ok"


def test_links_stand_at_the_end_of_the_head_and_known_ones_not_twice():
    known = preload_links.links().splitlines()[0]
    found = preload_links.with_links(f"<head>{known}<title>t</title></head><body></head>")
    head, _, rest = found.partition("</head>")
    assert rest == "<body></head>"
    assert head.count(known) == 1
    assert head.count("<link") == len(preload_links.links().splitlines())


def test_moved_scripts_are_left_out(tmp_path):
    (tmp_path / "Html.1.js").write_text('import{a}from"./b.js";import"./c.js"')
    (tmp_path / "b.js").write_text('from "./Html.1.js"; import("./lazy.js")')
    assert preload_links._chunks(tmp_path) == ["Html.1.js", "b.js"]
    assert preload_links._chunks(tmp_path / "nowhere") == []
