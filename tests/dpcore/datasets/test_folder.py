"""A damaged file in the data folder is named in a sentence, whatever the damage."""

import gzip

import numpy as np
import pytest

from dpcore.datasets import DataError, load, load_regression

X = np.random.default_rng(0).integers(0, 256, (40, 784), dtype=np.uint8)
GOOD = {"X": X, "y": np.arange(40) % 10, "n_train": np.array(30)}
SAID = (
    r"mnist.npz in the data folder .* is damaged or holds something else \(.*\)\. Put a whole copy"
)


def refused(tmp_path, words, read=load, name="mnist"):
    with pytest.raises(DataError, match=words):
        read(name, data_home=tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        {"y": None},
        {"X": None},
        {"n_train": None},
        {"n_train": 40},
        {"n_train": 0},
        {"n_train": "many"},
        {"X": X[:, :700]},
        {"X": X[:39]},
        {"X": X[0]},
        {"X": np.full((40, 784), np.nan)},
        {"X": X.astype(object)},
        {"y": np.arange(40)},
        {"y": np.arange(40) % 10 + 0.5},
        {"y": -np.ones(40)},
        {"y": np.array(["a"] * 40)},
        {"feature_names": ["one"]},
    ],
)
def test_what_is_missing_or_wrong_in_an_npz_is_a_sentence(tmp_path, change):
    parts = {name: part for name, part in (GOOD | change).items() if part is not None}
    np.savez(tmp_path / "mnist.npz", **parts)
    refused(tmp_path, SAID)


@pytest.mark.parametrize("size", [0, 1, 200, -1])
def test_an_npz_that_was_cut_off_is_a_sentence(tmp_path, size):
    np.savez(tmp_path / "mnist.npz", **GOOD)
    whole = (tmp_path / "mnist.npz").read_bytes()
    (tmp_path / "mnist.npz").write_bytes(whole[:size])
    refused(tmp_path, SAID)


def test_an_npz_that_is_something_else_is_a_sentence(tmp_path):
    (tmp_path / "mnist.npz").write_bytes(b"<html>not found</html>")
    refused(tmp_path, SAID)
    (tmp_path / "mnist.npz").unlink()
    (tmp_path / "mnist.npz").mkdir()
    refused(tmp_path, SAID)


@pytest.mark.parametrize(
    "content",
    [b"", b"no gzip", gzip.compress(b""), gzip.compress(b"abc\x09")],
    ids=["empty", "no gzip", "nothing zipped", "four bytes zipped"],  # gzip writes the time of day
)
def test_damaged_idx_files_are_a_sentence(tmp_path, content):
    (tmp_path / "mnist-idx").mkdir()
    refused(tmp_path, "mnist-idx in the data folder")
    for part in ("train", "t10k"):
        for kind in ("images-idx3", "labels-idx1"):
            (tmp_path / "mnist-idx" / f"{part}-{kind}-ubyte.gz").write_bytes(content)
    refused(tmp_path, "mnist-idx in the data folder")


@pytest.mark.parametrize(
    "content",
    [b"", b"no gzip", gzip.compress(b"age,split\n1\n"), gzip.compress(b"age\nold\n")],
    ids=["empty", "no gzip", "a row too short", "a word for a number"],
)
@pytest.mark.parametrize(("name", "file"), [("adult", "adult.csv.gz"), ("acs", "acs2019.csv.gz")])
def test_damaged_tables_of_people_are_a_sentence(tmp_path, name, file, content):
    (tmp_path / file).write_bytes(content)
    refused(tmp_path, f"{file} in the data folder", load_regression, name)


def test_a_damaged_census_is_a_sentence(tmp_path):
    for parts in ({"X": X}, {"X": X, "y": GOOD["y"]}, {"X": X[:, :20], "y": np.full(40, np.inf)}):
        np.savez(tmp_path / "census.npz", **parts)
        refused(tmp_path, "census.npz in the data folder", load_regression, "acs")
