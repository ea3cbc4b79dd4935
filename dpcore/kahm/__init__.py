"""Kernel affine hull machines, fitted to original data or to differentially private fabricated data."""

from typing import TYPE_CHECKING

from dpcore.kahm.fabricate import AtomWarning, Fabricated, fabricate
from dpcore.kahm.hull import KAHM
from dpcore.kahm.noise import element_noise
from dpcore.kahm.record_epsilon import RecordEpsilon, record_epsilon
from dpcore.kahm.smoothing import Smoothed, modelling_error, smooth
from dpcore.kahm.wide import HullOptions

if TYPE_CHECKING:
    from dpcore.kahm.central import CentralClassMean
    from dpcore.kahm.classify import KAHMClassifier
    from dpcore.kahm.compose import WideDeepKAHM
    from dpcore.kahm.federated import (
        FederatedKAHMClassifier,
        FewRecordsWarning,
        Party,
        combine,
        split_parties,
    )

__all__ = [
    "KAHM",
    "AtomWarning",
    "CentralClassMean",
    "Fabricated",
    "FederatedKAHMClassifier",
    "FewRecordsWarning",
    "HullOptions",
    "KAHMClassifier",
    "Party",
    "RecordEpsilon",
    "Smoothed",
    "WideDeepKAHM",
    "combine",
    "element_noise",
    "fabricate",
    "modelling_error",
    "record_epsilon",
    "smooth",
    "split_parties",
]

_LATER = {
    "CentralClassMean": "central",
    "KAHMClassifier": "classify",
    "WideDeepKAHM": "compose",
    "FederatedKAHMClassifier": "federated",
    "FewRecordsWarning": "federated",
    "Party": "federated",
    "combine": "federated",
    "split_parties": "federated",
}


def __getattr__(name: str) -> object:
    """Import a public name on first access, so scikit-learn loads only if an estimator is used."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"dpcore.kahm.{_LATER[name]}"), name)


def __dir__() -> list[str]:
    """Return the names in this module and all public names."""
    return sorted({*globals(), *__all__})
