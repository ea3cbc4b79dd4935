"""A table taken apart in another process: the same table, and an end to what would have none."""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from dpcore.datasets import DataError, _parse, read_csv, read_csv_in_subprocess

RAW = 'n;x;k;e;t\n1;1.5;7;;NA\n-2;;b;;yés\n5;inf;"a\n;b";;no\n'.encode()


def test_the_other_process_finds_the_same_table():
    here, there = read_csv(RAW), read_csv_in_subprocess(RAW)
    pd.testing.assert_frame_equal(here.frame, there.frame)
    assert here.numeric == there.numeric


def test_it_tells_how_far_it_is():
    told = []
    read_csv_in_subprocess(b"a,b\n" + b"1,2\n" * 2_000, report=told.append)
    assert told == sorted(told)
    assert told[-1] == 1
    assert len(told) >= 4


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"a,b\n1,2,3\n", "Line 2 has 3 cells"),
        (b'a,b\n1,"2\n', "in line 2 a quote is not closed"),
        (b"a,b\nx,y\n", "no column of numbers"),
        (b"a,b\n\xff,1\n", "not UTF-8"),
    ],
)
def test_what_is_wrong_is_said_in_the_same_words(raw, words):
    for read in (read_csv, read_csv_in_subprocess):
        with pytest.raises(DataError, match=words):
            read(raw)


def test_too_much_memory_ends_with_a_sentence():
    raw = b"a,b\n" + b"".join(b"%d,%d\n" % (i, 10**9 + i) for i in range(99_000))
    with pytest.raises(DataError, match=r"takes more than 24 MB of memory.*random sample"):
        read_csv_in_subprocess(raw, megabytes=24)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGXCPU)", "takes more than 30 s"),
        ("print('{\"memory\": true}')", "takes more than 1024 MB of memory"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", "ended before it was done"),
        ("import os; os._exit(1)", "ended before it was done. Give the file again"),
        ("print('{\"done\": 0.5}')", "ended before it was done"),
        ('print(\'{"rows": 2, "columns": [["a", "int", true, 16]]}\')', "ended before it was done"),
    ],
)
def test_a_process_that_ends_without_an_answer_is_a_sentence(monkeypatch, tmp_path, program, words):
    file = tmp_path / "ends.py"
    file.write_text(program)
    monkeypatch.setattr("dpcore.datasets.csv_subprocess._parse.__file__", str(file))
    for raw in (RAW, b"a,b\n" + b"1,2\n" * 90_000):  # the larger one does not fit into the pipe
        with pytest.raises(DataError, match=words):
            read_csv_in_subprocess(raw)


def test_a_process_that_hangs_is_ended(monkeypatch, tmp_path):
    file = tmp_path / "hangs.py"
    file.write_text("import time\ntime.sleep(600)")
    monkeypatch.setattr("dpcore.datasets.csv_subprocess._parse.__file__", str(file))
    with pytest.raises(DataError, match="takes more than 1 s"):
        read_csv_in_subprocess(RAW, seconds=1)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")
def test_the_limits_are_in_force_in_the_other_process():
    program = (
        "import resource, runpy; found = runpy.run_path('_parse.py'); found['limit'](512, 7);"
        "print(resource.getrlimit(resource.RLIMIT_AS), resource.getrlimit(resource.RLIMIT_CPU))"
    )
    folder = Path(_parse.__file__).parent
    found = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert found.stdout.strip() == f"({512 * 2**20}, {512 * 2**20}) (7, 7)"


def test_the_other_process_needs_the_standard_library_alone():
    program = "import runpy, sys; runpy.run_path('_parse.py'); print('numpy' in sys.modules)"
    found = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program],
        cwd=Path(_parse.__file__).parent, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert found.stdout.strip() == "False"
