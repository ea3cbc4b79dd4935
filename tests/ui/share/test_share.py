"""What other sites read of a link: Open Graph elements, pictures, oEmbed."""

import asyncio
import html
import json
import re
import struct
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse
from starlette.routing import Route

from pages import PAGES, specs
from tests.ui.routed import routed
from ui.embed.query import MOST
from ui.frame.page_spec import PageSpec
from ui.share import address, link_preview
from ui.share.link_preview import LinkPreview, elements, picture, target
from ui.share.routes import routes

FIGURES = [spec.key for spec in specs() if isinstance(spec, PageSpec)]
# The page that CONTRIBUTING adds to a copy has no picture: `python -m tools.previews` draws one of each page.
PICTURED = [key for key in PAGES if key != "example"]
HOST = "dp.example.org"
ALL = routes(specs)


def tags(found, base=f"https://{HOST}"):
    text = elements(found, base)
    pairs = re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">', text)
    return {name: html.unescape(content) for name, content in pairs}, text


@pytest.mark.parametrize("key", PICTURED)
def test_every_page_has_title_question_and_picture(key):
    entry = next(spec for spec in specs() if spec.key == key)
    told, text = tags(target(f"/{key}", "", specs()))
    assert entry.title in told["og:title"]
    assert told["og:description"] == told["description"] == entry.question
    assert told["og:image"] == f"https://{HOST}/previews/{key}.png"
    assert told["twitter:card"] == "summary_large_image"
    assert told["og:url"] == f"https://{HOST}/{key}"
    assert ("application/json+oembed" in text) == (key in FIGURES)


@pytest.mark.parametrize("key", PICTURED)
def test_a_picture_has_the_size_that_is_told_and_shows_something(key):
    status, headers, body = routed(f"/previews/{key}.png", ALL)
    assert status == 200
    assert headers["content-type"] == "image/png"
    assert body[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", body[16:24]) == link_preview.SIZE == (1200, 630)
    assert 4_000 < len(body) < 200_000
    assert len({picture(other) for other in PICTURED}) == len(PICTURED)


def test_a_picture_that_is_not_there_is_refused_and_a_known_one_is_not_sent_again():
    assert routed("/previews/nothing.png", ALL)[0] == 404
    assert routed("/previews/..%2Fsecret.png", ALL)[0] == 404
    tag = routed(f"/previews/{PAGES[0]}.png", ALL)[1]["etag"]
    assert routed(f"/previews/{PAGES[0]}.png", ALL, if_none_match=tag)[0] == 304


def test_values_of_the_link_are_named_but_no_seed_and_nothing_that_is_not_allowed():
    told, text = tags(target("/mechanisms", "epsilon=0.5&seed=77&evil=%3Cscript%3E", specs()))
    assert "ε = 0.5" in told["og:description"]
    assert "77" not in told["og:description"]
    assert "<script" not in text
    assert "epsilon=0.5" in told["og:url"]
    wrong, _ = tags(target("/mechanisms", "epsilon=%22%3E%3Cscript%3E", specs()))
    assert "script" not in wrong["og:description"]
    assert wrong["og:description"].count("?") == 1


def test_an_endless_query_is_not_read():
    found = target("/mechanisms", "epsilon=0.5&" + "a=1&" * MOST, specs())
    assert found.wanted is None
    assert tags(found)[0]["og:url"] == f"https://{HOST}/mechanisms"


@pytest.mark.parametrize(
    "path", ["/nothing", "/handout/mechanisms", "/embed/home", "/a/mechanisms"]
)
def test_what_is_no_page_has_no_preview(path):
    assert target(path, "", specs()) is None


def test_the_start_page_and_an_embedded_figure_have_their_own_addresses():
    assert target("/", "", specs()).path == "/"
    found = target("/embed/mechanisms", "epsilon=0.5&locked=epsilon", specs())
    query = parse_qs(urlsplit(found.path).query)
    assert found.path.startswith("/embed/mechanisms?")
    assert query["locked"] == ["epsilon"]


def preview(path, page="<html><head><title>x</title></head><body></body></html>", **asked):
    """Request a path of an application with the middleware; return headers and page."""

    async def answer(request):
        assert "if-none-match" not in request.headers or "embed" not in path
        return HTMLResponse(page)

    app = Starlette(
        routes=[Route("/{path:path}", answer)], middleware=[Middleware(LinkPreview, pages=specs)]
    )
    said = []
    asked = {"host": HOST, **asked}
    scope = {
        "type": "http", "method": "GET", "path": path, "raw_path": path.encode(),
        "query_string": b"", "root_path": "", "http_version": "1.1", "scheme": "http",
        "headers": [(name.replace("_", "-").encode(), text.encode()) for name, text in asked.items()],
    }  # fmt: skip

    async def send(message):
        said.append(message)

    asyncio.run(app(scope, None, send))
    return dict(said[0]["headers"]), b"".join(part.get("body", b"") for part in said[1:]).decode()


@pytest.mark.parametrize("accept", ["*/*", "text/html,*/*;q=0.8", ""])
def test_a_crawler_and_a_browser_read_the_same_elements(accept):
    asked = {"accept": accept} if accept else {}
    headers, body = preview("/mechanisms", **asked)
    assert body.count("og:title") == 1
    assert body.index("og:title") < body.index("</head>")
    assert int(headers[b"content-length"]) == len(body.encode())


def test_other_content_and_other_paths_are_left_as_they_are():
    assert "og:" not in preview("/mechanisms", accept="application/json")[1]
    assert "og:" not in preview("/static/x.js")[1]


def test_the_public_address_is_declared_or_that_of_the_request(monkeypatch):
    scope = {"headers": [(b"host", b"a.example:8501"), (b"x-forwarded-proto", b"https")]}
    assert address.base(scope) == "https://a.example:8501"
    assert address.base({"headers": [(b"host", b'x"><script>')]}) == ""
    assert address.base({"headers": []}) == ""
    monkeypatch.setenv(address.PUBLIC_URL, "https://dp.example.org/")
    assert address.base(scope) == "https://dp.example.org"
    monkeypatch.setenv(address.PUBLIC_URL, "https://dp.example.org/folder")
    with pytest.raises(ValueError, match="must be http"):
        address.check_settings()


def test_without_a_host_there_is_no_picture_and_no_address():
    told, text = tags(target("/mechanisms", "", specs()), base="")
    assert {"og:image", "og:url"}.isdisjoint(told)
    assert told["twitter:card"] == "summary"
    assert "oembed" not in text


def oembed(**query):
    status, headers, body = routed(f"/oembed?{urlencode(query)}", ALL, host=HOST)
    return status, json.loads(body) if "json" in headers["content-type"] else body.decode()


@pytest.mark.parametrize("path", ["mechanisms?epsilon=0.5", "embed/mechanisms?epsilon=0.5"])
def test_oembed_answers_with_the_figure_of_a_page(path):
    status, told = oembed(url=f"http://{HOST}/{path}", format="json")
    assert status == 200
    assert (told["version"], told["type"]) == ("1.0", "rich")
    source = html.unescape(re.search(r'src="([^"]+)"', told["html"])[1])
    assert source.startswith(f"http://{HOST}/embed/mechanisms?")
    assert parse_qs(urlsplit(source).query)["epsilon"] == ["0.5"]
    assert f'width="{told["width"]}" height="{told["height"]}"' in told["html"]
    assert (told["width"], told["height"]) == (900, 640)
    assert told["thumbnail_width"] == 1200


def test_what_a_page_names_for_discovery_is_answered():
    _, text = tags(target("/mechanisms", "epsilon=0.5", specs()), f"http://{HOST}")
    link = html.unescape(re.search(r'json\+oembed" href="([^"]+)"', text)[1])
    status, _, body = routed(link.removeprefix(f"http://{HOST}"), ALL, host=HOST)
    assert status == 200
    assert "epsilon=0.5" in json.loads(body)["html"]


def test_oembed_keeps_within_what_is_asked_for():
    _, told = oembed(url=f"http://{HOST}/mechanisms", maxwidth="400", maxheight="300")
    assert (told["width"], told["height"]) == (400, 300)
    assert "thumbnail_url" not in told  # the picture is larger
    _, told = oembed(url=f"http://{HOST}/mechanisms", maxwidth="4000")
    assert told["width"] == 900


def test_oembed_passes_no_markup_on():
    _, told = oembed(url=f'http://{HOST}/mechanisms?panel="><script>alert(1)</script>&x="><b>')
    assert "<script" not in told["html"]
    assert told["html"].count("<") == 2


@pytest.mark.parametrize(
    ("query", "status", "words"),
    [
        ({}, 400, "url is missing"),
        ({"url": "mechanisms"}, 400, "is not a web address"),
        ({"url": "javascript:alert(1)"}, 400, "is not a web address"),
        ({"url": f"http://{HOST}:x/mechanisms"}, 400, "is not a web address"),
        ({"url": "http://[::1/mechanisms"}, 400, "is not a web address"),
        ({"url": f"http://{HOST}@evil.example/mechanisms"}, 400, "is not a web address"),
        ({"url": "https://evil.example/mechanisms"}, 404, "not an address of this server"),
        ({"url": f"http://{HOST}.evil.example/mechanisms"}, 404, "not an address of this server"),
        ({"url": f"http://{HOST}:81/mechanisms"}, 404, "not an address of this server"),
        ({"url": f"http://{HOST}/nothing"}, 404, "is no page with a figure"),
        ({"url": f"http://{HOST}/teach"}, 404, "is no page with a figure"),
        ({"url": f"http://{HOST}/mechanisms?{'a' * MOST}"}, 400, "at most 2000"),
        ({"url": f"http://{HOST}/mechanisms", "maxwidth": "0"}, 400, "maxwidth=0 is no size"),
        ({"url": f"http://{HOST}/mechanisms", "maxheight": "-3"}, 400, "maxheight=-3 is no size"),
        ({"url": f"http://{HOST}/mechanisms", "maxwidth": "wide"}, 400, "maxwidth=wide"),
        ({"url": f"http://{HOST}/mechanisms", "format": "xml"}, 501, "Only json"),
    ],
)  # fmt: skip
def test_oembed_refuses_with_a_sentence(query, status, words):
    found, told = oembed(**query)
    assert found == status
    assert words in told


def test_oembed_under_a_folder(monkeypatch):
    option = st.get_option
    monkeypatch.setattr(
        st, "get_option", lambda name: "dp" if name == "server.baseUrlPath" else option(name)
    )
    assert oembed(url=f"http://{HOST}/dp/mechanisms")[0] == 200
    assert oembed(url=f"http://{HOST}/mechanisms")[0] == 404
    assert target("/dp/mechanisms", "", specs()).path == "/dp/mechanisms"
