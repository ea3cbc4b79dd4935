"""Where the larger data files are, when they are there at all; what all tests share."""

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
    """Leave out what takes very long, unless everything is asked for as `make audit` does."""
    if os.environ.get("DPCORE_FUZZ") != "full":
        long = [item for item in items if item.get_closest_marker("thorough")]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]


def pytest_collection_finish():
    """What the imports made stays to the end: the collector need not look at it again and again."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish():
    """What still runs behind pages that tests have opened stops, as it does when a server ends."""
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
    """AppTest leaves its script in the place of this program, where processes that are spawned look for it.

    Before a test, too: a fixture of a whole module that runs a page comes first.
    """
    sys.modules["__main__"] = _MAIN
    yield
    sys.modules["__main__"] = _MAIN
