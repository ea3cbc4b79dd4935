"""Regression sets: bounds of features and target, splits that repeat, files that are read."""

import csv
import gzip
from types import SimpleNamespace

import numpy as np
import pytest

from dpcore import datasets
from dpcore.datasets import people
from dpcore.datasets.census import census_synthetic

EMBEDDED = [n for n in datasets.regression_names() if datasets.regression_info(n).embedded]
SIZES = {"diabetes": (353, 89, 10), "synth1d": (800, 200, 1)}


def loaded(name):
    return datasets.load_regression(name, n_samples=2000 if name == "census_synthetic" else None)


@pytest.mark.parametrize("name", EMBEDDED)
def test_embedded_sets_obey_their_public_bounds_and_repeat(name):
    data, again = loaded(name), loaded(name)
    assert data.bounds_status == "public"
    assert ((data.low <= data.X) & (data.high >= data.X)).all()
    assert ((data.low <= data.X_test) & (data.high >= data.X_test)).all()
    assert data.n_features == len(data.feature_names) == len(data.low)
    assert (data.X == again.X).all()
    assert (data.y_test == again.y_test).all()
    assert (data.y >= data.target_low).all()
    with pytest.raises(ValueError, match="read-only"):
        data.X[0, 0] = 1


@pytest.mark.parametrize("name", SIZES)
def test_sizes(name):
    data = loaded(name)
    assert (len(data.y), len(data.y_test), data.n_features) == SIZES[name]


def test_the_line_is_the_line():
    data = datasets.load_regression("synth1d", n_samples=100_000)
    slope, start = np.polyfit(data.X[:, 0], data.y, 1)
    # Deviations 0.15/√(n/3) and 0.15/√n with n = 80,000: 6 of them, false alarm below 1e-8.
    assert slope == pytest.approx(0.6, abs=6 * 0.15 * np.sqrt(3 / 80_000))
    assert start == pytest.approx(0.1, abs=6 * 0.15 / np.sqrt(80_000))


def test_census_has_the_size_of_the_slides_and_mixed_features():
    data = datasets.load_regression("census_synthetic")
    assert data.X.shape == (296_000, 13)
    assert len(data.y_test) == 74_000
    kinds = [len(np.unique(column)) for column in data.X[:5000].T]
    assert kinds.count(2) == 6
    assert max(kinds) > 4000
    inside = np.clip(data.y, 0, 100_000)
    assert 0.03 < (inside == 100_000).mean() < 0.1
    other = census_synthetic(1000, seed=1)[0]
    assert (other != census_synthetic(1000, seed=2)[0]).any()


def test_unknown_names_and_sizes_are_named():
    with pytest.raises(ValueError, match="name='nope' is not allowed: choose one of 'diabetes'"):
        datasets.load_regression("nope")
    with pytest.raises(ValueError, match="with n_samples"):
        datasets.load_regression("diabetes", n_samples=100)
    with pytest.raises(ValueError, match="n_samples=3 is not allowed"):
        datasets.load_regression("synth1d", n_samples=3)


ADULT = {
    "age": "39", "workclass": "State-gov", "fnlwgt": "77516", "education": "Bachelors",
    "education_num": "13", "marital_status": "Never-married", "occupation": "Prof-specialty",
    "relationship": "Not-in-family", "race": "White", "sex": "Female", "capital_gain": "2174",
    "capital_loss": "0", "hours_per_week": "40", "native_country": "?", "income": ">50K",
}  # fmt: skip
AS_NUMBERS = [39, 13, 40, 1, 0, 1, 1, 0, 2174, 0, 1, 0, 1]


def write(file, rows):
    with gzip.open(file, "wt", newline="") as out:
        lines = csv.DictWriter(out, rows[0].keys())
        lines.writeheader()
        lines.writerows(rows)


def test_adult_from_a_folder(tmp_path):
    poor = {**ADULT, "income": "<=50K", "sex": "Male"}
    rows = [{"split": "train", **ADULT}, {"split": "train", **poor}, {"split": "test", **ADULT}]
    write(tmp_path / "adult.csv.gz", rows)
    assert datasets.regression_available("adult", tmp_path)
    data = datasets.load_regression("adult", data_home=tmp_path)
    assert data.X[0].tolist() == AS_NUMBERS
    assert (data.y.tolist(), data.y_test.tolist()) == ([1.0, 0.0], [1.0])
    assert data.X.shape == (2, len(data.feature_names))


def test_adult_from_openml_has_words_for_numbers(monkeypatch):
    monkeypatch.delenv("DPCORE_DATA", raising=False)
    words = {k: [v] for k, v in ADULT.items() if not v.isdigit() and k not in ("income",)}
    named = {k.replace("education_num", "education-num").replace("_", "-"): k for k in ADULT}
    features = [k for k, v in named.items() if v != "income"]
    row = [0.0 if named[f] in words else float(ADULT[named[f]]) for f in features]
    row[features.index("native-country")] = np.nan
    found = SimpleNamespace(
        feature_names=features, data=np.array([row]), target=np.array([">50K"], object),
        categories={f: words[named[f]] for f in features if named[f] in words},
    )  # fmt: skip
    found.categories["native-country"] = ["United-States"]
    raw = people.load_adult(None, lambda **options: found)
    assert raw["X"].tolist() == [AS_NUMBERS]
    assert raw["n_train"] == 32561


def test_offline_sets_say_what_to_do(monkeypatch, tmp_path):
    def silent(**options):
        raise OSError("no route")

    monkeypatch.delenv("DPCORE_DATA", raising=False)
    with pytest.raises(datasets.DataError, match=r"Adult is not to be had.*set DPCORE_DATA"):
        people.load_adult(None, silent)
    with pytest.raises(datasets.DataError, match=r"Survey is not to be had.*set DPCORE_DATA"):
        datasets.load_regression("acs")
    assert not datasets.regression_available("acs", tmp_path)
    assert datasets.regression_available("diabetes")


SURVEY = {
    "excerpt": "national", "PUMA": "01-01301", "AGEP": "27", "SEX": "2", "MSP": "6", "HISP": "0",
    "RAC1P": "1", "NOC": "N", "NPF": "N", "HOUSING_TYPE": "3", "OWN_RENT": "0", "DENSITY": "2731.2",
    "INDP": "3291", "INDP_CAT": "4", "EDU": "7", "PINCP": "15400.0", "PINCP_DECILE": "4",
    "DREM": "2", "DPHY": "1", "DEYE": "2", "DEAR": "N",
}  # fmt: skip


def test_survey_columns_become_features(tmp_path):
    child = {**SURVEY, "AGEP": "7", "PINCP": "N"}
    write(tmp_path / "acs2019.csv.gz", [SURVEY, child] + [SURVEY] * 9)
    data = datasets.load_regression("acs", data_home=tmp_path)
    assert len(data.y) + len(data.y_test) == 10
    assert data.X[0].tolist() == [27, 1, 0, 1, 0, 1, 0, 0, 7, 0, 1, 0, 1, 1, 0, 0, 1, 0, 0, 2731.2]
    assert data.y[0] == 15400


def test_both_forms_of_the_survey_agree(data_dir, tmp_path):
    for file in ("census.npz", "acs2019.csv.gz", "adult.csv.gz"):
        if not (data_dir / file).exists():
            pytest.skip(f"no {file} in the data folder")
    (tmp_path / "acs2019.csv.gz").write_bytes((data_dir / "acs2019.csv.gz").read_bytes())
    made = datasets.load_regression("acs", data_home=data_dir)
    raw = datasets.load_regression("acs", data_home=tmp_path)
    assert made.X.shape == raw.X.shape == (23_616, 20)
    np.testing.assert_allclose(made.X, raw.X, rtol=1e-6)
    np.testing.assert_allclose(made.y, raw.y, rtol=1e-6)


def test_adult_of_the_folder(data_dir):
    if not (data_dir / "adult.csv.gz").exists():
        pytest.skip("no adult.csv.gz in the data folder")
    data = datasets.load_regression("adult", data_home=data_dir)
    assert (len(data.y), len(data.y_test)) == (32_561, 16_281)
    assert (data.y.sum(), data.y_test.sum()) == (7841, 3846)
    for X in (data.X, data.X_test):
        assert ((data.low <= X) & (data.high >= X)).all()
