"""Income data of real people, from the data set Adult (1994) and the American Community Survey (2019)."""

from __future__ import annotations

import csv
import gzip
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dpcore._types import AnyArray, Bools, Floats
from dpcore.datasets._folder import ENVIRONMENT, folder, reading, sound
from dpcore.datasets._limits import DataError

__all__ = ["load_acs", "load_adult"]

Columns = dict[str, NDArray[Any]]

# Name: bounds, from how the question is asked or coded.
_ADULT: dict[str, tuple[float, float]] = {
    "age": (0, 100), "years of school": (1, 16), "hours a week": (0, 100), "female": (0, 1),
    "married": (0, 1), "never married": (0, 1), "white": (0, 1), "born in the US": (0, 1),
    "capital gain": (0, 100_000), "capital loss": (0, 5_000), "government": (0, 1),
    "self-employed": (0, 1), "manager or professional": (0, 1),
}  # fmt: skip
_ACS: dict[str, tuple[float, float]] = {
    "age": (15, 100), "female": (0, 1), "married_spouse_present": (0, 1), "never_married": (0, 1),
    "hispanic": (0, 1), "race_white_alone": (0, 1), "race_black_alone": (0, 1),
    "race_asian_alone": (0, 1), "education_level": (1, 12), "own_children": (0, 10),
    "family_size": (1, 12), "owns_home": (0, 1), "group_quarters": (0, 1),
    "in_workforce_5y": (0, 1), "unemployed": (0, 1), "cognitive_difficulty": (0, 1),
    "walking_difficulty": (0, 1), "vision_difficulty": (0, 1), "hearing_difficulty": (0, 1),
    "puma_density": (0, 30_000),
}  # fmt: skip


def load_adult(
    data_home: str | os.PathLike[str] | None, fetch: Callable[..., Any] | None = None
) -> dict[str, Any]:
    """Return the data set Adult as fields of a regression data set, from the local data folder or OpenML.

    The target is 1 for an income above 50,000 dollars, and 0 otherwise. A linear regression is therefore a linear
    probability model.
    """
    home = folder(data_home)
    file = None if home is None else home / "adult.csv.gz"
    if file is not None and file.exists():
        with reading(file):
            columns = _table(file)
            n_train = int((columns.pop("split") == "train").sum())
            fields = _adult(columns, n_train)
            sound(fields["X"], fields["y"], len(_ADULT), n_train)
            return fields
    return _adult(_openml_adult(fetch), 32561)


def _adult(columns: Columns, n_train: int) -> dict[str, Any]:
    def number(name: str) -> Floats:
        return columns[name].astype(float)

    def is_one(name: str, *values: str) -> Bools:
        return np.isin(columns[name], values)

    X = np.column_stack([
        number("age"), number("education_num"), number("hours_per_week"), is_one("sex", "Female"),
        is_one("marital_status", "Married-civ-spouse", "Married-AF-spouse"),
        is_one("marital_status", "Never-married"), is_one("race", "White"),
        is_one("native_country", "United-States"), number("capital_gain"), number("capital_loss"),
        is_one("workclass", "Federal-gov", "Local-gov", "State-gov"),
        is_one("workclass", "Self-emp-inc", "Self-emp-not-inc"),
        is_one("occupation", "Exec-managerial", "Prof-specialty"),
    ])  # fmt: skip
    return {
        "X": X, "y": is_one("income", ">50K").astype(float), "n_train": n_train,
        "target_name": "income above 50,000 dollars (1: yes)", "target_low": 0.0,
        "target_high": 1.0, "source": "UCI Machine Learning Repository", "licence": "CC BY 4.0",
        **_ends(_ADULT),
    }  # fmt: skip


def load_acs(data_home: str | os.PathLike[str] | None) -> dict[str, Any]:
    """Return the 2019 American Community Survey as fields of a regression data set.

    The survey is read from the local data folder.
    """
    home = folder(data_home)
    if home is not None and (home / "census.npz").exists():
        file = home / "census.npz"
        with reading(file), open(file, "rb") as raw, np.load(raw) as arrays:
            X, y = sound(arrays["X"].astype(float), arrays["y"].astype(float), len(_ACS))
    elif home is not None and (home / "acs2019.csv.gz").exists():
        with reading(home / "acs2019.csv.gz"):
            X, y = sound(*_survey(_table(home / "acs2019.csv.gz")), len(_ACS))
    else:
        raise DataError(
            "The American Community Survey is not to be had: no local folder holds census.npz or "
            f"acs2019.csv.gz. Put one into a folder and set {ENVIRONMENT} to it."
        )
    return {
        "X": X, "y": y, "n_train": None, "target_name": "personal income, dollars a year",
        "target_low": 0.0, "target_high": 150_000.0,
        "source": "US Census Bureau, excerpts by NIST", "licence": "public domain (US)",
        **_ends(_ACS),
    }  # fmt: skip


def _ends(columns: dict[str, tuple[float, float]]) -> dict[str, Any]:
    low, high = np.array(list(columns.values()), float).T
    return {"feature_names": tuple(columns), "low": low, "high": high}


def _table(file: Path) -> Columns:
    with gzip.open(file, "rt", encoding="utf-8", newline="") as lines:
        head, *rows = csv.reader(lines)
    return dict(zip(head, np.array(rows).T, strict=True))


def _survey(columns: Columns) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return features (n, 20) and incomes (n,) of the n people with a recorded income."""
    rows = columns["PINCP"] != "N"
    c = {name: values[rows] for name, values in columns.items()}

    def number(name: str, otherwise: float = 0.0) -> NDArray[np.float64]:
        return np.where(c[name] == "N", str(otherwise), c[name]).astype(float)

    def has(name: str, value: float) -> NDArray[np.bool_]:
        return cast(Bools, number(name, -1) == value)

    X = np.column_stack([
        number("AGEP"), has("SEX", 2), has("MSP", 1), has("MSP", 6), ~has("HISP", 0),
        has("RAC1P", 1), has("RAC1P", 2), has("RAC1P", 6), number("EDU"), number("NOC"),
        number("NPF", 1), has("OWN_RENT", 1), ~has("HOUSING_TYPE", 1), c["INDP_CAT"] != "N",
        has("INDP_CAT", 18), has("DREM", 1), has("DPHY", 1), has("DEYE", 1), has("DEAR", 1),
        number("DENSITY"),
    ])  # fmt: skip
    return X.astype(float), number("PINCP")


def _openml_adult(fetch: Callable[..., Any] | None) -> Columns:
    if fetch is None:
        from sklearn.datasets import fetch_openml

        fetch = fetch_openml
    try:
        bunch = fetch(name="adult", version=2, as_frame=False, parser="liac-arff")
    except Exception as error:
        raise DataError(
            "Adult is not to be had: no local folder holds it and OpenML did not answer "
            f"({type(error).__name__}). Put adult.csv.gz into a folder and set {ENVIRONMENT} to it."
        ) from error
    columns: Columns = {"income": np.asarray(bunch.target).astype(str)}
    for spelled, values in zip(bunch.feature_names, np.asarray(bunch.data).T, strict=True):
        name = str(spelled).replace("-", "_").replace("educationnum", "education_num")
        columns[name] = _decoded(values, bunch.categories.get(spelled))
    return columns


def _decoded(values: NDArray[Any], words: list[str] | None) -> NDArray[Any]:
    """Return the category names for numeric codes from OpenML, or the codes themselves if there are no names.

    A missing code gives the name "?".
    """
    if words is None:
        return values
    codes = np.nan_to_num(values.astype(float), nan=len(words)).astype(int)
    return cast(AnyArray, np.array([*words, "?"])[codes])
