"""The lock of a file: another process is kept out; where there is no fcntl everything still imports."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

from dpcore import file_lock
from dpcore.file_lock import try_lock

WITHOUT = """
import importlib, pkgutil, sys
for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None  # as on Windows: an import of it raises
import dpcore
for info in pkgutil.walk_packages(dpcore.__path__, "dpcore."):
    importlib.import_module(info.name)
from dpcore.__main__ import main
from dpcore.journal import Journal
from pathlib import Path
with Journal(Path(sys.argv[1]), {}) as journal:
    journal.add("one", [{"x": 1}])
try:
    main(["--help"])
except SystemExit as error:
    sys.exit(error.code)
"""
ROOT = Path(__file__).resolve().parents[2]


def test_a_second_holder_is_refused_until_the_first_has_closed_the_file(tmp_path):
    path = tmp_path / "lock"
    with path.open("a") as first, path.open("a") as second:
        assert try_lock(first)
        assert not try_lock(second)
        first.close()
        assert try_lock(second)


def test_without_fcntl_every_module_imports_and_a_journal_is_written(tmp_path):
    file = tmp_path / "journal"
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT, str(file)], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert "usage: python -m dpcore" in run.stdout
    assert '"x": 1' in file.read_text()


def test_on_windows_one_byte_past_the_text_is_locked(tmp_path, monkeypatch):
    asked = []

    def locking(descriptor, mode, n_bytes):
        asked.append((os.lseek(descriptor, 0, os.SEEK_CUR), mode, n_bytes))
        if len(asked) > 1:
            raise PermissionError("locked by another process")

    monkeypatch.setattr(file_lock, "fcntl", None)
    monkeypatch.setattr(file_lock, "msvcrt", SimpleNamespace(LK_NBLCK=2, locking=locking))
    with (tmp_path / "lock").open("w+b") as file:
        file.write(b"text")
        assert try_lock(file)
        assert not try_lock(file)
        assert file.tell() == 4
    assert asked == [(2**30, 2, 1)] * 2
