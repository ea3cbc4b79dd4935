"""Write the locks: every package that is installed, with its version and the hashes of its files.

``make lock`` runs it after a change of a ``requirements*.txt``. uv resolves them for Linux,
macOS and Windows and every supported Python; a lock names no index. torch has two builds for Linux, and each has a
lock of its own: the CPU build, whose files are not on PyPI, and PyPI's build with the CUDA libraries that it loads.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

__all__ = ["LOCKS", "ROOT", "Pin", "main", "of_cuda", "parse", "pins", "release_tools"]

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ROOT / "locks"
_HEAD = "# {what}\n# Written by `make lock`: every package with its version and the hashes of its files.\n"
_PIN = re.compile(r"^([A-Za-z0-9][\w.-]*)==([^\s;\\]+)(?: ; ([^\\]+?))? \\$")
_HASH = re.compile(r"^    --hash=(sha256:[0-9a-f]{64})")
_CUDA = re.compile(r"(nvidia|cuda)-.+|triton")
_LINUX, _ELSEWHERE = "sys_platform == 'linux'", "sys_platform != 'linux'"


@dataclass(frozen=True, kw_only=True)
class Pin:
    """One package of a lock: name, version, the machines that it is for, and hashes of its files."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]
    via: str = ""

    def __str__(self) -> str:
        """Return the lines of the lock."""
        head = f"{self.name}=={self.version}" + (f" ; {self.marker}" if self.marker else "")
        lines = [head, *(f"    --hash={text}" for text in self.hashes)]
        return " \\\n".join(lines) + "\n" + (f"    {self.via}\n" if self.via else "")


def parse(text: str) -> list[Pin]:
    """Return the packages of a lock, in its order.

    Raises
    ------
    ValueError
        When a line is neither a pinned package, nor a hash of it, nor a comment.
    """
    lines = "\n".join(line for line in text.splitlines() if line and not line.startswith("#"))
    return [_pin(entry) for entry in re.split(r"\n(?! )", lines) if entry]


def _pin(entry: str) -> Pin:
    first, *lines = entry.split("\n")
    head = _PIN.match(first)
    if head is None:
        raise ValueError(f"{first!r} is no package with version and hashes, like 'a==1.0 \\'.")
    comments = [line.strip() for line in lines if line.startswith("    #")]
    found = [_HASH.match(line) for line in lines[: len(lines) - len(comments)]]
    if not all(found):
        raise ValueError(f"The entry of {head[1]} has a line that is no hash.")
    hashes = tuple(match[1] for match in found if match)
    name, version, marker = head.groups()
    return Pin(
        name=name, version=version, marker=marker or "", hashes=hashes, via=" ".join(comments)
    )


def pins() -> list[Pin]:
    """Return the packages of all locks."""
    return [pin for path in sorted(LOCKS.glob("*.txt")) for pin in parse(path.read_text("utf-8"))]


def of_cuda(name: str) -> bool:
    """Return whether a package holds libraries for graphics cards, which the CPU build of torch does without."""
    return _CUDA.fullmatch(name) is not None


def _oldest_python() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return str(project["requires-python"]).removeprefix(">=")


def _compiled(*words: str, given: str = "") -> list[Pin]:
    """Return what uv resolves; the packages of folders at hand are left out, since others do not have them."""
    command = [
        "sh", "tools/uv.sh", sys.prefix, "pip", "compile", "-q", "--universal",
        "--python-version", _oldest_python(),
        "--generate-hashes", "--no-header", "--annotation-style", "line", *words,
    ]  # fmt: skip
    environment = {**os.environ, "UV_FIND_LINKS": ""}
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        input=given,
        stdout=subprocess.PIPE,
        text=True,
    )
    if done.returncode:
        sys.exit(
            "uv finds no versions: its lines above say why. What it found before stands in locks/."
        )
    return parse(done.stdout)


def _cpu_build(version: str) -> Pin:
    """Return the CPU build of torch for Linux: as the lock has it, or from PyTorch's index for another version."""
    path = LOCKS / "torch-cpu.txt"
    for pin in parse(path.read_text("utf-8")) if path.exists() else []:
        if pin.version == f"{version}+cpu":
            return pin
    (pin,) = _compiled("--torch-backend", "cpu", "--no-deps", "-", given=f"torch=={version}+cpu")
    return replace(pin, marker=_LINUX, via="")


def _write(name: str, what: str, found: Iterable[Pin]) -> None:
    text = _HEAD.format(what=what) + "".join(str(pin) for pin in found)
    (LOCKS / name).write_text(text, "utf-8")


def release_tools() -> list[Pin]:
    """Return what checks a release, in the versions of the other locks where they have it."""
    return _compiled("requirements-release.txt", "-c", "locks/app.txt", "-c", "locks/dev.txt")


def main() -> int:
    """Write the five locks."""
    app = _compiled("requirements.txt", "--prerelease", "explicit")
    (torch,) = (pin for pin in app if pin.name == "torch")
    cpu = _cpu_build(torch.version)
    cuda = [pin for pin in app if of_cuda(pin.name)]
    elsewhere = replace(torch, marker=_ELSEWHERE)
    app = [elsewhere if pin is torch else pin for pin in app if pin not in cuda]
    _write("app.txt", "What the app needs; on Linux torch has a lock of its own.", app)
    _write("torch-cpu.txt", "The build of torch for Linux without graphics cards.", [cpu])
    _write(
        "torch-cuda.txt",
        "PyPI's build of torch for Linux, with libraries for graphics cards.",
        [*cuda, replace(torch, marker=_LINUX, via="")],
    )
    everything = _compiled(
        "requirements-dev.txt", "--prerelease", "if-necessary", "-c", "locks/app.txt"
    )
    known = {(pin.name, pin.version, pin.marker) for pin in app}
    more = [
        pin
        for pin in everything
        if (pin.name, pin.version, pin.marker) not in known
        and not (pin.name == "torch" or of_cuda(pin.name))
    ]
    _write("dev.txt", "What developers need besides.", more)
    _write("release.txt", "What checks a release, in an environment of its own.", release_tools())
    return 0


if __name__ == "__main__":
    sys.exit(main())
