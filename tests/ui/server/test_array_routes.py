"""Arrays over HTTP from the real server: what headers they carry, who may have them, what a prefix changes."""

import gc
import gzip
import http.client
import json
import types
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
import streamlit

from tests.browser.serving import served
from tests.browser.visitor import visiting
from tests.ui.routed import routed
from ui.live import array_files, component, tokens
from ui.live.array_files import Part
from ui.live.wire import EXACT
from ui.server import session_cleanup
from ui.server.array_routes import ROUTES

ROOT = Path(__file__).resolve().parents[3]
FOR_EVER = "public, max-age=31536000, immutable"


def fetched(address, path, **headers):
    """The answer as it travels: `urllib` would not say how it was packed."""
    line = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
    line.request(
        "GET", path, headers={key.replace("_", "-"): value for key, value in headers.items()}
    )
    answer = line.getresponse()
    body = answer.read()
    line.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body


def files(address, page="budget"):
    with visiting(address) as visitor:
        visitor.open(page)
        return visitor.data[page]["files"]


def event(**told):
    return json.dumps({"event": {"seq": 1, "phase": "missing", "values": {}, "held": [], **told}})


def test_public_arrays_are_kept_for_good_and_packed(address):
    found = files(address)
    assert found
    for file in found:
        status, headers, body = fetched(address, file["url"], accept_encoding="br, gzip")
        assert (status, headers["cache-control"]) == (200, FOR_EVER)
        assert headers["content-encoding"] == "gzip"
        assert headers["vary"] == "Accept-Encoding"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "set-cookie" not in headers
        assert "content-security-policy" not in headers
        plain = fetched(address, file["url"], accept_encoding="identity")
        assert "content-encoding" not in plain[1]
        assert plain[2] == gzip.decompress(body)


def test_the_next_reader_is_told_the_same_names(address):
    assert files(address) == files(address)


def test_what_is_not_here_is_not_found_and_that_is_not_remembered(address):
    for path in ("/arrays/0123", "/arrays/token/0123", "/prefix/arrays/0123"):
        status, headers, _ = fetched(address, path)
        assert (status, headers["cache-control"]) == (404, "no-store"), path
        assert "content-security-policy" in headers


@pytest.mark.parametrize(
    "path", ["/arrays/a/b/c", "/relevance/arrays/a/b/c", "/arrays/", "/arrays"]
)
def test_no_page_does_without_its_policy_under_the_name_of_an_array(address, path):
    _, headers, _ = fetched(address, path)
    assert "frame-ancestors" in headers["content-security-policy"]


def test_arrays_that_cannot_be_fetched_come_in_the_message(address):
    with visiting(address) as visitor:
        visitor.open("budget")
        wanted = visitor.data["budget"]["files"][0]["ids"]
        visitor.tell("budget", event(wanted=wanted))
        assert visitor.errors == []
        arrays = visitor.data["budget"]["arrays"].values()
        assert {spec["id"] for spec in arrays if "data" in spec} == set(wanted)


def test_behind_a_prefix_everything_is_under_it():
    with served(ROOT / "app.py", "--server.baseUrlPath=class/dp") as found:
        (file, *_) = files(found)
        assert file["url"].startswith("/class/dp/arrays/")
        assert fetched(found, file["url"])[0] == 200


class State(dict):
    """As much of a session's state as is used."""

    _new_widget_state = types.SimpleNamespace(widget_metadata={})


@pytest.fixture
def session(monkeypatch):
    state = State()
    monkeypatch.setattr(streamlit, "session_state", state)
    return state


def put(delivery):
    part = Part("a", np.arange(5, dtype=np.float32), EXACT)
    name = delivery.store.put([part])
    return name, delivery.path.rpartition("/")[2]


def test_a_session_with_data_of_its_own_draws_in_private(session):
    assert not tokens.is_there()
    assert component._delivery("page").store is array_files.PUBLIC
    session["own_data_file"] = None  # a place for a file, and none in it
    assert component._delivery("page").store is array_files.PUBLIC
    session["own_data"] = object()
    found = component._delivery("page")
    name, token = put(found)
    assert found.path == f"/arrays/{token}"
    assert component._delivery("other page").path == found.path
    assert array_files.find(name) is None
    assert array_files.find(name, token)


def test_private_arrays_end_with_their_session(session):
    session["own_data"] = object()
    name, token = put(component._delivery("page"))
    assert array_files.find(name, token)

    class Ended:
        session_state, closed = session, 0
        _fragment_storage, _client_state = {}, type("", (), {"Clear": lambda self: None})()

        def shutdown(self):
            pass

        def flush_browser_queue(self):
            pass

    session_cleanup.empty(Ended())
    gc.collect()
    assert array_files.find(name, token) is None


def test_private_answers_are_kept_by_nobody():
    store = array_files.private_store()
    name = store.put([Part("a", np.arange(5, dtype=np.float32), EXACT)])
    for prefix in ("", "/class/dp"):
        status, headers, body = routed(f"{prefix}/arrays/{store.token}/{name}", ROUTES)
        assert (status, headers["cache-control"]) == (200, "no-store")
        assert len(body) == 4 + 12 + 20
        assert routed(f"{prefix}/arrays/{name}", ROUTES)[0] == 404


def test_keys_of_own_data_say_so(session):
    with pytest.raises(ValueError, match="begin with 'own_'"):
        tokens.token("table")
