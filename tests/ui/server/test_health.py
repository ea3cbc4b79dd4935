"""/healthz: 200 while results and rooms can be stored, otherwise 503 with a sentence that names no path."""

import pytest

from dpcore import disk_cache
from tests.ui.routed import routed
from ui.classroom import housekeeping
from ui.server import health


@pytest.fixture(autouse=True)
def _anew():
    known = health._faults_at, housekeeping.store
    for cached in known:
        cached.cache_clear()
    yield
    for cached in known:
        cached.cache_clear()


def asked(path="/healthz"):
    status, headers, body = routed(path, health.ROUTES)
    assert headers["cache-control"] == "no-store"
    return status, body.decode()


@pytest.mark.parametrize("path", ["/healthz", "/a/prefix/healthz"])
def test_a_server_whose_places_work_says_so_and_leaves_nothing_behind(tmp_path, monkeypatch, path):
    monkeypatch.setenv(disk_cache.ENVIRONMENT, str(tmp_path / "cache"))
    assert asked(path) == (200, "The server works.")
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_cache_folder_that_cannot_be_written_to_is_said(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("", "utf-8")
    monkeypatch.setenv(disk_cache.ENVIRONMENT, str(tmp_path / "file"))
    status, text = asked()
    assert status == 503
    assert text.startswith("The cache folder cannot be written to: ")
    assert str(tmp_path) not in text


def test_a_database_that_cannot_be_reached_is_said_without_its_address(tmp_path, monkeypatch):
    monkeypatch.setenv(disk_cache.ENVIRONMENT, str(tmp_path))
    monkeypatch.setenv(housekeeping.ROOMS, f"sqlite:///{tmp_path}/none/secret.sqlite")
    status, text = asked()
    assert status == 503
    assert text.startswith("The database of rooms cannot be reached: ")
    assert "secret" not in text


def test_a_room_in_the_cache_folder_is_read(tmp_path, monkeypatch):
    monkeypatch.setenv(disk_cache.ENVIRONMENT, str(tmp_path))
    housekeeping.store().open()
    assert asked() == (200, "The server works.")


def test_a_damaged_database_is_said(tmp_path, monkeypatch):
    monkeypatch.setenv(disk_cache.ENVIRONMENT, str(tmp_path))
    (tmp_path / "rooms.sqlite").write_bytes(b"no database" * 1000)
    assert asked()[0] == 503


def test_a_flood_of_questions_writes_one_file(tmp_path, monkeypatch):
    looks = []
    monkeypatch.setattr(health, "faults", lambda: looks.append(1) or [])
    monkeypatch.setattr(health.time, "monotonic", lambda: 100.0)
    for _ in range(20):
        assert asked()[0] == 200
    assert len(looks) == 1
