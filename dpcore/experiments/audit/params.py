"""The parameters of the audit experiment."""

from __future__ import annotations

from dataclasses import dataclass

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

    epsilon: float = shared.epsilon(label="claimed privacy parameter")
    target: str = control(
        "laplace",
        choices=tuple((target.key, target.label) for target in TARGETS),
        label="software under test",
    )
    trainings: int = control(1000, grid=LOOKS, symbol="n", label="trials of each kind")
    built: float = control(1.0, grid=BUILT_GRID, symbol="ε₀", label="ε it was built with")
    delta: float = shared.delta()
    threshold: str = control(
        "theory",
        choices=(
            ("theory", "from theory, where it is known"),
            ("trained", "from trainings that are not counted"),
        ),
        label="threshold",
    )
    seed: int = shared.seed()
