"""What the audit attacks: mechanisms and trainings of the library, and twenty bugs with correct twins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module

from dpcore.audit.sabotage import SABOTAGES, Sabotage
from dpcore.audit.worlds import Worlds

__all__ = ["TARGETS", "Target", "target_of", "worlds_of"]


@dataclass(frozen=True, kw_only=True)
class Target:
    """Something whose claim can be attacked.

    Parameters
    ----------
    key : str
        Its name in links.
    make : callable (float) -> Worlds
        Its worlds, built with an ε.
    fixed : float or None
        The ε it is always built with; None where any will do.
    bug : Sabotage or None
        The published or own bug; it has a correct twin.
    proved : bool
        Whether anything is proved of it.
    """

    key: str
    make: Callable[[float], Worlds]
    fixed: float | None = None
    bug: Sabotage | None = None
    proved: bool = True


def target_of(key: str) -> Target:
    """Return the target of a key."""
    return next(target for target in TARGETS if target.key == key)


@lru_cache(maxsize=64)
def worlds_of(key: str, built: float, twin: bool = False) -> Worlds:
    """Return the worlds of a target; of a bug, with ``twin``, those of its correct copy."""
    target = target_of(key)
    if twin and target.bug:
        return target.bug.correct
    return target.make(built)


def _mechanism(key: str) -> Target:
    def make(epsilon: float) -> Worlds:
        return import_module("dpcore.mechanisms.neighbouring_pairs").at_epsilon(key, epsilon)  # type: ignore[no-any-return]

    return Target(key=key, make=make)


def _prototypes(key: str, kind: str, sample_rate: float) -> Target:
    def make(epsilon: float) -> Worlds:
        own = import_module("dpcore.lvq.neighbouring_pairs")
        return own.at_epsilon(getattr(own, kind), epsilon, sample_rate)  # type: ignore[no-any-return]

    return Target(key=key, make=make)


def _registered(key: str, module: str, name: str, epsilon: float) -> Target:
    """A claim of the registry, as it stands there."""

    def make(_: float) -> Worlds:
        every = import_module(f"dpcore.{module}.neighbouring_pairs").WORLDS
        return next(worlds for worlds in every if worlds.name == name)  # type: ignore[no-any-return]

    return Target(key=key, make=make, fixed=epsilon)


def _scrambled() -> Target:
    def make(epsilon: float) -> Worlds:
        return import_module("dpcore.experiments.audit.scrambled").worlds(epsilon)  # type: ignore[no-any-return]

    return Target(key="bias", make=make, proved=False)


def _bug(case: Sabotage) -> Target:
    return Target(
        key=f"bug{case.number}",
        make=lambda _: case.broken,
        fixed=case.broken.claim().epsilon,
        bug=case,
        proved=False,
    )


TARGETS: tuple[Target, ...] = (
    _mechanism("laplace"),
    _mechanism("gaussian"),
    _mechanism("response"),
    _mechanism("exponential"),
    _prototypes("glvq", "DPGLVQ", 1.0),
    _prototypes("glvq_lots", "DPGLVQ", 0.2),
    _prototypes("gmlvq", "DPGMLVQ", 1.0),
    _registered("descent", "descent", "descend, q = 0.2", 2.47),
    _registered("functional", "regression", "FunctionalMechanismRegression, tight", 1.0),
    _registered("adassp", "regression", "AdaSSP, exact", 4.0),
    _registered("fabricate", "kahm", "fabricate, laplace", 1.5),
    _registered("generator", "autoencoder", "ClassGaussians, statistics", 2.0),
    _scrambled(),
    *(_bug(case) for case in SABOTAGES),
)
"""Correct ones first, then bias weight perturbation, of which nothing is proved, then the bugs."""
