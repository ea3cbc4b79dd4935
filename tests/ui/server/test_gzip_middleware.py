"""Scripts and styles go out compressed, once and for all; everything else as it is."""

import gzip
import urllib.error
import urllib.request
from pathlib import Path

import pytest
import streamlit as st

from ui.server import gzip_middleware as packed
from ui.web import static_files

ROOT = Path(__file__).resolve().parents[3]
HOME = Path(st.__file__).parent / "static" / "static"
LARGEST = max((HOME / "js").glob("*.js"), key=lambda file: file.stat().st_size)


def asked(address, path, **headers):
    request = urllib.request.Request(f"{address}/{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as answer:
        return answer.code, answer.headers, answer.read()


@pytest.mark.parametrize("turn", ["first", "again"])
@pytest.mark.parametrize(
    ("path", "file", "n_policies"),  # our own files are no pages, and go without a page's policy
    [
        (f"static/js/{LARGEST.name}", LARGEST, 1),
        (f"app/static/{static_files.entry()}", ROOT / "assets" / "live" / "main.js", 0),
    ],
)
def test_a_script_is_compressed_and_the_same(address, path, file, n_policies, turn):
    _, headers, body = asked(address, path, **{"Accept-Encoding": "gzip, br"})
    assert (headers["content-encoding"], headers["vary"]) == ("gzip", "Accept-Encoding")
    ours = path.startswith("app")
    whole = static_files.served(file) if ours else file.read_bytes()
    assert gzip.decompress(body) == whole
    assert int(headers["content-length"]) == len(body) < len(whole)
    assert "javascript" in headers["content-type"]
    assert headers["x-content-type-options"] == "nosniff"
    assert len(headers.get_all("content-security-policy", [])) == n_policies
    assert "immutable" in headers["cache-control"]
    assert headers["etag"].startswith("W/")


def test_who_takes_nothing_compressed_gets_the_file_as_it_is(address):
    _, headers, body = asked(address, f"static/js/{LARGEST.name}")
    assert headers["content-encoding"] is None
    assert body == LARGEST.read_bytes()


def test_conditions_and_ranges_are_answered_about_the_file(address):
    path, gz = f"static/js/{LARGEST.name}", {"Accept-Encoding": "gzip"}
    tag = asked(address, path, **gz)[1]["etag"]
    assert asked(address, path, **gz, **{"If-None-Match": tag})[0] == 304
    status, _, part = asked(address, path, **gz, Range="bytes=0-9")
    assert (status, part) == (206, LARGEST.read_bytes()[:10])


@pytest.mark.parametrize("path", ["static/js/no.js", "app/static/live-000000000000/main.js"])
def test_what_is_not_there_is_answered_as_ever(address, path):
    plain, packed = (
        asked(address, path, **{"Accept-Encoding": kind}) for kind in ("identity", "gzip")
    )
    assert packed[0] == plain[0]
    assert packed[2] == plain[2]
    assert "immutable" not in (packed[1]["cache-control"] or "")


@pytest.fixture
def anyio_backend():
    return "asyncio"


class Files:
    """An application of one file for every path, that counts how often it is asked."""

    def __init__(self, body, kind=b"text/javascript"):
        self.body, self.kind, self.times = body, kind, 0

    async def __call__(self, scope, receive, send):
        self.times += 1
        headers = [(b"content-type", self.kind)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": self.body[:5], "more_body": True})
        await send({"type": "http.response.body", "body": self.body[5:]})


async def get(app, path):
    told = []

    async def send(message):
        told.append(message)

    scope = {"type": "http", "method": "GET", "path": path,
             "headers": [(b"accept-encoding", b"gzip")]}  # fmt: skip
    await app(scope, None, send)
    return told


@pytest.mark.anyio
async def test_compressed_once_and_kept_within_bounds(monkeypatch):
    monkeypatch.setattr(packed, "MOST", 60)
    files = Files(b"let a = 1; " * 9)
    app = packed.GzipMiddleware(files)
    for _ in range(3):
        told = await get(app, "/static/js/a.1.js")
        assert gzip.decompress(told[1]["body"]) == files.body
    assert files.times == 1
    for _ in range(2):
        await get(app, "/static/js/b.1.js")
    assert files.times == 3, "there is no room for a second one"
    await get(app, "/budget")
    assert files.times == 4
    told[0]["headers"].append((b"x", b"y"))  # what others add is not kept
    assert (b"x", b"y") not in (await get(app, "/static/js/a.1.js"))[0]["headers"]


@pytest.mark.anyio
async def test_names_that_strangers_make_up_take_no_room():
    page = Files(b"<html></html>", b"text/html")
    app = packed.GzipMiddleware(page)
    for _ in range(2):
        told = await get(app, "/static/js/made-up.js")
        assert told[1]["body"] == page.body
    assert page.times == 2
