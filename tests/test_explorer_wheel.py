"""Both wheels, installed beside each other: everything is inside, commands answer, pages open, Ctrl-C ends it."""

import asyncio
import email
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import urllib.request
import zipfile
from contextlib import contextmanager
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from benchmarks.load.reader import Reader
from pages import __main__ as program
from tests.browser.serving import free_port
from tools.wheels import build

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("", "mechanisms", "queries")
PATIENCE = 120.0

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """The wheels of the library and of the application."""
    files = build(tmp_path_factory.mktemp("wheels"))
    assert sorted(file.name.partition("-")[0] for file in files) == [
        "dp_explorer", "dp_explorer", "dpcore", "dpcore",
    ]  # fmt: skip
    return {file.name.partition("-")[0]: file for file in files if file.suffix == ".whl"}


@pytest.fixture(scope="module")
def installed(wheels, tmp_path_factory):
    """The folder of an environment with both wheels, which borrows what they require."""
    home = tmp_path_factory.mktemp("home")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "--python", home / "bin" / "python",
         "install", "--no-deps", "--no-index", *wheels.values()],
        check=True,
    )  # fmt: skip
    (site,) = (home / "lib").glob("python*/site-packages")
    (site / "required.pth").write_text(sysconfig.get_path("purelib"))
    return home


def known(tmp_path):
    hidden = ("PYTHON", "DPCORE_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    return kept | {
        "DPCORE_CACHE": str(tmp_path / "cache"),
        "NUMBA_CACHE_DIR": str(tmp_path / "numba"),
    }


def run(installed, tmp_path, *words, code=0):
    """Run ``dp-explorer`` in an empty folder; return what it printed."""
    empty = tmp_path / "empty"
    empty.mkdir(exist_ok=True)
    done = subprocess.run(
        [installed / "bin" / "dp-explorer", *words],
        cwd=empty, env=known(tmp_path), capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == code, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout + done.stderr


def facts(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        return email.message_from_bytes(archive.read(name))


def test_it_holds_all_that_the_application_reads(wheels):
    names = set(zipfile.ZipFile(wheels["dp_explorer"]).namelist())
    listed = subprocess.run(
        ["git", "ls-files", "pages", "ui", "assets", "app.py", ".streamlit"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert {f"dp_explorer/{name}" for name in listed.stdout.split()} <= names
    sources = (
        file.read_text("utf-8") for top in ("pages", "ui") for file in (ROOT / top).rglob("*.py")
    )
    read = {name for text in sources for name in re.findall(r'/ "docs" / "([\w.]+)"', text)}
    read.remove("live.md")  # written by a developer's command
    assert len(read) > 3
    assert {f"dp_explorer/docs/{name}" for name in read} <= names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"dp_explorer"}
    assert not [name for name in names if "__pycache__" in name]
    assert len([name for name in names if re.search(r"pages/static/live-\w+/main\.js$", name)]) == 1


def test_it_requires_the_library_of_the_same_version_and_ranges_that_hold_the_pins(wheels):
    app, library = facts(wheels["dp_explorer"]), facts(wheels["dpcore"])
    assert app["Version"] == library["Version"]
    assert app["License-Expression"] == "MIT"
    assert (ROOT / "explorer" / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()
    required = [Requirement(text) for text in app.get_all("Requires-Dist")]
    assert f"dpcore=={library['Version']}" in map(str, required)
    pins = dict(line.split("==") for line in (ROOT / "requirements.txt").read_text().split())
    exact = {
        str(one).partition(";")[0].strip() for one in required if 'extra == "pinned"' in str(one)
    }
    optional = {"torch", "psycopg[binary]"}
    assert exact == {f"{name}=={pin}" for name, pin in pins.items() if name not in optional}
    ranges = [*required, *(Requirement(text) for text in library.get_all("Requires-Dist"))]
    for one in ranges:
        name = one.name + ("[binary]" if one.extras == {"binary"} else "")
        if name in pins:
            assert one.specifier.contains(pins.pop(name)) or "pinned" in str(one.marker), name
    assert not pins


FIGURE = """
import sys, dp_explorer
sys.modules.update({name: None for name in sys.argv[1:]})
try:
    print(type(dp_explorer.figure("mechanisms?epsilon=2")).__name__, dp_explorer.live.Figure.__name__)
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize("lacking", ["anywidget", ""])
def test_its_figures_open_in_a_notebook_or_say_what_to_install(installed, tmp_path, lacking):
    if not lacking:
        pytest.importorskip("anywidget", reason="anywidget is not installed")
    done = subprocess.run(
        [installed / "bin" / "python", "-c", FIGURE, *filter(None, [lacking])],
        cwd=tmp_path, env=known(tmp_path), capture_output=True, text=True, check=True,
    )  # fmt: skip
    said = "pip install 'dp-explorer[notebook]'" if lacking else "LiveWidget Figure"
    assert said in done.stdout


HELPS = """
import contextlib, sys, dp_explorer
for name in sys.argv[1:]:
    with contextlib.suppress(SystemExit):
        dp_explorer.main([name, "--help"])
"""


def test_every_command_says_what_it_does(installed, tmp_path):
    done = subprocess.run(
        [installed / "bin" / "python", "-c", HELPS, *program._COMMANDS],
        cwd=tmp_path, env=known(tmp_path), capture_output=True, text=True, check=True,
    )  # fmt: skip
    for name in program._COMMANDS:
        assert f"usage: dp-explorer {name} " in done.stdout
    assert run(installed, tmp_path, "--version").startswith("DP Explorer 0.")
    said = run(installed, tmp_path, "--data", "/nowhere/at/all", code=2)
    assert said.startswith("dp-explorer: --data /nowhere/at/all: this folder cannot be read")
    shutil.copy(ROOT / "assets" / "exercises" / "value-record.yaml", tmp_path / "empty")
    assert "no faults" in run(installed, tmp_path, "exercises", "check", ".")


async def visited(address, page):
    reader = Reader(address, page)
    await reader.open()
    try:
        assert await reader.until(lambda: reader.script and not reader.running, PATIENCE)
        if page:
            assert await reader.until(lambda: reader.figures.first, PATIENCE)
        return reader.figures.errors
    finally:
        await reader.close()


def opened(address, page):
    """Open a page as a reader, and wait for its figure; return the errors that the reader sees."""
    return asyncio.run(visited(address, page))


@contextmanager
def running(command, tmp_path):
    """Run ``dp-explorer``; yield its address; end it as Ctrl-C does."""
    port = free_port()
    with subprocess.Popen(
        [command, "--port", str(port)],
        cwd=tmp_path, env=known(tmp_path), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        # Tests that run behind a shell are started with this signal ignored, and hand that on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as server:  # fmt: skip
        try:
            line = server.stdout.readline()
            said = rf"DP Explorer 0\.\S+: http://localhost:{port} \(Ctrl-C ends it\)\n"
            assert re.fullmatch(said, line)
            yield f"http://localhost:{port}"
        finally:
            server.send_signal(signal.SIGINT)
            _, said = server.communicate(timeout=PATIENCE)
    assert server.returncode == 130, said
    assert said.count("Stopped.\n") == 1
    assert "Traceback" not in said


def files(folder):
    return {path for path in folder.rglob("*") if "__pycache__" not in path.parts}


def test_pages_open_and_an_interrupt_ends_it(installed, tmp_path):
    (site,) = (installed / "lib").glob("python*/site-packages")
    before = files(site / "dp_explorer")
    with running(installed / "bin" / "dp-explorer", tmp_path) as address:
        for page in PAGES:
            assert opened(address, page) == []
        (script,) = (site / "dp_explorer" / "pages" / "static").glob("live-*/main.js")
        with urllib.request.urlopen(f"{address}/app/static/{script.parent.name}/main.js") as found:
            assert len(found.read()) > 10_000
    assert files(site / "dp_explorer") == before, "its folder may be one that nobody can write to"
