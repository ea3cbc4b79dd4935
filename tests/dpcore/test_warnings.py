"""Warnings that a caller does without: left out in one thread, whatever other threads listen to."""

import threading
import warnings
from pathlib import Path

import pytest

import dpcore
from dpcore._random_state import SeededNoiseWarning, warn_if_seeded
from dpcore._warnings import unwarned, warn
from dpcore.audit.plan import Chunk
from dpcore.audit.run import chunk_scores
from dpcore.audit.worlds import Worlds

PACKAGE = Path(dpcore.__file__).parent


def test_what_is_unwanted_is_left_out_and_nothing_else():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with unwarned(SeededNoiseWarning):
            warn_if_seeded(0)
            with unwarned(DeprecationWarning):
                warn("old", DeprecationWarning, stacklevel=1)
                warn_if_seeded(0)
            with pytest.raises(DeprecationWarning):
                warn("old", DeprecationWarning, stacklevel=1)
        with pytest.raises(SeededNoiseWarning):
            warn_if_seeded(0)


def test_the_caller_is_named_as_by_the_standard_library():
    with pytest.warns(UserWarning, match="here") as found:
        warn("here", UserWarning, stacklevel=1)
    assert found[0].filename == __file__


def test_an_audit_that_ends_in_a_thread_takes_no_warning_from_another():
    """`warnings.catch_warnings` would: leaving it restores the hook it found, and nobody hears more."""
    running, listening = threading.Event(), threading.Event()

    def release(canary, rng):
        running.set()
        assert listening.wait(30)
        return 0.0

    worlds = Worlds(name="waits", neighbours="", canary="", score="", claim=lambda: None,
                    release=release, threshold=0.0)  # fmt: skip
    chunk = Chunk(name="waits", use="count", canary=True, part=0, size=1)
    audit = threading.Thread(target=chunk_scores, args=(worlds, chunk, 0))
    audit.start()
    assert running.wait(30)

    def heard():
        listening.set()
        audit.join(30)
        warn_if_seeded(0)

    with pytest.warns(SeededNoiseWarning):
        heard()


def test_no_code_that_a_thread_may_run_changes_the_filters_of_all():
    changing = [
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if any(word in path.read_text() for word in ("catch_warnings(", "simplefilter(", "filterwarnings("))
    ]  # fmt: skip
    assert changing == []
