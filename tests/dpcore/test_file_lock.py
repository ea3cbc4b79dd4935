"""The lock of a file: another process is kept out, with the call of either system."""

import os
from types import SimpleNamespace

from dpcore import file_lock
from dpcore.file_lock import try_lock


def test_a_second_holder_is_refused_until_the_first_has_closed_the_file(tmp_path):
    path = tmp_path / "lock"
    with path.open("a") as first, path.open("a") as second:
        assert try_lock(first)
        assert not try_lock(second)
        first.close()
        assert try_lock(second)


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
