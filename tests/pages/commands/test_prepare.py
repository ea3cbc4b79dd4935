"""``python -m pages prepare``: goes on where it was, says how far it is, ends when it is told to."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pages.commands import prepare as command
from tests.pages.commands import prepared_work
from tests.pages.commands.prepared_work import prepare

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("DPCORE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("MADE", str(tmp_path / "made"))
    monkeypatch.chdir(ROOT)
    return tmp_path


def made(place):
    return (place / "made").read_text().split("\n")[:-1] if (place / "made").exists() else []


def test_what_is_there_is_skipped(place, capsys):
    assert prepare("--only", "page 1", "page 2") == 0
    assert made(place) == ["page 1", "page 2"]
    assert prepare() == 0
    assert sorted(made(place)) == ["page 0", "page 1", "page 2", "page 3"]
    said = capsys.readouterr().out
    assert "2 of 4 are there." in said
    assert "2/2  0:00 left" in said
    assert prepare() == 0
    assert "4 of 4 are there." in capsys.readouterr().out


def test_a_list_computes_nothing(place, capsys):
    prepare("--only", "page 3")
    capsys.readouterr()
    assert prepare("--list") == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "missing  page 0"
    assert said[3] == "there    page 3"
    assert "1 of 4 there" in said[-1]
    assert made(place) == ["page 3"]


def test_several_processes_do_the_same(place):
    assert prepare("--jobs", "2") == 0
    assert sorted(made(place)) == [task.name for task in prepared_work.work()]
    assert all(task.is_there() for task in prepared_work.work())


def test_what_goes_wrong_is_said_and_the_rest_is_made(place, capsys, monkeypatch):
    monkeypatch.setenv("BROKEN", "page 1")
    assert prepare() == 1
    assert [task.is_there() for task in prepared_work.work()] == [True, False, True, True]
    said = capsys.readouterr().err
    assert "it went wrong." in said
    assert "1 could not be prepared" in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--jobs", "0"], "--jobs 0: give a number of processes from 1 on."),
        (["--only", "nobody"], "--only nobody: no such work; --list says what there is."),
    ],
)
def test_what_cannot_begin_is_refused_with_a_sentence(words, sentence, capsys):
    assert prepare(*words) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert "Traceback" not in said


def test_a_folder_that_cannot_be_written_to_is_refused(place, monkeypatch, capsys):
    (place / "in the way").write_text("")
    monkeypatch.setenv("DPCORE_CACHE", str(place / "in the way"))
    assert prepare() == 2
    assert "set DPCORE_CACHE to one that can" in capsys.readouterr().err


def test_a_second_process_leaves_it_to_the_first(place, capsys):
    with command._alone() as free:
        assert free
        assert prepare() == 0
    assert "Another process" in capsys.readouterr().out
    assert made(place) == []


def started(heard=signal.SIG_DFL, **more):
    command = [sys.executable, "-m", prepared_work.__name__, *more.pop("words", ())]
    return subprocess.Popen(
        command, cwd=ROOT, env=os.environ | more, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        # Tests that run behind a shell are started with this signal ignored, and hand that on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, heard),
    )  # fmt: skip


def until_the_third(run):
    for line in run.stdout:
        if "page 1" in line:
            return


def test_it_can_be_stopped_and_goes_on(place):
    with started(SLOW="page 2") as run:
        until_the_third(run)
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=60)
    assert run.returncode == 130
    assert said == "Stopped. What is done stays; started again, it goes on.\n"
    assert prepare() == 0
    assert [name for name in made(place) if name != "page 2"] == ["page 0", "page 1", "page 3"]


def test_behind_the_app_it_ends_when_the_app_does(place):
    # Also where the app itself was started behind a shell, which ignores the signal.
    with started(heard=signal.SIG_IGN, SLOW="page 2", words=["--background"]) as run:
        until_the_third(run)
        run.stdin.close()  # as the end of the process that holds it does, however it ends
        assert run.wait(timeout=60) == 130
    assert [task.is_there() for task in prepared_work.work()] == [True, True, False, False]
