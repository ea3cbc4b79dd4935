"""Small real data sets included in scikit-learn, with bounds declared from domain knowledge."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.datasets.dataset import Dataset, split
from dpcore.units import Unit

__all__ = ["TITLES", "UNITS", "load_bundled"]

TITLES = {
    "iris": "Iris",
    "wine": "Wine",
    "breast_cancer": "Breast cancer (Wisconsin)",
    "digits": "Digits 8×8",
}
# Round numbers from domain knowledge, declared without looking at these records.
_IRIS = [(0, 10), (0, 6), (0, 10), (0, 4)]  # centimetres
_WINE = [
    (8, 16),  # alcohol, % by volume
    (0, 8),  # malic acid, g/l
    (0, 5),  # ash, g/l
    (5, 40),  # alcalinity of ash
    (50, 200),  # magnesium, mg/l
    (0, 5),  # phenols, g/l
    (0, 6),  # flavanoids
    (0, 1),  # other phenols
    (0, 5),  # proanthocyanins
    (0, 15),  # colour intensity
    (0, 2),  # hue
    (0, 5),  # protein content by optical density
    (0, 2000),  # proline, mg/l
]
_CELL = [  # radius, texture, perimeter, area, smoothness, compactness, concavity, ... of a nucleus
    (5, 35), (5, 45), (30, 230), (100, 3000), (0, 0.2), (0, 0.5), (0, 0.6), (0, 0.3), (0, 0.4),
    (0, 0.15),
]  # fmt: skip
_CELL_ERROR = [
    (0, 3), (0, 5), (0, 25), (0, 600), (0, 0.04), (0, 0.2), (0, 0.5), (0, 0.06), (0, 0.1), (0, 0.04)
]  # fmt: skip
_CELL_WORST = [
    (5, 45), (5, 55), (30, 300), (100, 5000), (0, 0.3), (0, 1.2), (0, 1.5), (0, 0.4), (0, 0.8),
    (0, 0.3),
]  # fmt: skip
_BOUNDS: dict[str, Any] = {
    "iris": _IRIS,
    "wine": _WINE,
    "breast_cancer": _CELL + _CELL_ERROR + _CELL_WORST,
    "digits": [(0, 16)] * 64,  # by construction: counts of ink in 4 × 4 cells
}
_WHAT = {
    "iris": "Three kinds of iris by the size of their leaves, 150 flowers.",
    "wine": "Three growers of wine by 13 chemical measurements, 178 bottles.",
    "breast_cancer": "Benign or malignant by 30 measurements of cell nuclei, 569 patients.",
    "digits": "Handwritten digits of 8 × 8 pixels, 1,797 pictures.",
}


# By their own descriptions: 13 people wrote the 1,797 digits, about 138 each; how many the most diligent of
# them wrote is not published.
UNITS = {
    "iris": Unit(singular="flower", plural="flowers"),
    "wine": Unit(singular="bottle", plural="bottles"),
    "breast_cancer": Unit(singular="patient", plural="patients"),
    "digits": Unit(
        singular="picture",
        plural="pictures",
        records_per_person=139,
        is_average=True,
        n_people=13,
        people="writers",
    ),
}
_CLASSES = {"wine": ("grower 1", "grower 2", "grower 3")}  # scikit-learn only counts them


def load_bundled(name: str) -> Dataset:
    """Return a scikit-learn data set by name.

    A third of the records, stratified by class, is for testing; for "digits" it is a fifth.
    """
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{name}")()
    X, y = np.asarray(bunch.data, float), np.asarray(bunch.target, np.int64)
    train, test = split(y, 1 / 3 if name != "digits" else 0.2, seed=1)
    low, high = np.array(_BOUNDS[name], float).T
    return Dataset(
        name=name,
        title=TITLES[name],
        description=_WHAT[name],
        X=X[train],
        y=y[train],
        X_test=X[test],
        y_test=y[test],
        classes=tuple(str(c) for c in _CLASSES.get(name, bunch.target_names)),
        feature_names=tuple(str(f) for f in bunch.feature_names),
        low=low,
        high=high,
        image_shape=(8, 8) if name == "digits" else None,
        source="scikit-learn, from the UCI Machine Learning Repository",
        licence="CC BY 4.0",
        unit=UNITS[name],
    )
