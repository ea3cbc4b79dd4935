"""The proxy's configuration, in a real nginx before two servers that say which of them answers."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import ssl
import threading
import tomllib
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from typing import Any

import pytest
import yaml
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

from tools.behind_nginx import ROOT, TEMPLATE, Front, filled, front, nginx
from ui.classroom.event_stream import MOST_STREAMS_OF_NETWORK

if nginx() is None and os.environ.get("DPCORE_REQUIRE_BROWSER") != "1":
    pytest.skip(
        "nginx is not on this machine (tools/browser.sh installs it)", allow_module_level=True
    )


class _Answers(BaseHTTPRequestHandler):
    """Says which server this is and that /arrays/public... may be kept; ...?wait waits until that is allowed."""

    protocol_version = "HTTP/1.1"
    name = ""
    asked: dict[str, int]
    connections: list[socket.socket]
    waiting: threading.Semaphore
    opened: threading.Event

    def setup(self) -> None:
        """Remember the connection, so that it ends with the server."""
        super().setup()
        self.connections.append(self.connection)

    def do_GET(self) -> None:
        """Answer with the server's name."""
        self.asked[self.path] = self.asked.get(self.path, 0) + 1
        if "wait" in self.path:
            self.waiting.release()
            self.opened.wait(20)
        body = f"{self.name} {self.headers['Host']} {self.headers['X-Forwarded-Proto']}".encode()
        self.send_response(200)
        kept = "public, max-age=31536000, immutable" if "public" in self.path else "no-store"
        self.send_header("Cache-Control", kept)
        if "upload" in self.path:
            self.send_header("Set-Cookie", "_streamlit_xsrf=2|a; Path=/")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


class _Server:
    def __init__(self, name: str) -> None:
        self.asked: dict[str, int] = {}
        self.connections: list[socket.socket] = []
        self.waiting, self.opened = threading.Semaphore(0), threading.Event()
        known = {
            "name": name, "asked": self.asked, "connections": self.connections,
            "waiting": self.waiting, "opened": self.opened,
        }  # fmt: skip
        handler = type("Answers", (_Answers,), known)
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        self.address = f"127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self) -> None:
        self.server.shutdown()
        for connection in self.connections:
            with suppress(OSError):  # closed already
                connection.shutdown(socket.SHUT_RDWR)
        self.server.server_close()


@pytest.fixture
def servers() -> Iterator[tuple[_Server, _Server]]:
    both = (_Server("a"), _Server("b"))
    yield both
    for server in both:
        server.end()


@contextmanager
def _answer(shown: Front, path: str, cookie: str = "") -> Iterator[Any]:
    context = ssl.create_default_context(cafile=str(shown.certificate))
    asked = urllib.request.Request(shown.https + path, headers={"Cookie": cookie} if cookie else {})
    with urllib.request.urlopen(asked, context=context, timeout=20) as answer:
        yield answer


def _who(shown: Front, path: str, cookie: str = "") -> str:
    with _answer(shown, path, cookie) as answer:
        return str(answer.read().decode().split()[0])


def test_visitors_stay_with_the_server_they_were_given(servers):
    with front(*(server.address for server in servers)) as shown:
        given = []
        for _ in range(40):  # all on one side: 2 in 2^40
            with _answer(shown, "/budget?seed=3") as answer:
                name, host, scheme = answer.read().decode().split()
                cookie = answer.headers["Set-Cookie"]
            assert cookie.split("; ")[0] == f"dp_server={name}"
            assert {"Secure", "HttpOnly", "Partitioned", "SameSite=None"} <= set(cookie.split("; "))
            assert scheme == "https"
            assert shown.https.endswith(host)
            given.append(name)
            assert _who(shown, "/", f"dp_server={name}") == name
        assert set(given) == {"a", "b"}
        with _answer(shown, "/", "dp_server=a") as answer:
            assert answer.headers["Set-Cookie"] is None
        with _answer(shown, "/join") as answer:  # phones of a class are told that there is none
            assert answer.headers["Set-Cookie"] is None
            assert answer.headers["Strict-Transport-Security"]
        assert _who(shown, "/", "dp_server=; x=/etc/passwd") in "ab"  # a forged one is drawn anew


def test_the_cookie_that_guards_uploads_travels_encrypted(servers):
    with (
        front(*(server.address for server in servers)) as shown,
        _answer(shown, "/?upload", "dp_server=a") as answer,
    ):
        assert answer.headers.get_all("Set-Cookie") == ["_streamlit_xsrf=2|a; Path=/; Secure"]


def test_one_server_stands_in_for_the_other(servers):
    with front(*(server.address for server in servers)) as shown:
        assert _who(shown, "/", "dp_server=b") == "b"
        servers[1].end()
        assert _who(shown, "/", "dp_server=b") == "a"
        servers[1].end = lambda: None  # ended already


def test_what_never_changes_is_asked_of_one_server_once(servers):
    with front(*(server.address for server in servers)) as shown:
        assert [_who(shown, "/arrays/public", f"dp_server={name}") for name in "abba"] == ["a"] * 4
        assert servers[0].asked["/arrays/public"] == 1
        for name in "aa":
            with _answer(shown, "/arrays/own", f"dp_server={name}") as answer:
                assert answer.headers["Cache-Control"] == "no-store"
        assert servers[0].asked["/arrays/own"] == 2


def test_the_metrics_are_closed_and_plain_http_leads_to_https(servers):
    with front(*(server.address for server in servers)) as shown:
        with pytest.raises(urllib.error.HTTPError) as refused, _answer(shown, "/_stcore/metrics"):
            pass
        refused.value.close()
        assert refused.value.code == 404
        assert not any("/_stcore/metrics" in server.asked for server in servers)

        class Stay(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *args: Any) -> None:
                return None

        with pytest.raises(urllib.error.HTTPError) as moved:
            urllib.request.build_opener(Stay).open(f"{shown.http}/budget?T=3", timeout=20)
        moved.value.close()
        assert moved.value.code == 301
        assert moved.value.headers["Location"] == f"{shown.https}/budget?T=3"


def test_a_websocket_goes_through_to_the_visitors_server():
    def speaker(name: str) -> Callable[[ServerConnection], Awaitable[None]]:
        async def speak(line: ServerConnection) -> None:
            async for message in line:
                await line.send(f"{name}:{message!s}")

        return speak

    async def talk() -> list[str]:
        heard = []
        async with (
            serve(speaker("a"), "127.0.0.1", 0) as one,
            serve(speaker("b"), "127.0.0.1", 0) as two,
        ):
            ports = [server.sockets[0].getsockname()[1] for server in (one, two)]
            with front(*(f"127.0.0.1:{port}" for port in ports)) as shown:
                url = shown.https.replace("https", "wss") + "/_stcore/stream"
                context = ssl.create_default_context(cafile=str(shown.certificate))
                for name in "ab":
                    told = {"Cookie": f"dp_server={name}"}
                    async with connect(url, ssl=context, additional_headers=told) as line:
                        await line.send("hello")
                        heard.append(str(await asyncio.wait_for(line.recv(), 20)))
        return heard

    assert asyncio.run(talk()) == ["a:hello", "b:hello"]


def test_the_container_gives_nginx_every_value_that_the_template_asks_for():
    values = services()["nginx"]["environment"]
    text = filled(TEMPLATE.read_text("utf-8"), values)
    assert "${" not in text
    assert "server app_a:8501 max_fails" in text
    assert {"app_a", "app_b"} <= set(services())


def held_at_most(place):
    """The requests under way that one address may have in a location of the template."""
    text = TEMPLATE.read_text("utf-8")
    inner = re.search(rf"location {re.escape(place)} \{{(.*?)\n        \}}", text, re.S)
    ((_, most),) = re.findall(r"limit_conn (\w+) (\d+);", inner[1])
    return int(most)


def test_a_class_behind_one_address_does_not_meet_a_bound():
    readers, files_at_once = 120, 40
    assert held_at_most("/join") > MOST_STREAMS_OF_NETWORK  # the app's own sentence comes first
    assert held_at_most("= /_stcore/stream") >= 6 * readers
    assert held_at_most("~ ^/(arrays|static|app/static)/") >= readers * files_at_once


def test_what_lasts_is_counted_apart(servers):
    """Phones that listen at the bound keep neither pages nor sessions from opening."""
    text = TEMPLATE.read_text("utf-8")
    assert len(set(re.findall(r"limit_conn (\w+)", text))) == 4
    with (
        front(*(server.address for server in servers), template=at_most(text, 2)) as shown,
        ThreadPoolExecutor(2) as listening,
    ):
        held = [listening.submit(_who, shown, "/join/events?wait") for _ in range(2)]
        assert all(servers[0].waiting.acquire(timeout=20) for _ in held)
        with pytest.raises(urllib.error.HTTPError) as refused, _answer(shown, "/join"):
            pass
        refused.value.close()
        assert refused.value.code == 429
        assert _who(shown, "/", "dp_server=a") == "a"
        servers[0].opened.set()
        assert {one.result() for one in held} == {"a"}


def at_most(text, number):
    return re.sub(r"(limit_conn \w+) \d+;", rf"\1 {number};", text)


def test_the_uploads_limit_is_the_apps():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    size = config["server"]["maxUploadSize"]
    assert f"client_max_body_size {size}m;" in TEMPLATE.read_text("utf-8")


def test_a_value_that_is_missing_is_said():
    with pytest.raises(KeyError, match="APP_B"):
        filled("${APP_A} ${APP_B}", {"APP_A": "x"})


def test_the_image_holds_what_the_app_reads():
    ignored = set((ROOT / ".dockerignore").read_text("utf-8").split())
    assert not ignored & {
        "app.py", "pages", "ui", "dpcore", "assets", "docs", "locks", "tools", ".streamlit", "static",
    }  # fmt: skip
    ((package, module),) = re.findall(r"from (\S+) import (\w+);", image())
    assert find_spec(f"{package}.{module}"), "the module that publishes the browser's files"


def image():
    return (ROOT / "Dockerfile").read_text("utf-8")


def services():
    return yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]


def test_images_of_others_are_named_by_their_content():
    named = re.findall(r"^FROM (\S+)", image(), re.M)
    named += [one["image"] for one in services().values() if "build" not in one]
    others = [name for name in named if name != "base"]
    assert len(others) == 2
    assert all(re.fullmatch(r"[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}", name) for name in others)


def test_the_image_installs_what_is_locked():
    assert "tools/install.sh" in image()
    assert not re.findall(r"pip install (?!.*--require-hashes)", image())


def test_the_code_belongs_to_root_and_another_account_runs_it():
    lines = image().splitlines()
    user = lines.index("USER 10001")
    assert "COPY . ." in lines
    assert "chmod -R a+rX ." in image()  # prepared results are written for their owner alone
    assert not [line for line in lines if "--chown" in line or "chown -R" in line]
    assert not [line for line in lines[user:] if line.startswith(("RUN", "COPY", "USER root"))]


@pytest.mark.parametrize("name", ["app_a", "app_b", "nginx"])
def test_containers_have_no_privileges(name):
    service = services()[name]
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert "cap_add" not in service
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["pids_limit"] <= 512
    assert service["mem_limit"]


def test_nginx_needs_no_privileges():
    service = services()["nginx"]
    inside = [int(port.split(":")[1]) for port in service["ports"]]
    values = service["environment"]
    assert inside == [int(values["PORT_HTTP"]), int(values["PORT_HTTPS"])]
    assert min(inside) > 1023
    assert service["user"] == "101:101"
    (folder,) = service["tmpfs"]
    assert folder.startswith(f"{values['RUN']}:uid=101,gid=101,")
    assert values["NGINX_ENVSUBST_OUTPUT_DIR"] == values["RUN"]
    assert f"{values['RUN']}/nginx.conf" in service["command"]
