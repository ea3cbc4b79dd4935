"""Work in a process of its own: the same values, its errors here, stopped when nobody wants it."""

import os
import time

import pytest

from dpcore import _apart
from dpcore._apart import apart


def numbers(n, *, progress, check=None):
    """What is done apart: the number of the process first."""
    yield os.getpid()
    for k in range(n):
        progress((k + 1) / n, f"{k + 1} of {n}")
        yield k


def wrong(*, progress, check=None):
    yield 1
    raise ValueError("ε has to be positive.")


def for_ever(*, progress, check=None):
    yield os.getpid()
    time.sleep(600)


def gone(*, progress, check=None):
    yield 1
    os._exit(3)


@pytest.fixture(autouse=True)
def _ended():
    yield
    while _apart._resting:
        _apart._resting.pop().end()


def test_values_and_progress_come_from_another_process_which_works_again():
    told = []
    first, *rest = apart(numbers, 3, progress=lambda part, text: told.append(text))
    assert first != os.getpid()
    assert rest == [0, 1, 2]
    assert told == ["1 of 3", "2 of 3", "3 of 3"]
    assert next(iter(list(apart(numbers, 0)))) == first


def test_an_error_is_raised_here_and_the_process_goes_on():
    found = apart(wrong)
    assert next(found) == 1
    with pytest.raises(ValueError, match="ε has to be positive"):
        next(found)
    assert len(_apart._resting) == 1


def test_what_nobody_wants_is_stopped_at_once():
    class Stopped(Exception):
        pass

    wanted = [True]

    def check():
        if not wanted:
            raise Stopped

    found = apart(for_ever, check=check)
    process = next(found)
    wanted.clear()
    with pytest.raises(Stopped):
        next(found)
    assert not os.path.exists(f"/proc/{process}")
    found = apart(for_ever)
    process = next(found)
    found.close()  # a job that is cut short
    assert not os.path.exists(f"/proc/{process}")
    assert _apart._resting == []


def test_a_process_that_dies_is_said():
    found = apart(gone)
    assert next(found) == 1
    with pytest.raises(RuntimeError, match="has ended"):
        next(found)


def test_a_process_that_rests_too_long_ends():
    (process,) = apart(numbers, 0)
    (resting,) = _apart._resting
    _apart._retire(resting)
    assert _apart._resting == []
    assert not os.path.exists(f"/proc/{process}")
