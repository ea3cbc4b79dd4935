"""Without torch the app works: what has to be trained with it says so and how to install it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dpcore import __main__ as library
from dpcore._command import Command
from dpcore._torch import need_torch
from pages import __main__ as application
from pages.commands import handout

ROOT = Path(__file__).resolve().parent.parent

# Python imports it at its start, in worker processes too.
SITE = """
import sys
from importlib.machinery import PathFinder

class WithoutTorch(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name == "torch" else super().find_spec(name, path, target)

sys.meta_path[sys.meta_path.index(PathFinder)] = WithoutTorch
"""
PROGRAM = """
from tests.pages.visits import app, data, until

found = app("network", clip_norm="2")  # nothing is stored for it
assert not found.exception
until(found, lambda: found.warning)
print("network", [item.value for item in found.warning])
for page in ("network", "autoencoder", "mechanisms"):
    found = app(page)
    assert not found.exception
    print(page, len(data(found)["panels"]) > 0, [item.value for item in found.warning])
"""


@pytest.mark.slow
def test_the_page_that_trains_a_network_says_what_to_install_and_others_work(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(SITE, "utf-8")
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    network, *others = run.stdout.splitlines()
    assert "This computation needs torch, which cannot be loaded here." in network
    assert "pip install torch" in network
    assert others == [f"{page} True []" for page in ("network", "autoencoder", "mechanisms")]


def _needs_torch(args):
    with pytest.MonkeyPatch.context() as without:
        without.setitem(sys.modules, "torch", None)
        need_torch()


def test_a_command_that_needs_it_says_so(monkeypatch, capsys):
    command = Command(lambda parser: parser.add_argument("--out"), _needs_torch)
    monkeypatch.setattr(library, "_command", lambda name: command)
    monkeypatch.setattr(library, "_check", lambda args: None)
    monkeypatch.setattr(handout, "run", _needs_torch)
    commands = (library.main, ["verdicts", "--out", "x.json"]), (application.main, ["handout", "x"])
    for main, words in commands:
        assert main(words) == 2
        assert "This computation needs torch" in capsys.readouterr().err
