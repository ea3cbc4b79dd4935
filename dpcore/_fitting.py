"""Fits that are charged to privacy budgets, and that either succeed completely or leave the estimator unfitted."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from dpcore._copies import budgets_of, is_private

__all__ = ["one_fit"]


@contextmanager
def one_fit(model: Any, records: Any = None) -> Iterator[None]:
    """Reset an estimator before the ``with`` block that fits it, and also after the block if the block raises.

    After a failed `fit` the estimator is therefore unfitted, even if the exception is a warning turned into an error.
    A reset deletes the attributes with names that end in ``_``, and the attributes that the class lists in
    ``_fitted_too``.

    If ``records`` (n, d) is given, the fit is charged to the privacy budgets of the model (see `dpcore.budget`)
    before the block begins. Only the shape of the records is read. If ``records`` is None, the caller has already
    charged the fit.
    """
    _forget(model)
    budgets = () if records is None else budgets_of(model)
    if not budgets:
        with _undone_on_error(model):
            yield
            if records is not None:
                _note_steps(model)
                _note_copies(model)
        return
    from dpcore.budget import charge

    with charge(budgets, model, shape=_shape(records)) as settle, _undone_on_error(model):
        yield
        _note_steps(model)
        settle(model.privacy_)


EARLIER_STEPS = (
    "what earlier steps, such as a scaler, took from all records: see dpcore.pipeline_guarantee"
)


@contextmanager
def _undone_on_error(model: Any) -> Iterator[None]:
    try:
        yield
    except BaseException:
        _forget(model)
        raise


def _note_steps(model: Any) -> None:
    """State in the guarantee that earlier steps are not protected.

    If a pipeline among the callers runs the fit, its earlier steps are taken into account one by one.
    """
    if not is_private(model.privacy_):
        return
    known = (*model.privacy_.not_protected, EARLIER_STEPS)
    model.privacy_ = replace(model.privacy_, not_protected=known)
    if "sklearn.pipeline" in sys.modules:  # otherwise there is no pipeline
        from dpcore.pipeline import seen_from

        kind = type(model).__name__
        model.privacy_ = seen_from(model.privacy_, kind, stacklevel=5)  # the caller of fit


def _note_copies(model: Any) -> None:
    """Warn of repeated fits of copies, and add a sentence about the copies to the guarantee; see `dpcore._copies`."""
    origin = getattr(model, "_origin", None)
    if origin is None or not is_private(model.privacy_):
        return
    sentence = origin.note_fit(model.privacy_, stacklevel=5)  # the caller of fit
    if sentence:
        known = (*model.privacy_.not_protected, sentence)
        model.privacy_ = replace(model.privacy_, not_protected=known)


def _shape(records: Any) -> tuple[int, int]:
    shape = np.shape(records)
    if len(shape) != 2:
        raise ValueError(f"X of shape {shape} is not allowed: give records as an array (n, d).")
    return int(shape[0]), int(shape[1])


def _forget(model: Any) -> None:
    others = (*getattr(model, "_fitted_too", ()), "_left_out")
    for name in list(vars(model)):
        if name in others or (name.endswith("_") and not name.startswith("_")):
            delattr(model, name)
