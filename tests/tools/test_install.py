"""tools/install.sh gives uv the locks that TORCH asks for. Stand-ins of uv and pip say what they were given."""

import os
import subprocess

import pytest

from tools.lock import LOCKS, ROOT, parse

UV = """#!/bin/sh
for word in "$@"; do [ ! -f "$word" ] || case "$word" in *.txt) cat "$word" >> "$SAID" ;; esac; done
"""


@pytest.fixture
def install(tmp_path):
    (tmp_path / "bin").mkdir()
    for name, text in (("uv", UV), ("pip", "#!/bin/sh\n")):
        (tmp_path / "bin" / name).write_text(text, "utf-8")
        (tmp_path / "bin" / name).chmod(0o755)
    said = tmp_path / "said.txt"

    def run(torch):
        said.write_text("", "utf-8")
        done = subprocess.run(
            ["sh", "tools/install.sh", str(tmp_path)],
            cwd=ROOT, env={**os.environ, "TORCH": torch, "SAID": str(said)}, capture_output=True, text=True,
        )  # fmt: skip
        return done, {(pin.name, pin.version) for pin in parse(said.read_text("utf-8"))}

    return run


def locked(name):
    return {(pin.name, pin.version) for pin in parse((LOCKS / name).read_text("utf-8"))}


@pytest.mark.parametrize("torch", ["cpu", "cuda"])
def test_a_build_of_torch_comes_with_what_the_app_needs(install, torch):
    done, found = install(torch)
    assert done.returncode == 0
    assert found == locked("app.txt") | locked(f"torch-{torch}.txt")


def test_without_torch_all_else_comes(install):
    done, found = install("none")
    assert done.returncode == 0
    assert locked("app.txt") - found == {pin for pin in locked("app.txt") if pin[0] == "torch"}
    assert len(locked("app.txt") - found) == 1


def test_another_build_is_refused_with_those_that_exist(install):
    done, found = install("rocm")
    assert (done.returncode, found) == (2, set())
    assert done.stderr == "TORCH=rocm: give cpu, cuda or none.\n"
