"""The disk cache: whole files or none, results of other code never, no trouble from the disk."""

import errno
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import dpcore
from dpcore import _platform, disk_cache

VALUE = {"curve": np.arange(300.0), "names": ("a", "b")}


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("DPCORE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def file():
    found = disk_cache.result_file("x", 1, code="this")
    assert disk_cache.write(found, VALUE)
    return found


def is_the_value(found):
    return found["names"] == VALUE["names"] and (found["curve"] == VALUE["curve"]).all()


def test_what_was_written_is_read(file, place):
    assert is_the_value(disk_cache.read(file))
    assert place in file.parents
    assert disk_cache.read(disk_cache.result_file("x", 2, code="this")) is None
    assert disk_cache.read(disk_cache.result_file("y", 1, code="this")) is None
    assert not list(place.rglob("*.part"))


@pytest.mark.parametrize("at", np.linspace(0, 1, 23))
def test_a_file_cut_short_or_with_a_flipped_bit_is_none(file, at):
    whole = file.read_bytes()
    k = int(at * (len(whole) - 1))
    file.write_bytes(whole[:k])
    assert disk_cache.read(file) is None
    flipped = bytearray(whole)
    flipped[k] ^= 16
    file.write_bytes(flipped)
    found = disk_cache.read(file)  # some bytes of a zip, such as a date, mean nothing
    assert found is None or is_the_value(found)


@pytest.mark.parametrize("content", [b"", b"PK", b"\x80\x04N.", b"\x93NUMPY", b"hello" * 99])
def test_foreign_content_is_none_and_replaced(file, content):
    file.write_bytes(content)
    assert disk_cache.read(file) is None
    assert disk_cache.write(file, VALUE)
    assert is_the_value(disk_cache.read(file))


def test_an_array_exchanged_under_the_old_checksum_is_none(file):
    arrays = disk_cache.read_arrays(file)
    with np.load(file) as found:
        np.savez(file, **{**found, "body": arrays["body"][::-1]})
    assert disk_cache.read(file) is None


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EDQUOT])
def test_a_full_or_closed_disk_costs_nothing_but_the_file(place, monkeypatch, number):
    def refuse(*args, **options):
        raise OSError(number, os.strerror(number))

    for name in ("savez_compressed", "savez"):
        monkeypatch.setattr(np, name, refuse)
    file = disk_cache.result_file("x", 1, code="this")
    assert not disk_cache.write(file, VALUE)
    assert disk_cache.read(file) is None
    assert not [path for path in place.rglob("*") if path.is_file()], "nothing is left behind"


def test_a_folder_that_cannot_be_made_is_no_trouble(tmp_path, monkeypatch):
    (tmp_path / "in the way").write_text("")
    monkeypatch.setenv("DPCORE_CACHE", str(tmp_path / "in the way"))
    file = disk_cache.result_file("x", 1, code="this")
    assert not disk_cache.write(file, VALUE)
    assert disk_cache.read(file) is None
    assert disk_cache.tidy() == 0


def test_other_code_is_another_file(file):
    assert disk_cache.result_file("x", 1, code="that") != file
    assert disk_cache.result_file("x", 1, code="this") == file


def test_results_that_came_with_the_app_are_found_and_never_written_to(tmp_path, monkeypatch, file):
    monkeypatch.setenv("DPCORE_PREPARED", str(disk_cache.folder()))
    monkeypatch.setenv("DPCORE_CACHE", str(tmp_path / "other"))
    found = disk_cache.result_file("x", 1, code="this")
    assert found == file
    assert disk_cache.is_whole(file.name)
    assert disk_cache.writable(found).is_relative_to(tmp_path / "other")


@pytest.fixture
def elsewhere(monkeypatch):
    """Make this process one with other versions of libraries."""

    def change():
        monkeypatch.setattr(_platform, "_version", lambda library: "another")
        _platform.platform_digest.cache_clear()

    yield change
    monkeypatch.undo()
    _platform.platform_digest.cache_clear()


def test_other_libraries_use_shipped_results_but_no_stored_ones(
    tmp_path, monkeypatch, file, elsewhere
):
    elsewhere()
    other = disk_cache.result_file("x", 1, code="this")
    assert other != file
    assert disk_cache.read(other) is None
    assert not disk_cache.is_whole(file.name)
    monkeypatch.setenv("DPCORE_PREPARED", str(disk_cache.folder()))
    monkeypatch.setenv("DPCORE_CACHE", str(tmp_path / "other"))
    assert disk_cache.result_file("x", 1, code="this") == file
    assert disk_cache.is_whole(file.name)
    ours = disk_cache.places()[0].name
    (file.parents[1] / ours).mkdir()
    shutil.copy(file, file.parents[1] / ours)
    assert disk_cache.result_file("x", 1, code="this").parent.name == ours, "its own come first"


def aged(file, days):
    at = time.time() - days * 86_400
    os.utime(file, (at, at))


def test_what_was_not_used_for_a_month_goes_and_reading_is_use(place, file):
    home = place / "results"
    (home / "older").mkdir()
    for name, days in (("old.npz", 31), ("young.npz", 29), ("cut.part", 1), ("older/old.npz", 31)):
        (home / name).write_bytes(b"x" * 100)
        aged(home / name, days)
    aged(file, 100)
    assert disk_cache.read(file) is not None
    disk_cache.tidy()
    assert sorted(path.name for path in home.rglob("*.*")) == sorted(["young.npz", file.name])


def test_beyond_the_bound_the_least_recently_used_go(place):
    files = [disk_cache.result_file("x", k, code="this") for k in range(4)]
    for age, file in enumerate(files):
        disk_cache.write(file, VALUE)
        aged(file, (4 - age) / 24)
    size = files[0].stat().st_size
    assert disk_cache.tidy(max_bytes=2 * size + 10) <= 2 * size + 10
    assert [file.exists() for file in files] == [False, False, True, True]


WRITTEN = """
import numpy as np
from dpcore import disk_cache
file = disk_cache.result_file("x", 1, code="this")
for k in range(60):
    assert disk_cache.write(file, np.full(5000, k))
    found = disk_cache.read(file)
    assert found is not None and (found == found[0]).all()
    disk_cache.tidy()
"""


def test_processes_that_write_and_read_the_same_at_once_find_whole_files(place):
    root = Path(dpcore.__file__).parents[1]
    both = [subprocess.Popen([sys.executable, "-c", WRITTEN], cwd=root) for _ in range(2)]
    assert [one.wait(timeout=600) for one in both] == [0, 0]
    assert [path.suffix for path in (place / "results").rglob("*") if path.is_file()] == [".npz"]
