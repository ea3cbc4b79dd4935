"""Fixtures and hooks for all tests, such as the folder of the larger data files."""

import gc
import os
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
# Results of other runs are not found: what a test asks for is computed, or prepared by the test itself.
_CACHE = tempfile.TemporaryDirectory(prefix="dpcore-tests-")
os.environ.setdefault("DPCORE_CACHE", _CACHE.name)
_MAIN = sys.modules["__main__"]
collect_ignore = ["example_page"]  # a page for a copy of the project: here it is not registered


def pytest_itemcollected(item):
    if item.get_closest_marker("browser") and "tests/browser/" not in item.path.as_posix():
        raise pytest.UsageError(f"{item.nodeid}: `make test` looks for journeys in tests/browser")


def pytest_collection_modifyitems(config, items):
    """Leave out the tests marked "thorough", unless all are requested as by `make audit`."""
    if os.environ.get("DPCORE_FUZZ") != "full":
        long = [item for item in items if item.get_closest_marker("thorough")]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]


def pytest_collection_finish():
    """Exclude the objects that imports have created from garbage collection, since they exist until the end."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish():
    """Stop the background jobs of pages that tests have opened, as a server does when it ends."""
    if jobs := sys.modules.get("ui.jobs.pool"):
        jobs.stop_all()


@pytest.fixture(scope="session")
def data_dir():
    found = Path(os.environ.get("DPCORE_DATA", ROOT.parent / "shared" / "data"))
    if not (found / "segment.npz").exists():
        pytest.skip("no data folder: set DPCORE_DATA to one with segment.npz, har.npz, mnist.npz")
    return found


@pytest.fixture(autouse=True)
def own_main():
    """Restore ``sys.modules["__main__"]`` before and after each test.

    AppTest replaces this entry by its script, but spawned processes look there for the program to import.
    """
    sys.modules["__main__"] = _MAIN
    yield
    sys.modules["__main__"] = _MAIN
