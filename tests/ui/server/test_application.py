"""The real server: what it tells strangers, what a forged message does to it, and how it ends."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from pages import PAGES, specs
from tests.browser.serving import free_port, wait_for
from tests.browser.visitor import visiting
from ui.frame.page_spec import PageSpec

ROOT = Path(__file__).resolve().parents[3]
FIGURES = [spec for spec in specs() if isinstance(spec, PageSpec)]
FIRST = FIGURES[0].key
# A page that computes as it opens: none of its results is part of the project.
BUSY = [
    spec.key
    for spec in FIGURES
    if spec.pipeline.stages and not any(stage.ships for stage in spec.pipeline.stages)
][-1]
# the first answers at once, the last computes behind


def asked(address, path, **extra):
    request = urllib.request.Request(f"{address}/{path}", headers=extra)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.headers
    except urllib.error.HTTPError as answer:
        return answer.code, answer.headers


@pytest.mark.parametrize("path", ["", PAGES[1], "_stcore/health", "_stcore/metrics", "nothing"])
def test_every_answer_carries_the_headers(address, path):
    _, found = asked(address, path)
    policy = found["content-security-policy"]
    assert "frame-ancestors 'self'" in policy
    assert "default-src 'self'" in policy
    assert "script-src 'self' blob: 'wasm-unsafe-eval' 'sha256-" in policy
    assert "'unsafe-eval'" not in policy.replace("'wasm-unsafe-eval'", "")
    assert found["x-content-type-options"] == "nosniff"
    assert found["referrer-policy"] == "same-origin"
    assert found["x-frame-options"] == "SAMEORIGIN"


def test_the_policy_is_the_documented_one(address):
    _, found = asked(address, "")
    policy = re.sub(r" 'sha256-[^']*'| wss?://[^ ;]+", "", found["content-security-policy"])
    directives = dict(part.split(" ", 1) for part in policy.split("; "))
    text = (ROOT / "docs" / "deployment.md").read_text("utf-8")
    assert dict(re.findall(r"^\| `([a-z]+-[a-z]+)` \| `(.*?)` \|", text, re.M)) == directives


def test_whoever_comes_back_to_a_server_started_anew_gets_the_whole_page(address):
    with visiting(address) as visitor:
        visitor.ask_for_a_part(FIRST)
        assert (visitor.errors, list(visitor.data)) == ([], [FIRST])


@pytest.mark.parametrize("path", ["_stcore/metrics", "_stcore/metrics/", "/_stcore//%6detrics"])
def test_metrics_are_closed(address, path):
    assert asked(address, path)[0] == 404


def test_static_files_are_for_our_own_pages_alone(address):
    from ui.web import static_files

    status, found = asked(
        address, f"app/static/{static_files.live_folder()}/main.js", Origin="http://a.example"
    )
    assert status == 200
    assert [name for name in found if name.lower().startswith("access-control")] == []
    assert found["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.parametrize("start", ["app/static", "media", "static", "_stcore", "component/x"])
@pytest.mark.parametrize("up", ["../", "%2e%2e/", "..%2f", "%252e%252e/", "..\\", "....//"])
def test_no_path_leads_out_of_what_is_served(address, start, up):
    """A file of the project, and one of the system, asked for from one to eight folders up."""
    for steps in (1, 2, 3, 8):
        for wanted, inside in (("pyproject.toml", "[tool.ruff"), ("etc/passwd", "root:x:")):
            request = urllib.request.Request(f"{address}/{start}/{up * steps}{wanted}")
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:
                    told = answer.read().decode(errors="replace")
            except urllib.error.HTTPError as answer:
                told = answer.read().decode(errors="replace")
            assert inside not in told


def test_files_carry_what_concerns_files_alone(address):
    """The policy of a page is longer than many a module, and nothing reads it there."""
    from ui.web import static_files

    _, found = asked(address, f"app/static/{static_files.live_folder()}/main.js")
    assert found["x-content-type-options"] == "nosniff"
    assert found["cross-origin-resource-policy"] == "same-origin"
    assert "content-security-policy" not in found
    _, found = asked(address, f"app/static/{static_files.live_folder()}/nothing.js")
    assert "content-security-policy" in found


def test_files_named_by_their_content_are_kept_for_good(address):
    from ui.web import static_files

    folder = static_files.live_folder()
    status, found = asked(address, f"app/static/{folder}/main.js")
    assert (status, found["cache-control"]) == (200, "public, max-age=31536000, immutable")
    status, found = asked(address, f"app/static/{folder}/nothing.js")
    assert status == 404
    assert "immutable" not in (found["cache-control"] or "")
    assert "immutable" not in (asked(address, "app/static/README.md")[1]["cache-control"] or "")


def event(seq, **values):
    return json.dumps({"event": {"seq": seq, "phase": "commit", "values": values, "held": []}})


@pytest.mark.parametrize(
    "forged",
    [
        '{"event": {"seq": 2, "phase": "commit", "values": {"epsilon": ' + "9" * 6000 + "}}}",
        '{"event": ' + "[" * 5000 + "]" * 5000 + "}",
        '{"event": {"seq": NaN}}',
        "[]",
        "not json",
        '{"event": {"values": {' + ",".join(f'"k{i}": {i}' for i in range(30_000)) + "}}}",
    ],
    ids=["digits", "depth", "nan", "list", "text", "keys"],
)
def test_a_session_goes_on_after_a_forged_event(address, forged):
    with visiting(address) as visitor:
        visitor.open(FIRST)
        visitor.tell(FIRST, forged)
        assert visitor.errors == []
        assert any("refused" in text for text in visitor.texts)
        visitor.tell(FIRST, event(3, epsilon=0.5))
        assert visitor.errors == []
        assert visitor.data[FIRST]["values"]["epsilon"] == 0.5
        assert not any("refused" in text for text in visitor.texts)


def test_a_refused_event_is_answered_under_its_own_number(address):
    with visiting(address) as visitor:
        visitor.open(FIRST)
        visitor.tell(FIRST, event(7, epsilon="1" * 600_000))
        assert any("refused" in text for text in visitor.texts)
        assert visitor.data[FIRST]["seq"] == 7  # else the browser sends it for ever


@pytest.mark.parametrize("query", ["", "?lesson=2&epsilon=1"])
def test_the_start_page_is_found_under_its_name_too(address, query):
    request = urllib.request.Request(f"{address}/{PAGES[0]}{query}")
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert answer.url == f"{address}/{query}"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_server_that_computes(number, tmp_path):
    port, log = free_port(), tmp_path / "log"
    command = [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}",
               "--server.address=127.0.0.1"]  # fmt: skip
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    with log.open("w") as file:
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=file, stderr=file)
    try:
        address = f"http://127.0.0.1:{port}"
        wait_for(f"{address}/_stcore/health", server)
        with visiting(address) as visitor:
            visitor.open(BUSY)
            assert visitor.data[BUSY]["busy"]
            server.send_signal(number)
            server.wait(5)  # it took 11.7 s; a limit far above what it takes now
    finally:
        server.kill()
        server.wait()
    said = log.read_text().lower()
    assert not [word for word in ("error", "traceback", "exception") if word in said], said
