"""Guarantees of scikit-learn pipelines, in which a step before the private estimator may read all records.

The guarantee ``privacy_`` of an estimator is about the records that are passed to its ``fit``. An earlier step of the
pipeline, such as a scaler that uses means, may make every one of these records depend on a single person. ε then says
nothing about the pipeline.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from types import FrameType
from typing import Any

from sklearn.compose import TransformedTargetRegressor
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import Pipeline

from dpcore._record_wise import Finding, of_target, steps_before
from dpcore._warnings import warn
from dpcore.budget import BudgetAccountant
from dpcore.guarantee import Guarantee

__all__ = ["StepReadsRecordsWarning", "pipeline_guarantee", "reading_steps"]


class StepReadsRecordsWarning(UserWarning):
    """Warning: a step before a private estimator read all records; the stated ε does not cover this."""


def reading_steps(pipeline: Pipeline) -> dict[str, str]:
    """Return the steps of a pipeline whose ``fit`` may read the records, each with a sentence on what it reads.

    These are the steps before the last one that are not known to be record-wise (see `pipeline_guarantee`). One added
    or removed record may change all records that such a step passes on. The pipeline need not be fitted, and no
    record is read.

    Parameters
    ----------
    pipeline : Pipeline
        Pipeline of scikit-learn. Steps inside other steps are examined too.

    Returns
    -------
    dict of str to str
        For the name of each step, a sentence on what its ``fit`` reads. A step inside another step is named by both
        names joined with ``__``. Steps that are assumed to be record-wise are not listed; `pipeline_guarantee` states
        these assumptions.

    Raises
    ------
    ValueError
        When ``pipeline`` is no scikit-learn pipeline.

    See Also
    --------
    pipeline_guarantee, dpcore.preprocessing.BoundedScaler

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import Normalizer, StandardScaler
    >>> from dpcore.lvq import DPGLVQ
    >>> reading_steps(make_pipeline(Normalizer(), StandardScaler(), DPGLVQ()))
    {'standardscaler': 'StandardScaler.fit read the means and variances of all records'}
    """
    _check(pipeline)
    return {one.step: one.sentence for one in _findings(pipeline) if not one.assumed}


def pipeline_guarantee(pipeline: Pipeline) -> Guarantee:
    """Return the guarantee of a fitted pipeline as a whole.

    It is the guarantee of the last step if all earlier steps are record-wise. A step is record-wise if its ``fit``
    uses no value of the records, and its ``transform`` maps every record independently of the others. Neighbouring
    data sets are then still neighbours at the last step. The steps are judged by their class and parameters:

    - These steps are record-wise: `BoundedScaler`; ``Binarizer``, ``Normalizer`` and ``PolynomialFeatures``;
      ``FunctionTransformer`` with an elementwise function of numpy; ``OneHotEncoder`` and ``OrdinalEncoder`` with
      declared ``categories``; ``SimpleImputer`` with ``strategy="constant"``, ``keep_empty_features=True`` and
      ``add_indicator=False``; and a ``ColumnTransformer``, a ``FeatureUnion`` or a pipeline of such steps.
    - A ``FunctionTransformer`` with another function, and a class with the attribute ``is_record_wise = True``, are
      assumed to be record-wise. The status is then "proved_under_assumption".
    - Any other step, such as ``StandardScaler`` or ``PCA``, makes the status "nominal". An assumption names the step.

    If earlier steps are private estimators, the costs (ε, δ) of all private steps are added up.

    Parameters
    ----------
    pipeline : Pipeline
        Fitted pipeline of scikit-learn whose last step is a private estimator of this package, a pipeline that ends
        with one, or a ``TransformedTargetRegressor`` around one.

    Returns
    -------
    Guarantee
        Guarantee of the release of the last step. Warnings and errors of ``fit`` are not covered.

    Raises
    ------
    ValueError
        When ``pipeline`` is no pipeline, its last step is not private, or its private steps have different
        neighbouring relations.
    NotFittedError
        When the last step is not fitted.

    See Also
    --------
    reading_steps, dpcore.preprocessing.BoundedScaler, dpcore.budget.BudgetAccountant

    Notes
    -----
    ``Normalizer`` is record-wise with one exception: if it is given only one record, numpy may add up the features in
    another order than for several records, so the last bit of the norm may differ.

    ``fit`` of a private estimator looks for a pipeline among its callers. If this pipeline has a step that reads
    records, ``privacy_`` also has the status "nominal", and a `StepReadsRecordsWarning` is issued. A step that was
    applied earlier outside of a pipeline, or by a pipeline in another thread, is not found.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from dpcore.lvq import DPGLVQ
    >>> from dpcore.preprocessing import BoundedScaler
    >>> X, y = [[20.0], [30.0], [70.0], [80.0]] * 50, [0, 0, 1, 1] * 50
    >>> private = DPGLVQ(epsilon=4.0, bounds=(-1, 1), expected_n=200, classes=[0, 1], sample_rate=0.1)
    >>> model = make_pipeline(BoundedScaler(bounds=(0, 100)), private).fit(X, y)
    >>> pipeline_guarantee(model).status
    'proved'
    """
    _check(pipeline)
    private = [*_private_steps(pipeline), _released(pipeline)]
    return _with_findings(_together(private), _findings(pipeline))


def _check(pipeline: Any) -> None:
    if not isinstance(pipeline, Pipeline):
        raise ValueError(
            f"pipeline={type(pipeline).__name__} is not allowed: give a sklearn.pipeline.Pipeline, such as the "
            "best_estimator_ of a search."
        )


def _findings(step: Any) -> Iterator[Finding]:
    """Yield the findings on all steps that precede the private estimator in ``step``, a pipeline or regressor."""
    for one in _levels(step):
        yield from _own_findings(one)


def _levels(step: Any) -> Iterator[Any]:
    """Yield a step, its last inner step, the last inner step of that one, and so on, down to an estimator."""
    yield step
    if isinstance(step, Pipeline):
        yield from _levels(step.steps[-1][1])
    elif isinstance(step, TransformedTargetRegressor):
        yield from _levels(getattr(step, "regressor_", step.regressor))


def _private_steps(pipeline: Any) -> Iterator[tuple[str, Guarantee]]:
    """Yield the class name and the guarantee of every private step before the last one."""
    for level in _levels(pipeline):
        for _, step in level.steps[:-1] if isinstance(level, Pipeline) else ():
            if hasattr(step, "privacy_"):
                yield type(step).__name__, step.privacy_


def _released(pipeline: Pipeline) -> tuple[str, Guarantee]:
    """Return the class name and the guarantee of the private estimator at the end of a pipeline."""
    *_, last = _levels(pipeline)
    kind = type(last).__name__
    if hasattr(last, "privacy_"):
        return kind, last.privacy_
    if hasattr(type(last), "_planned"):
        raise NotFittedError(f"{kind} is not fitted yet: call fit of the pipeline first.")
    raise ValueError(f"The last step, {kind}, is no private estimator of dpcore: no ε holds.")


def _together(private: list[tuple[str, Guarantee]]) -> Guarantee:
    """Return the guarantee of several private steps together; each may depend on the results of earlier steps."""
    if len(private) == 1:
        return private[0][1]
    relations = {guarantee.neighbouring for _, guarantee in private}
    if len(relations) > 1:
        raise ValueError(
            "The private steps count different neighbouring data sets: give all of them the same neighbouring."
        )
    delta = math.fsum(guarantee.delta for _, guarantee in private)
    account = BudgetAccountant(math.inf, min(delta, 1 - 2**-53), adaptive=True)
    for kind, guarantee in private:
        account.spend(guarantee, name=kind)
    maps = (f"transform of {kind} maps every record by itself" for kind, _ in private[:-1])
    return account.privacy.assuming(*maps)


def _with_findings(guarantee: Guarantee, findings: Iterable[Finding]) -> Guarantee:
    """Return a guarantee that takes the findings on earlier steps into account; no statement is repeated."""
    for one in findings:
        if one.assumed:
            guarantee = guarantee.assuming(one.sentence)
            continue
        public = f"what {one.kind}.fit takes from the records is public and the same for neighbours"
        if public in guarantee.assumptions:
            continue
        guarantee = replace(
            guarantee.assuming(public),
            status="nominal",
            argument=f"{guarantee.argument} But {one.sentence} before (step {one.step!r}), and one record may "
            "have changed all: nothing is proved.",
            not_protected=(f"what {one.kind}.fit takes from the records", *guarantee.not_protected),
        )
    return guarantee


def seen_from(guarantee: Guarantee, kind: str, *, stacklevel: int) -> Guarantee:
    """Return the guarantee of a fit that takes the earlier steps of pipelines among the callers into account.

    If steps read records, a `StepReadsRecordsWarning` names these steps and ``kind``, the class of the estimator.
    """
    found = [one for step in _fitting(sys._getframe(1)) for one in _own_findings(step)]
    reads = [one for one in found if not one.assumed]
    if reads:
        steps = "; ".join(dict.fromkeys(one.sentence for one in reads))
        warn(
            f"{steps}, before {kind} in a pipeline. ε does not cover this, and is nominal. Scale by declared bounds, "
            "dpcore.BoundedScaler, or see dpcore.pipeline_guarantee for steps that read no record.",
            StepReadsRecordsWarning,
            stacklevel=stacklevel + 1,
        )
    return _with_findings(guarantee, found)


def _own_findings(step: Any) -> Iterator[Finding]:
    if isinstance(step, Pipeline):
        return steps_before(step)
    return of_target(step) if isinstance(step, TransformedTargetRegressor) else iter(())


def _fitting(frame: FrameType | None) -> list[Any]:
    """Return the callers of a stack frame that are fitting their last step.

    Callers are pipelines and instances of ``TransformedTargetRegressor``.
    """
    found: list[Any] = []
    inside: list[Any] = []
    while frame is not None:
        if frame.f_code.co_name in ("_fit", "fit", "fit_transform", "fit_predict"):
            owner = frame.f_locals.get("self")
            if isinstance(owner, Pipeline | TransformedTargetRegressor):
                earlier = frame.f_code.co_name == "_fit"  # an earlier step is being fitted
                (inside if earlier else found).append(owner)
        frame = frame.f_back
    return [one for one in found if not any(one is other for other in inside)]
