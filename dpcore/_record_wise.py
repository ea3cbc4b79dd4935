"""Which scikit-learn transformers map every record by itself, whatever the other records are.

A transformer is record-wise if ``fit`` uses no value of the records, only their number of features, and `transform`
maps each row by itself. Neighbouring data sets then stay neighbours: data sets that differ in one record have
transformed records that differ in one record at most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.impute import SimpleImputer
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
)

from dpcore.preprocessing import BoundedScaler

__all__ = ["Finding", "of_step", "of_target", "steps_before"]


@dataclass(frozen=True)
class Finding:
    """What keeps a step from being record-wise, as a sentence; ``assumed`` if the sentence is a condition."""

    step: str
    kind: str
    sentence: str
    assumed: bool = False


_READ = {
    "StandardScaler": "the means and variances",
    "MinMaxScaler": "the minima and maxima",
    "MaxAbsScaler": "the largest absolute values",
    "RobustScaler": "the medians and quartiles",
    "QuantileTransformer": "the quantiles",
    "PowerTransformer": "the likelihood",
    "KBinsDiscretizer": "the edges of the bins",
    "SplineTransformer": "the knots",
    "SimpleImputer": "the values to fill in",
    "OneHotEncoder": "the categories",
    "OrdinalEncoder": "the categories",
    "TargetEncoder": "the means of the target",
    "PCA": "the principal components",
    "VarianceThreshold": "the variances",
    "SelectKBest": "the scores of the features",
}
"""What the ``fit`` of common transformers takes from all records."""


def _no(_: Any) -> str:
    return ""


def _encoder(step: Any) -> str:
    if isinstance(step.categories, str):
        return "give categories as lists"
    counted = step.min_frequency is not None or step.max_categories is not None
    return "leave out min_frequency and max_categories" if counted else ""


def _imputer(step: Any) -> str:
    if step.strategy != "constant":
        return "use strategy='constant'"
    whole = step.keep_empty_features and not step.add_indicator
    return "" if whole else "use keep_empty_features=True and add_indicator=False"


_RULES: dict[type, Callable[[Any], str]] = {
    BoundedScaler: _no,
    Binarizer: _no,
    Normalizer: _no,
    PolynomialFeatures: _no,
    OneHotEncoder: _encoder,
    OrdinalEncoder: _encoder,
    SimpleImputer: _imputer,
}
"""Record-wise classes, each with a function that returns "" or the change of parameters that makes it record-wise.

A subclass may override what makes its parent record-wise, so a rule holds for the very class only.
"""


def steps_before(pipeline: Pipeline) -> Iterator[Finding]:
    """Yield what the steps before the last one do; private steps are left to the caller."""
    for name, step in pipeline.steps[:-1]:
        if not hasattr(step, "privacy_"):
            yield from of_step(name, step)


def of_step(name: str, step: Any) -> Iterator[Finding]:
    """Yield what keeps a step from being record-wise; steps inside of it bear names with ``__`` in between."""
    kind = type(step).__name__
    if step is None or isinstance(step, str):  # "passthrough" and "drop"
        return
    if type(step) in (Pipeline, FeatureUnion, ColumnTransformer):
        yield from _inner(name, step)
    elif type(step) is FunctionTransformer:
        yield from _function(name, kind, "func", step.func, step.kw_args)
    elif type(step) in _RULES:
        remedy = _RULES[type(step)](step)
        if remedy:
            yield Finding(name, kind, _reads(kind, f"({remedy} to avoid this)"))
    elif getattr(step, "is_record_wise", False):
        yield Finding(
            name, kind, f"{kind} maps every record by itself, as it declares", assumed=True
        )
    else:
        yield Finding(name, kind, _reads(kind))


def of_target(regressor: TransformedTargetRegressor) -> Iterator[Finding]:
    """Yield what keeps the transformation of the targets from being record-wise."""
    kind = type(regressor).__name__
    if regressor.transformer is not None:
        yield from of_step("transformer", regressor.transformer)
    else:
        yield from _function("func", kind, "func", regressor.func, None)


def _inner(name: str, step: Any) -> Iterator[Finding]:
    if isinstance(step, Pipeline):
        inner = step.steps
    elif isinstance(step, FeatureUnion):
        inner = step.transformer_list
    else:
        inner = [
            *((part, one) for part, one, _ in step.transformers),
            ("remainder", step.remainder),
        ]
        if any(callable(columns) for _, _, columns in step.transformers):
            kind = type(step).__name__
            yield Finding(name, kind, f"{kind}.fit chose columns by a function of all records")
    for part, one in inner:
        yield from of_step(f"{name}__{part}", one)


def _function(
    name: str, kind: str, parameter: str, function: Any, options: dict[str, Any] | None
) -> Iterator[Finding]:
    """Yield nothing for no function and for elementwise functions of numpy, and otherwise an assumption."""
    elementwise = isinstance(function, np.ufunc) and function.signature is None and not options
    if function is not None and not elementwise:
        word = getattr(function, "__name__", type(function).__name__)
        yield Finding(
            name, kind, f"{parameter}={word} of {kind} maps every record by itself", assumed=True
        )


def _reads(kind: str, remedy: str = "") -> str:
    known = _READ.get(kind)
    fact = f"read {known} of all records" if known else "is not known to leave the records unread"
    return f"{kind}.fit {fact} {remedy}".strip()
