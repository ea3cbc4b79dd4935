"""Which tests workers are given first: what takes longest, so that none waits for another at the end."""

from __future__ import annotations

from typing import Any

__all__ = ["place", "scheduler", "unit"]

DEAREST = (
    "tests/browser/test_all_readers.py",
    "tests/browser/relevance/",
    "tests/browser/test_doors.py",
    "tests/browser/test_firefox.py",
    "tests/browser/kahm/",
    "tests/browser/regression/",
    "tests/browser/choose/",
    "tests/browser/test_live.py",
    "tests/browser/test_departures.py",
    "tests/browser/autoencoder/",
    "tests/browser/matrix/",
    "tests/browser/test_news.py",
    "tests/browser/test_faults.py",
    "tests/browser/budget/",
    "tests/test_wheel.py",
    "tests/pages/test_deep_links.py",
    "tests/dpcore/autoencoder/",
    "tests/dpcore/audit/test_short_audit.py",
    "tests/pages/test_deleted_page.py",
    "tests/pages/home/",
    "tests/pages/test_pages.py",
    "tests/test_lecturers_guide.py",
    "tests/pages/choose/",
    "tests/pages/regression/",
    "tests/dpcore/experiments/test_autoencoder.py",
    "tests/dpcore/experiments/test_table1.py",
    "tests/pages/test_prepared.py",
    "tests/pages/test_out_of_range.py",
    "tests/pages/test_programs.py",
    "tests/ui/server/test_application.py",
    "tests/pages/test_own_wizard.py",
    "tests/dpcore/audit/test_run.py",
    "tests/test_layers.py",
)
"""Files, and folders whose tests share what is dear to make, so that one worker has them all; the dearest first."""


def place(name: str) -> int:
    """Return the place of a test, by its name, among those that take longest; the others come behind."""
    return next((k for k, start in enumerate(DEAREST) if name.startswith(start)), len(DEAREST))


def unit(name: str) -> str:
    """Return what goes to one worker as a whole: the folder above or the file of a test."""
    found = DEAREST[place(name)] if place(name) < len(DEAREST) else ""
    return found if found.endswith("/") else name.partition("::")[0]


def scheduler(config: Any, log: Any) -> Any:
    """Return what gives the units to xdist's workers in the order in which they were collected, if files go whole."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class DearFirst(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return unit(nodeid)

    config.option.loadscopereorder = False
    return DearFirst(config, log)
