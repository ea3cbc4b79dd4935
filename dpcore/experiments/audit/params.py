"""Targets of the audit (mechanisms and trainings that can be attacked), and the parameters of an attack."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import ClassVar

import numpy as np

from dpcore.audit.sabotage import SABOTAGES, Sabotage
from dpcore.audit.worlds import Worlds
from dpcore.experiments import shared
from dpcore.experiments.params import Params, control

__all__ = ["BUILT_GRID", "LOOKS", "TARGETS", "AuditParams", "Target", "target_of", "worlds_of"]

_BIASES = "output"
_BIAS_DELTA = 1e-5


def perturbed_biases(epsilon: float) -> Worlds:
    """Return the attack on bias weight perturbation: a single release identifies the record with certainty.

    The method publishes a batch of two pictures, which share one draw of the noise on the output
    biases. The attacker knows the first picture. The second one is the picture of one of two
    persons, Ada or Bob; the attacker finds out whose, after subtracting the noise that the first
    picture reveals.

    Parameters
    ----------
    epsilon : float
        The ε claimed by the method, > 0.

    Returns
    -------
    Worlds
        The score is the distance of the second picture, without the noise, to Bob's picture minus
        its distance to Ada's.

    References
    ----------
    P. Jain, M. Gyanchandani, S. Sahu and R. Mishra, "Differentially private data release: bias
    weight perturbation method - a novel approach", 2021.
    """
    from dpcore.autoencoder import nominal_guarantee, perturb_biases
    from dpcore.autoencoder.attacks import logit
    from dpcore.experiments.autoencoder import digits_problem

    problem = digits_problem()
    known, ada, bob = problem.everyone[problem.people[[0, 3, 8], 0]]
    weights = problem.weights
    clean = weights.logits(np.stack([known, ada, bob])).astype(float)

    def release(canary: bool, rng: np.random.Generator) -> float:
        batch = np.stack([known, ada if canary else bob])
        (seen,) = perturb_biases(weights, batch, _BIASES, epsilon, _BIAS_DELTA, draws=1, rng=rng)[
            0, 0
        ]
        # In float32 a pixel may be exactly 0 or 1, whatever its noise: those say nothing.
        alive = ((seen > 0) & (seen < 1)).all(0)
        shared, other = logit(seen)[:, alive]
        bare = other - (shared - clean[0, alive])
        there, without = (float(np.square(bare - clean[who, alive]).sum()) for who in (1, 2))
        return without - there

    return Worlds(
        name=f"bias weight perturbation at {epsilon:g}",
        neighbours="two pictures through one network whose output biases carry the same noise: a known "
        "one, and Ada's or Bob's; replace_one",
        canary="Ada's picture in the place of Bob's",
        score="the noise is what the known picture differs by; without it, how much nearer the other "
        "one is to Ada's than to Bob's",
        claim=lambda: nominal_guarantee(epsilon, _BIAS_DELTA, kind=_BIASES),
        release=release,
        threshold=0.0,
    )


@dataclass(frozen=True, kw_only=True)
class Target:
    """Mechanism or training whose claim can be attacked.

    Parameters
    ----------
    key : str
        Name in links.
    make : callable (float) -> Worlds
        Function from an ε to the attack: the release, its score and its claim.
    fixed : float or None
        The only ε the target can be built with; None if any ε is possible.
    bug : Sabotage or None
        The bug, published or our own; None for correct software.
    proved : bool
        Whether a guarantee is proved.
    """

    key: str
    make: Callable[[float], Worlds]
    fixed: float | None = None
    bug: Sabotage | None = None
    proved: bool = True


def target_of(key: str) -> Target:
    """Return the target with this key."""
    return next(target for target in TARGETS if target.key == key)


@lru_cache(maxsize=64)
def worlds_of(key: str, built: float, twin: bool = False) -> Worlds:
    """Return an attack, whose target is built with ε = ``built``.

    With ``twin``, a target that has a bug is replaced by its corrected version.
    """
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
    """Return the target for the attack called ``name`` that the audit's registry lists for a module."""

    def make(_: float) -> Worlds:
        every = import_module(f"dpcore.{module}.neighbouring_pairs").WORLDS
        return next(worlds for worlds in every if worlds.name == name)  # type: ignore[no-any-return]

    return Target(key=key, make=make, fixed=epsilon)


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
    Target(key="bias", make=perturbed_biases, proved=False),
    *(_bug(case) for case in SABOTAGES),
)
"""Correct ones first, then bias weight perturbation, of which nothing is proved, then the bugs."""


LOOKS: tuple[int, ...] = (20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
"""Trainings in each world after which the bound is computed."""
BUILT_GRID: tuple[float, ...] = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)


@dataclass(frozen=True, kw_only=True)
class AuditParams(Params):
    """Claim, target and number of trainings of an attack.

    ``epsilon`` in [0.05, 20] and ``delta`` in [1e-8, 1e-3] are the claim. ``built`` is the ε that
    the software is actually built with, for targets where it can be chosen.

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
