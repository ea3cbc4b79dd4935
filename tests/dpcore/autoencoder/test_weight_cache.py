"""Weights on disk: found again, never half a file, made again when damaged."""

import numpy as np
import pytest

from dpcore import disk_cache
from dpcore.autoencoder import Autoencoder
from dpcore.autoencoder import train as training
from tests.stopping import Stopped, stop_after

X = np.random.default_rng(0).random((100, 9)).astype(np.float32)
RECIPE = {"n_hidden": 3, "epochs": 2, "batch_size": 32, "random_state": 0, "cache": True}


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("DPCORE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def trainings(monkeypatch):
    calls, real = [], training.train

    def counted(*args, **options):
        calls.append(1)
        return real(*args, **options)

    monkeypatch.setattr(training, "train", counted)
    return calls


def files(place):
    return sorted(place.iterdir()) if place.exists() else []


def test_the_second_fit_trains_nothing_and_is_the_same(place, trainings):
    first, second = Autoencoder(**RECIPE).fit(X), Autoencoder(**RECIPE).fit(X)
    assert len(trainings) == 1
    assert (first.weights_.W1 == second.weights_.W1).all()
    assert (first.loss_curve_ == second.loss_curve_).all()
    assert [f.suffix for f in files(place)] == [".npz"]


@pytest.mark.parametrize(
    "change", [{"n_hidden": 4}, {"epochs": 3}, {"learning_rate": 0.1}, {"random_state": 1}]
)
def test_another_recipe_is_another_file(place, trainings, change):
    Autoencoder(**RECIPE).fit(X)
    Autoencoder(**{**RECIPE, **change}).fit(X)
    assert (len(trainings), len(files(place))) == (2, 2)


def test_other_images_are_another_file(place, trainings):
    Autoencoder(**RECIPE).fit(X)
    Autoencoder(**RECIPE).fit(X[::-1])
    assert (len(trainings), len(files(place))) == (2, 2)


def shorten(file):
    file.write_bytes(file.read_bytes()[:100])


def swap_a_number(file):
    with np.load(file) as found:
        arrays = dict(found)
    arrays["b2"] = arrays["b2"] + 1
    np.savez(file, **arrays)


def flip_a_bit(file):
    raw = bytearray(file.read_bytes())
    raw[len(raw) // 3] ^= 16
    file.write_bytes(bytes(raw))


def forget_a_number(file):
    with np.load(file) as found:
        np.savez(file, **{k: v for k, v in dict(found).items() if k != "b1"})


@pytest.mark.parametrize(
    "damage", [shorten, swap_a_number, flip_a_bit, forget_a_number, lambda f: f.write_text("?")]
)
def test_a_damaged_file_is_made_again(place, trainings, damage):
    first = Autoencoder(**RECIPE).fit(X)
    damage(files(place)[0])
    second, third = Autoencoder(**RECIPE).fit(X), Autoencoder(**RECIPE).fit(X)
    assert len(trainings) == 2
    assert (first.weights_.b2 == second.weights_.b2).all()
    assert (first.weights_.b2 == third.weights_.b2).all()


def test_what_cannot_be_named_or_is_not_whole_is_not_kept(place):
    Autoencoder(**{**RECIPE, "random_state": None}).fit(X)
    Autoencoder(**{**RECIPE, "cache": False}).fit(X)
    with pytest.raises(Stopped):
        Autoencoder(**RECIPE).fit(X, check=stop_after())
    assert files(place) == []


def test_a_folder_that_cannot_be_made_costs_only_the_next_training(place, trainings):
    place.write_text("in the way")
    assert Autoencoder(**RECIPE).fit(X).loss_curve_.size
    assert Autoencoder(**RECIPE).fit(X).loss_curve_.size
    assert len(trainings) == 2


def test_the_folder_follows_the_environment(monkeypatch, tmp_path):
    monkeypatch.delenv("DPCORE_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert disk_cache.folder() == tmp_path / "dpcore"
    monkeypatch.setenv("DPCORE_CACHE", str(tmp_path / "here"))
    assert disk_cache.folder() == tmp_path / "here"
