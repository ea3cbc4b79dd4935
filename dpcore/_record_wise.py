"""Check whether scikit-learn transformers are record-wise, that is, map each record independently of all others.

A transformer is record-wise if ``fit`` uses no value of the records, only their number of features, and `transform`
maps each row independently of all others. Neighbouring data sets then stay neighbours: if two data sets differ in one
record, the transformed data sets also differ in at most one record.
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
    """Reason why a pipeline step is not known to be record-wise.

    ``sentence`` states what the step reads from all records. If ``assumed`` is True, it states an assumption under
    which the step is record-wise. ``step`` is the name of the step, and ``kind`` the name of its class.
    """

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
"""Properties of all records that the ``fit`` of common transformers reads, by the name of the transformer's class."""


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
"""Classes that are record-wise with suitable parameters, each with a function that checks the parameters.

The function returns "" if a step is record-wise, and otherwise the change of parameters that makes it so. A rule does
not hold for subclasses, because these may override methods.
"""


def steps_before(pipeline: Pipeline) -> Iterator[Finding]:
    """Yield the findings on all steps before the last one; fitted private steps are left out."""
    for name, step in pipeline.steps[:-1]:
        if not hasattr(step, "privacy_"):
            yield from of_step(name, step)


def of_step(name: str, step: Any) -> Iterator[Finding]:
    """Yield the reasons why a step is not known to be record-wise.

    A step inside another step is named by both names joined with ``__``, as in scikit-learn.
    """
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
    """Yield the reasons why the transformation of the targets is not known to be record-wise."""
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
    """Yield the assumption that a function is record-wise, unless it is None or an elementwise function of numpy."""
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
