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
    """Return an attack on bias weight perturbation that identifies the record with certainty from a single release.

    The method publishes a batch of two pictures with one draw of the noise on the output biases. The
    attacker knows the first picture. The second picture is either Ada's picture or Bob's picture. Both
    pictures have the same noise, so the first picture reveals the noise. The attacker subtracts the
    noise from the second picture and recognises the person.

    Parameters
    ----------
    epsilon : float
        The ε claimed by the method, > 0.

    Returns
    -------
    Worlds
        The score is computed from the second picture after the noise is subtracted: its distance to
        Bob's picture minus its distance to Ada's picture.

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
        (seen,) = perturb_biases(
            weights, batch, kind=_BIASES, epsilon=epsilon, delta=_BIAS_DELTA, draws=1, rng=rng
        )[0, 0]
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
    """Mechanism or training that can be attacked, with the guarantee it claims.

    Parameters
    ----------
    key : str
        Name in links.
    make : callable (float) -> Worlds
        Function that returns, for a given ε, the attack: the release, the attacker's score and the
        claimed guarantee.
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
    """Return the attack on the target ``key``, built with ε = ``built``.

    With ``twin``, the corrected version of a target with a bug is attacked instead.
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
    """Return the target for the attack ``name`` in the list of attacks of the topic ``module``, such as "lvq".

    ``epsilon`` is the only ε that the target can be built with.
    """

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
"""Programs that can be attacked: correct programs, bias weight perturbation, programs with bugs.

For bias weight perturbation no guarantee is proved.
"""


LOOKS: tuple[int, ...] = (20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
"""Numbers of trainings per data set after which a lower bound is computed (interim analyses)."""
BUILT_GRID: tuple[float, ...] = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)


@dataclass(frozen=True, kw_only=True)
class AuditParams(Params):
    """Parameters of an attack: the attacked program, the claim that is tested, and the number of runs.

    - ``epsilon`` in [0.05, 20] and ``delta`` in [1e-8, 1e-3] are the claim.
    - ``target`` is the key of the attacked program in `TARGETS`.
    - ``built`` is the ε for which the noise of the program is chosen, if the program can have any ε
      (``Target.fixed`` is None). If ``built`` is larger than ``epsilon``, the noise is too small for
      the claim.
    - ``trainings`` is the number of runs on each of the two data sets.
    - ``threshold`` says where the threshold on the attacker's score comes from: "theory", or
      "trained" on further runs.
    - ``seed`` is the seed of all noise.

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
