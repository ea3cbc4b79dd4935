"""The parameters of the audit experiment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from dpcore.experiments import shared
from dpcore.experiments.audit.looks import LOOKS
from dpcore.experiments.audit.targets import TARGETS
from dpcore.experiments.params import Params, control

__all__ = ["BUILT_GRID", "AuditParams"]

BUILT_GRID: tuple[float, ...] = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)


@dataclass(frozen=True, kw_only=True)
class AuditParams(Params):
    """What is claimed, what is attacked, and how often it is trained.

    ``epsilon`` in [0.05, 20] and ``delta`` in [1e-8, 1e-3] are the claim, ``built`` is the ε that the
    software was really built with, where it can be set.

    Examples
    --------
    >>> AuditParams(target="bug7", trainings=200).to_link()
    {'target': 'bug7', 'trainings': '200'}
    """

    former_defaults: ClassVar[Mapping[str, Mapping[str, str]]] = {"1": {"target": "laplace"}}

    epsilon: float = shared.epsilon()
    target: str = control("bug8", choices=tuple(target.key for target in TARGETS))
    trainings: int = control(1000, grid=LOOKS, symbol="n")
    built: float = control(1.0, grid=BUILT_GRID, symbol="ε₀")
    delta: float = shared.delta()
    threshold: str = control("theory", choices=("theory", "trained"))
    seed: int = shared.seed()
