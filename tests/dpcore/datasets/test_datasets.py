"""Data sets by name: bounds that hold, splits that repeat, formats that are read."""

import gzip
from types import SimpleNamespace

import numpy as np
import pytest

from dpcore import datasets
from dpcore.datasets import external
from dpcore.datasets.flu import SHIFTS, flu

EMBEDDED = [name for name in datasets.names() if datasets.info(name).embedded]


@pytest.mark.parametrize("name", EMBEDDED)
def test_embedded_sets_obey_their_public_bounds(name):
    data = datasets.load(name)
    assert data.bounds_status == "public"
    for X in (data.X, data.X_test):
        assert ((data.low <= X) & (data.high >= X)).all()
        assert np.abs(data.scaled(X)).max() <= 1
    assert data.X.shape[1] == len(data.feature_names) == data.n_features == len(data.low)
    assert set(data.y) == set(data.y_test) == set(range(len(data.classes)))
    assert (data.low == np.round(data.low, 2)).all()
    assert (data.high == np.round(data.high, 2)).all()


@pytest.mark.parametrize("name", EMBEDDED)
def test_loading_twice_gives_the_same_records_which_cannot_be_changed(name):
    one, two = datasets.load(name), datasets.load(name)
    assert (one.X == two.X).all()
    assert (one.y_test == two.y_test).all()
    with pytest.raises(ValueError, match="read-only"):
        one.X[0, 0] = 3


def test_a_made_set_has_the_size_asked_for():
    data = datasets.load("blobs", n_samples=2000)
    assert len(data.y) + len(data.y_test) == 2000


def test_three_measurements_of_the_made_up_flu_differ_and_five_do_not():
    X, y, columns = flu(40_000, seed=1)
    low, high = np.array(list(columns.values()), float).T
    assert ((low <= X) & (high >= X)).all()
    scaled = (X - (low + high) / 2) / (high - low) * 6  # in standard deviations
    gaps = dict(zip(columns, (scaled[y == 1].mean(0) - scaled[y == 0].mean(0)) / 2, strict=True))
    for name, gap in gaps.items():
        assert gap == pytest.approx(SHIFTS.get(name, 0.0), abs=0.03), name
    telling = np.isin(list(columns), list(SHIFTS))
    right = (scaled[:, telling] @ [SHIFTS[n] for n in columns if n in SHIFTS] > 0) == y
    assert right.mean() == pytest.approx(0.94, abs=0.005)
    with pytest.raises(ValueError, match="n_samples=0"):
        flu(0)


def test_unknown_name_lists_the_choices():
    with pytest.raises(ValueError, match="name='nope' is not allowed: choose one of 'blobs'"):
        datasets.load("nope")


def test_digits_are_pictures():
    data = datasets.load("digits")
    pictures = data.to_images(data.scaled())
    assert pictures.shape == (len(data.y), 8, 8)
    assert datasets.load("iris").to_images(np.zeros((2, 4))) is None


def test_plane_is_orthonormal_and_holds_the_largest_spread():
    X = np.random.default_rng(0).standard_normal((300, 6)) * [1, 9, 1, 5, 1, 1]
    origin, axes = datasets.plane(X)
    np.testing.assert_allclose(axes.T @ axes, np.eye(2), atol=1e-12)
    assert np.abs(axes[[1, 3], [0, 1]]).min() > 0.9
    np.testing.assert_allclose(origin, X.mean(0))
    flat = datasets.plane(X[:, :2])
    assert (flat[0] == 0).all()
    assert (flat[1] == np.eye(2)).all()


@pytest.mark.parametrize(
    ("name", "shape", "n_classes"),
    [("segment", (1848, 19), 7), ("har", (7352, 561), 6), ("mnist_dct", (60000, 35), 10)],
)
@pytest.mark.slow
def test_folder_formats(data_dir, name, shape, n_classes):
    data = datasets.load(name, data_home=data_dir)
    assert data.X.shape == shape
    assert len(data.classes) == n_classes
    assert ((data.low <= data.X) & (data.high >= data.X)).mean() > 0.995


def tiny_mnist(folder):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 256, (40, 784), dtype=np.uint8)
    np.savez(folder / "mnist.npz", X=X, y=np.arange(40) % 10, n_train=30)
    return X


def test_npz_folder_keeps_the_official_split(tmp_path):
    X = tiny_mnist(tmp_path)
    data = datasets.load("mnist", data_home=tmp_path)
    assert (X[:30] == data.X).all()
    assert (data.X_test == X[30:]).all()
    assert datasets.available("mnist", tmp_path)
    assert not datasets.available("har", tmp_path)


def test_records_are_split_as_the_data_set_is_and_stay_bytes(tmp_path):
    tiny_mnist(tmp_path)
    data = datasets.load("mnist", data_home=tmp_path)
    X, y, X_test, y_test = external.split_records("mnist", tmp_path)
    assert X.dtype == np.uint8
    for ours, theirs in ((X, data.X), (y, data.y), (X_test, data.X_test), (y_test, data.y_test)):
        assert (ours == theirs).all()


def test_idx_folder_is_read(tmp_path):
    home = tmp_path / "mnist-idx"
    home.mkdir()
    for part, n in (("train", 6), ("t10k", 4)):
        images = np.arange(n * 784, dtype=np.uint8).reshape(n, 28, 28)
        for kind, array in (("images-idx3", images), ("labels-idx1", np.arange(n, dtype=np.uint8))):
            head = bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">i4").tobytes()
            (home / f"{part}-{kind}-ubyte.gz").write_bytes(gzip.compress(head + array.tobytes()))
    X, y, _, _, _ = external._from_folder("mnist", tmp_path)
    assert X.shape == (10, 784)
    assert y.tolist() == [0, 1, 2, 3, 4, 5, 0, 1, 2, 3]


def test_environment_names_the_folder(tmp_path, monkeypatch):
    tiny_mnist(tmp_path)
    monkeypatch.setenv("DPCORE_DATA", str(tmp_path))
    assert datasets.available("mnist")


def test_cosines_are_orthonormal_and_their_pictures_come_back(tmp_path):
    basis = external.cosines()
    np.testing.assert_allclose(basis @ basis.T, np.eye(35), atol=1e-12)
    tiny_mnist(tmp_path)
    data = datasets.load("mnist_dct", data_home=tmp_path)
    assert data.to_images(data.scaled()).shape == (30, 28, 28)
    smooth = np.clip(0.1 * basis[3], -1, 1)  # lies in the span: nothing is lost
    code = (smooth @ basis.T - 0) / data.high
    np.testing.assert_allclose(data.to_images(code[None])[0].ravel(), smooth, atol=1e-6)


def fake_openml(name, **options):
    rng = np.random.default_rng(0)
    if name == "segment":
        features = [f.replace("-", ".") for f in external._SEGMENT][::-1]
        data = np.tile(np.arange(19.0)[::-1], (70, 1))
        return SimpleNamespace(
            data=data, target=np.array(list("abcdefg") * 10), feature_names=features
        )
    return SimpleNamespace(
        data=rng.integers(0, 256, (50, 784)).astype(float),
        target=np.array([str(i % 10) for i in range(50)]),
        feature_names=[f"pixel{i}" for i in range(784)],
    )


def test_openml_columns_are_put_in_our_order(monkeypatch):
    monkeypatch.delenv("DPCORE_DATA", raising=False)
    data = external.load_external("segment", None, fake_openml)
    assert (data.X[0] == np.arange(19)).all()
    assert data.classes == tuple("abcdefg")
    assert external.load_external("mnist", None, fake_openml).X.shape[1] == 784


def test_offline_openml_says_what_to_do(monkeypatch):
    def silent(**options):
        raise OSError("no route")

    monkeypatch.delenv("DPCORE_DATA", raising=False)
    with pytest.raises(datasets.DataError, match=r"not to be had.*set DPCORE_DATA"):
        external.load_external("har", None, silent)


def test_every_data_set_says_what_a_record_is_and_how_many_one_person_may_have():
    from dpcore.experiments import autoencoder, network

    digits = datasets.load("digits").unit
    assert (digits.singular, digits.plural, digits.n_people) == ("picture", "pictures", 13)
    assert digits.records_per_person == -(-1797 // 13)  # the mean, rounded up: no more is published
    for name, word in {
        "iris": "flowers", "wine": "bottles", "breast_cancer": "patients", "moons": "people", "flu": "people"
    }.items():  # fmt: skip
        found = datasets.load(name)
        assert (found.unit.plural, found.records, found.unit.is_person) == (word, word, True)
    assert datasets.load_regression("diabetes").unit.singular == "patient"
    assert external.UNITS["har"].n_people == 30
    assert not external.UNITS["mnist"].is_person
    made = network.guarantee(network.NetworkParams())
    assert made.unit == digits
    assert any("which records of the data set are for training" in fact for fact in made.public)
    assert autoencoder.named_problem("digits", "all").unit == digits
