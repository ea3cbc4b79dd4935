"""Sets of exercises in a lecturer's folder: a set that cannot be used is said, and harms no other."""

import asyncio
import os
import shutil
from pathlib import Path

import pytest

from dpcore.exercises import ExerciseError
from ui.exercises import files
from ui.server import application

OWN = Path(__file__).resolve().parents[3] / "assets" / "exercises" / "laplace-scale.yaml"


@pytest.fixture
def sets(tmp_path, monkeypatch):
    monkeypatch.setenv(files.SETS, str(tmp_path))
    for name in ("good", "wrong"):
        (tmp_path / name).mkdir()
        shutil.copy(OWN, tmp_path / name)
    return tmp_path


def broken_link(folder):
    (folder / "gone.yaml").symlink_to(folder / "nowhere.yaml")


def queue(folder):
    os.mkfifo(folder / "queue.yaml")


def subfolder(folder):
    (folder / "folder.yaml").mkdir()


def dotted(folder):
    shutil.copy(OWN, folder / "other.key.yaml")


def empty(folder):
    (folder / OWN.name).unlink()


@pytest.mark.parametrize("harm", [broken_link, queue, subfolder, dotted, empty])
def test_a_set_that_cannot_be_used_is_said_without_its_path(sets, harm):
    harm(sets / "wrong")
    found = files.load_sets()
    assert list(found.exercises) == ["good"]
    assert list(found.faults) == ["wrong"]
    assert found.faults["wrong"].endswith(".")
    assert str(sets) not in found.faults["wrong"]
    assert "good.laplace-scale" in files.load_all()


def test_a_folder_of_sets_that_cannot_be_read_has_none(sets, monkeypatch):
    def refused(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refused)
    assert files.load_sets() == files.Sets(exercises={}, paths={}, faults={})


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("DPCORE_RECEIPT_KEY", "short", "at least 16"),
        ("DPCORE_RECEIPT_KEY_FILE", "/nowhere/key", "cannot be read"),
        (files.ENVIRONMENT, "/nowhere/exercises", "is no folder"),
    ],
)
def test_a_wrong_setting_ends_the_start_with_a_sentence(monkeypatch, name, value, said):
    monkeypatch.setenv(name, value)

    async def starts():
        async with application.lifespan(list)(None):
            pass

    with pytest.raises(ExerciseError, match=said):
        asyncio.run(starts())
