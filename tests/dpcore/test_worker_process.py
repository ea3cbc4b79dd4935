"""Work in a process of its own: the same values, its errors here, stopped when nobody wants it."""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from dpcore import _worker_process
from dpcore._worker_process import in_worker_process


def numbers(n, *, progress, check=None):
    """Yield the number of the process, then n numbers."""
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


def large(*, progress, check=None):
    """Print among the values, whose bytes are more than a pipe holds."""
    for k in range(3):
        print("a library says something", flush=True)
        os.write(1, b"and a compiled one too\n")
        yield np.full(10**6, k)


PARENT = """
from dpcore._worker_process import in_worker_process
from tests.dpcore.test_worker_process import for_ever
for process in in_worker_process(for_ever):
    print(process, flush=True)
"""


@pytest.fixture(autouse=True)
def _ended():
    yield
    while _worker_process._resting:
        _worker_process._resting.pop().end()


def test_values_and_progress_come_from_another_process_which_works_again():
    told = []
    first, *rest = in_worker_process(numbers, 3, progress=lambda part, text: told.append(text))
    assert first != os.getpid()
    assert rest == [0, 1, 2]
    assert told == ["1 of 3", "2 of 3", "3 of 3"]
    assert next(iter(list(in_worker_process(numbers, 0)))) == first


def test_an_error_is_raised_here_and_the_process_goes_on():
    found = in_worker_process(wrong)
    assert next(found) == 1
    with pytest.raises(ValueError, match="ε has to be positive"):
        next(found)
    assert len(_worker_process._resting) == 1


def test_what_nobody_wants_is_stopped_at_once():
    class Stopped(Exception):
        pass

    wanted = [True]

    def check():
        if not wanted:
            raise Stopped

    found = in_worker_process(for_ever, check=check)
    process = next(found)
    wanted.clear()
    with pytest.raises(Stopped):
        next(found)
    assert not os.path.exists(f"/proc/{process}")
    found = in_worker_process(for_ever)
    process = next(found)
    found.close()  # a job that is cut short
    assert not os.path.exists(f"/proc/{process}")
    assert _worker_process._resting == []


def test_a_process_that_dies_is_said():
    found = in_worker_process(gone)
    assert next(found) == 1
    with pytest.raises(RuntimeError, match="has ended"):
        next(found)


def test_values_larger_than_a_pipe_come_whole_and_prints_do_not_disturb():
    sums = [int(value.sum()) for value in in_worker_process(large)]
    assert sums == [0, 10**6, 2 * 10**6]


def test_a_process_that_died_while_it_rested_is_replaced():
    (first,) = in_worker_process(numbers, 0)
    (resting,) = _worker_process._resting
    resting._process.kill()
    resting._process.wait()
    (second,) = in_worker_process(numbers, 0)
    assert second != first


def test_the_process_ends_in_the_middle_of_its_work_when_its_parent_is_killed():
    command = [sys.executable, "-c", PARENT]
    root = Path(__file__).resolve().parents[2]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE) as parent:
        process = int(parent.stdout.readline())
        assert os.path.exists(f"/proc/{process}")
        parent.kill()
    until = time.monotonic() + 30
    while os.path.exists(f"/proc/{process}") and time.monotonic() < until:
        time.sleep(0.05)
    assert not os.path.exists(f"/proc/{process}")


def test_a_process_that_rests_too_long_ends():
    (process,) = in_worker_process(numbers, 0)
    (resting,) = _worker_process._resting
    _worker_process._retire(resting)
    assert _worker_process._resting == []
    assert not os.path.exists(f"/proc/{process}")
