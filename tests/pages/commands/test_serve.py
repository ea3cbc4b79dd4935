"""The command that serves the pages: what cannot begin is a sentence and exit code 2."""

import argparse
import os
import socket

import pytest

from dpcore.journal import Refused
from pages import __main__ as program
from pages.commands import serve


@pytest.fixture
def taken():
    """A port on which this test listens."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening.getsockname()[1]


def test_a_free_port_is_taken_and_the_next_one_when_the_usual_is_not_free(monkeypatch, taken):
    monkeypatch.setattr(serve, "_PORT", taken)
    found = serve.choose_port("localhost", None)
    assert taken < found < taken + serve._PORTS
    assert serve.choose_port("127.0.0.1", found) == found
    monkeypatch.setattr(serve, "_PORTS", 1)
    with pytest.raises(Refused, match=rf"from {taken} to {taken} are taken"):
        serve.choose_port("localhost", None)


@pytest.mark.parametrize("port", [0, -1, 65_536])
def test_a_port_out_of_range_is_refused(port, capsys):
    assert program.main(["serve", "--port", str(port)]) == 2
    assert f"--port {port}: give a number from 1 to 65535." in capsys.readouterr().err


def test_a_taken_port_is_refused_with_a_sentence(taken, capsys):
    assert program.main(["--port", str(taken)], prog="dp-explorer") == 2
    said = capsys.readouterr().err
    assert said == f"dp-explorer: --port {taken}: this port is taken; give another, or none.\n"


def test_an_address_of_another_computer_is_refused(capsys):
    assert program.main(["serve", "--host", "203.0.113.7"]) == 2  # reserved for documents
    assert "--host 203.0.113.7: no address of this computer" in capsys.readouterr().err


@pytest.mark.parametrize("place", ["nowhere", "file"])
def test_a_folder_of_data_that_cannot_be_read_is_refused(tmp_path, monkeypatch, capsys, place):
    monkeypatch.setattr(os, "environ", os.environ.copy())
    (tmp_path / "file").write_text("")
    assert program.main(["serve", "--data", str(tmp_path / place)]) == 2
    assert f"--data {tmp_path / place}: this folder cannot be read" in capsys.readouterr().err


def test_a_wrong_setting_is_said_before_anything_is_served(monkeypatch, capsys):
    environment = {**os.environ, "DPCORE_FRAME_ANCESTORS": "javascript:x"}
    monkeypatch.setattr(os, "environ", environment)
    monkeypatch.setattr(serve, "_serve", lambda *place: pytest.fail("it was served"))
    assert program.main([]) == 2
    assert "DPCORE_FRAME_ANCESTORS has 'javascript:x'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ([], "serve"), (["--no-browser"], "serve"), (["prepare", "--list"], "prepare"),
        (["serve", "--port", "9"], "serve"),
    ],
)  # fmt: skip
def test_without_a_command_the_pages_are_served(monkeypatch, words, command):
    run: list[argparse.Namespace] = []
    monkeypatch.setattr(serve, "run", lambda args: run.append(args) or 7)
    prepared = lambda args, work: run.append(args) or 7  # noqa: E731
    monkeypatch.setattr(program.prepare, "run", prepared)
    assert program.main(words) == 7
    assert run[0].command == command


def test_an_interrupt_is_a_sentence_and_130(monkeypatch, capsys):
    def interrupted(args):
        raise KeyboardInterrupt

    monkeypatch.setattr(serve, "run", interrupted)
    program.interrupt.say_stopped.cache_clear()
    assert program.main([]) == 130
    assert capsys.readouterr().err == "Stopped.\n"


def test_the_address_is_one_that_this_computer_can_open():
    assert serve.address("0.0.0.0", 8501) == "http://localhost:8501"
    assert serve.address("::1", 8501) == "http://[::1]:8501"
    assert serve.address("127.0.0.1", 80) == "http://127.0.0.1:80"


def test_settings_of_the_environment_stay_and_shipped_results_are_used_where_there_are_some(
    tmp_path, monkeypatch
):
    assert "DPCORE_PREPARED" not in serve.options()
    (tmp_path / "prepared").mkdir()
    monkeypatch.setattr(serve, "_ROOT", tmp_path)
    assert serve.options()["DPCORE_PREPARED"] == str(tmp_path / "prepared")
    environment = {**os.environ, "DPCORE_PREPARE": "0"}
    monkeypatch.setattr(os, "environ", environment)
    monkeypatch.setattr(serve, "_check_settings", lambda: None)
    monkeypatch.setattr(serve, "_announce", lambda *told: None)
    monkeypatch.setattr(serve, "_serve", lambda host, port: 0)
    assert program.main(["--data", str(tmp_path)]) == 0
    assert environment["DPCORE_PREPARE"] == "0"
    assert environment["DPCORE_AHEAD"] == "1"
    assert environment["DPCORE_DATA"] == str(tmp_path)


@pytest.mark.parametrize(
    ("platform", "shown", "opens"),
    [("linux", {}, False), ("linux", {"DISPLAY": ":0"}, True), ("darwin", {}, True), ("win32", {}, True)],
)  # fmt: skip
def test_a_browser_is_opened_where_there_is_a_screen(monkeypatch, platform, shown, opens, capsys):
    opened: list[str] = []
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    for name, value in shown.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(serve.sys, "platform", platform)
    monkeypatch.setattr(serve, "_answers", lambda url: True)
    monkeypatch.setattr(serve.webbrowser, "open", opened.append)
    serve._announce("http://localhost:1", True)
    assert opened == (["http://localhost:1"] if opens else [])
    assert "http://localhost:1 (Ctrl-C ends it)" in capsys.readouterr().out
    serve._announce("http://localhost:1", False)
    assert len(opened) == opens
