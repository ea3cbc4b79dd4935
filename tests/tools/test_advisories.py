"""The check for advisories: what a service says, what it does not know, and a service that does not answer."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec

import pytest

from tests.browser.serving import free_port
from tools import advisories

if find_spec("pip_audit") is None:
    pytest.skip("pip-audit is not installed: make .venv/.dev", allow_module_level=True)

WANTED = [("charted", "1.0"), ("charted", "2.0"), ("mapped", "3.1")]
BAD = ("charted", "1.0")


class _Service(BaseHTTPRequestHandler):
    """Answers as OSV does: there is one advisory, about BAD."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        package = asked["package"]["name"], asked["version"]
        affected = {
            "package": {"name": "charted", "ecosystem": "PyPI"},
            "ranges": [
                {"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "1.5"}]},
            ],
        }
        said = {"id": "TEST-2026-1", "summary": "A fault.", "affected": [affected]}
        body = json.dumps({"vulns": [said]} if package == BAD else {}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        """Say nothing."""


@contextmanager
def service():
    with ThreadingHTTPServer(("127.0.0.1", 0), _Service) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1/query"
        server.shutdown()


def asked_at(monkeypatch, tmp_path, *addresses):
    words = ["-s", "osv", "--cache-dir", str(tmp_path), "--timeout", "5", "--osv-url"]
    monkeypatch.setattr(advisories, "SERVICES", tuple((*words, one) for one in addresses))


def test_an_advisory_is_said_with_its_package_and_its_remedy(monkeypatch, tmp_path, capsys):
    with service() as address:
        asked_at(monkeypatch, tmp_path, address)
        assert advisories.main(wanted=WANTED) == 1
    assert capsys.readouterr().out == (
        "charted 1.0: TEST-2026-1, mended in 1.5\nPackages without a published advisory: 2.\n"
    )


def test_packages_without_advisories_are_counted(monkeypatch, tmp_path, capsys):
    with service() as address:
        asked_at(monkeypatch, tmp_path, address)
        assert advisories.main(wanted=WANTED[1:]) == 0
    assert capsys.readouterr().out == "Packages without a published advisory: 2.\n"


def test_a_service_that_does_not_answer_is_no_all_clear(monkeypatch, tmp_path, capsys):
    nowhere = f"http://127.0.0.1:{free_port()}/v1/query"
    asked_at(monkeypatch, tmp_path, nowhere)
    assert advisories.main(wanted=WANTED) == advisories.NOT_ASKED
    said = capsys.readouterr()
    assert said.out == (
        "No service with advisories answers here: nothing is known about the packages of locks/.\n"
    )
    assert not said.err


def test_the_next_service_is_asked_about_what_one_does_not_know(monkeypatch, tmp_path, capsys):
    nowhere = f"http://127.0.0.1:{free_port()}/v1/query"
    with service() as address:
        asked_at(monkeypatch, tmp_path, nowhere, address)
        assert advisories.main(wanted=WANTED) == 1


def test_a_package_that_a_service_lacks_is_named(monkeypatch, capsys):
    """pip-audit says of it that it has no known vulnerabilities, and ends with 0."""
    answers = {("mapped", "3.1"): []}
    monkeypatch.setattr(
        advisories,
        "_answers",
        lambda some, words: {package: answers[package] for package in some if package in answers},
    )
    assert advisories.main(wanted=WANTED[1:]) == advisories.NOT_ASKED
    assert capsys.readouterr().out == (
        "No service answers about: charted 2.0.\nPackages without a published advisory: 1.\n"
    )


def test_all_packages_of_the_locks_are_asked_about():
    found = advisories.packages()
    assert {"streamlit", "torch", "pytest", "nvidia-cublas"} <= {name for name, _ in found}
    assert not [version for _, version in found if "+" in version]
