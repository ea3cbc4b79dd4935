"""List of all private estimators, with functions that construct them and pairs of neighbouring data sets."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from dpcore._types import RandomState

__all__ = ["ESTIMATORS", "neighbours"]

Make = Callable[..., Any]
_RNG = np.random.default_rng(1)
_X = _RNG.uniform(-0.9, 0.9, (24, 2))
_Y = np.arange(24) % 2


def _regressor(name: str, **settings: Any) -> Make:
    def _make(random_state: RandomState) -> Any:
        from dpcore import regression

        box = {"bounds": (-1.0, 1.0), "target_bounds": (-1.0, 1.0)}
        return getattr(regression, name)(epsilon=1.0, random_state=random_state, **box, **settings)

    return _make


def _classifier(package: str, name: str, **settings: Any) -> Make:
    def _make(random_state: RandomState) -> Any:
        kind = getattr(import_module(f"dpcore.{package}"), name)
        return kind(random_state=random_state, **settings)

    return _make


def _prototypes(name: str, relation: str, lots: str = "poisson") -> Make:
    return _classifier(
        "lvq", name, epsilon=1.0, bounds=(-1.0, 1.0), sample_rate=0.5, epochs=5,
        neighbouring=relation, expected_n=24, classes=(0, 1), lots=lots,
    )  # fmt: skip


def _federated(random_state: RandomState) -> Any:
    from dpcore.kahm import FederatedKAHMClassifier, KAHMClassifier

    one = KAHMClassifier(n_components=2, epsilon=1.0, rounds=1, split="none", bounds=(-1.0, 1.0))
    return FederatedKAHMClassifier(estimator=one, n_parties=2, random_state=random_state)


ESTIMATORS: dict[str, tuple[Make, str, tuple[str, ...]]] = {
    "DPGLVQ": (_prototypes("DPGLVQ", "add_remove"), "add", ()),
    "DPGLVQ, replace_one": (_prototypes("DPGLVQ", "replace_one"), "replace", ()),
    "DPGLVQ, fixed lots": (_prototypes("DPGLVQ", "replace_one", "fixed"), "replace", ()),
    "DPGMLVQ": (_prototypes("DPGMLVQ", "add_remove"), "add", ()),
    "DPGMLVQ, replace_one": (_prototypes("DPGMLVQ", "replace_one"), "replace", ()),
    "DPGMLVQ, fixed lots": (_prototypes("DPGMLVQ", "replace_one", "fixed"), "replace", ()),
    **{
        name: (_regressor(name), "target", ())
        for name in (
            "FunctionalMechanismRegression", "SufficientStatisticsRegression", "AdaSSP",
            "OutputPerturbationRegression", "DPGradientDescentRegression",
        )
    },
    "AdaSSP, published": (_regressor("AdaSSP", calibration="published"), "target", ()),
    "CentralClassMean": (
        _classifier("kahm", "CentralClassMean", bounds=(-1.0, 1.0)), "features", ()
    ),
    "KAHMClassifier": (
        _classifier("kahm", "KAHMClassifier", n_components=2, epsilon=1.0, bounds=(-1.0, 1.0)),
        "features", (),
    ),
    "FederatedKAHMClassifier": (_federated, "features", ()),
    "ClassGaussians": (
        _classifier("autoencoder", "ClassGaussians", n_frequencies=2, clip_norm=0.5,
                    image_shape=(1, 2), classes=(0, 1)),
        "add", (),
    ),
}  # fmt: skip
"""All private estimators by name.

Each estimator has three items:

- the function that constructs the estimator
- the kind of change between its neighbouring data sets, see `neighbours`
- the attributes that the estimator declares public
"""


def neighbours(kind: str) -> tuple[Any, Any, Any, Any]:
    """Return a small data set and a neighbour that differs from it in one record.

    Parameters
    ----------
    kind : str
        How the second data set differs. It has one more record ("add"), or a replaced record ("replace"), or a record
        of which only the "target" or only the "features" are changed.

    Returns
    -------
    X : ndarray (24, 2)
        Records of the first data set.
    y : ndarray (24,)
        Class labels of the first data set.
    X2 : ndarray (24 or 25, 2)
        Records of the second data set.
    y2 : ndarray (24 or 25,)
        Class labels of the second data set.
    """
    X2, y2 = _X.copy(), _Y.copy()
    if kind == "add":
        return _X, _Y, np.vstack([_X, [[0.9, -0.9]]]), np.append(_Y, 1)
    if kind != "target":
        X2[5] = -X2[5]
    if kind in ("target", "replace"):
        y2[5] = 1 - y2[5]
    return _X, _Y, X2, y2
