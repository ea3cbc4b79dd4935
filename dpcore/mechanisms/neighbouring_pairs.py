"""Audits of all noise mechanisms, each on its worst pair of neighbouring data sets.

The results of the query on the two data sets differ by the full sensitivity.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import cast

import numpy as np

from dpcore._types import AnyArray
from dpcore.audit.likelihood_ratios import best_cut
from dpcore.audit.worlds import Worlds
from dpcore.guarantee import Neighbouring
from dpcore.mechanisms.additive import Additive, Gaussian, Laplace
from dpcore.mechanisms.choice import Exponential
from dpcore.mechanisms.response import RandomizedResponse
from dpcore.mechanisms.secure import laplace_draw
from dpcore.mechanisms.stairs import Staircase

__all__ = ["WORLDS", "at_epsilon"]

_CUTS = np.linspace(-3, 4, 141)
_OUTSIDE = -5.0, 7.0  # clamped to the bounds 0 and 1


def _additive(name: str, mechanism: Additive) -> Worlds:
    """Return the audit of a mechanism that adds noise to a number.

    The number is below the mechanism's public bounds for one data set, and above them for the other one.
    """
    # Equal errors suit the Gaussian-DP bound. The cut of Laplace noise is as good for the staircase:
    # its likelihood ratio rises in the same place.
    gaussian = isinstance(mechanism, Gaussian)
    scale = 1.0 if gaussian else 1 / mechanism.epsilon
    cut = 0.5 if gaussian else _laplace_cut(scale)

    def _release(canary: bool, rng: np.random.Generator) -> float:
        return float(mechanism.sample(_OUTSIDE[canary], rng))

    return Worlds(
        name=name,
        neighbours=f"f(D) = 0 and f(D') = 1, handed in as {_OUTSIDE[0]:g} and {_OUTSIDE[1]:g}, so that the "
        "bounds have to hold them; "
        f"{mechanism.neighbouring}",
        canary="moves f from one bound to the other, by the whole sensitivity 1",
        score="the output: the likelihood ratio rises with it",
        claim=lambda: mechanism.privacy,
        release=_release,
        threshold=cut,
        gaussian=gaussian,
    )


def _laplace_cut(scale: float) -> float:
    cuts = _CUTS * max(1.0, scale)
    return best_cut(lambda t: _tail(t / scale), lambda t: 1 - _tail((t - 1) / scale), cuts)


def _tail(t: np.ndarray) -> np.ndarray:
    """Return P[noise > t] of Laplace noise of scale 1, for an array of thresholds ``t``."""
    half = np.exp(-np.abs(t)) / 2
    return cast(AnyArray, np.where(t > 0, half, 1 - half))


def _choice(name: str, mechanism: Exponential, before: list[float], after: list[float]) -> Worlds:
    """Return the audit of the exponential mechanism on two lists of scores.

    The scores are ``before`` without the canary and ``after`` with it.
    """

    def _release(canary: bool, rng: np.random.Generator) -> float:
        return float(mechanism.sample(after if canary else before, rng)[0] == 0)

    return Worlds(
        name=name,
        neighbours=f"scores {before} and {after}; {mechanism.neighbouring}",
        canary="raises one option by the sensitivity and lowers the other as far as the scores allow",
        score="1 for the option it raises, else 0",
        claim=lambda: mechanism.privacy,
        release=_release,
        threshold=0.5,
    )


def _response(n_options: int, epsilon: float) -> Worlds:
    """Return the audit of randomized response.

    The neighbours are two different true answers of one person.
    """
    mechanism = RandomizedResponse(epsilon=epsilon, n_options=n_options)

    def _release(canary: bool, rng: np.random.Generator) -> float:
        return float(mechanism.sample([int(canary)], rng)[0] == 1)

    return Worlds(
        name=f"randomized response, {n_options} options",
        neighbours="the same person with the true answer 0 or 1; replace_one",
        canary="the answer 1: only the probabilities of 0 and 1 differ, by e^ε",
        score="1 for the answer 1, else 0",
        claim=lambda: mechanism.privacy,
        release=_release,
        threshold=0.5,
    )


def _opendp() -> Worlds:
    """Return the audit of OpenDP's Laplace sampler.

    The sampler uses its own secure randomness instead of a generator.
    """
    ideal = Laplace(epsilon=1.0)
    return Worlds(
        name="laplace, OpenDP",
        neighbours="f(D) = 0 and f(D') = 1; add_remove",
        canary="moves f by the whole sensitivity 1",
        score="the output: the likelihood ratio rises with it",
        claim=lambda: ideal.privacy,
        release=lambda canary, rng: laplace_draw(float(canary), 1.0, 1.0),
        threshold=_laplace_cut(1.0),
    )


def _both(make: Callable[[Neighbouring], Additive], name: str) -> tuple[Worlds, ...]:
    relations: tuple[Neighbouring, ...] = ("add_remove", "replace_one")
    return tuple(_additive(f"{name}, {one}", make(one)) for one in relations)


_BOX = (0.0, 1.0)


def at_epsilon(kind: str, epsilon: float) -> Worlds:
    """Return the audit of the mechanism ``kind`` at an ε: "laplace", "gaussian", "exponential" or "response"."""
    match kind:
        case "laplace":
            return _additive(f"laplace at {epsilon:g}", Laplace(epsilon=epsilon, bounds=_BOX))
        case "gaussian":
            return _additive(f"gaussian at {epsilon:g}", Gaussian(epsilon=epsilon, bounds=_BOX))
        case "exponential":
            mechanism = Exponential(epsilon=epsilon)
            return _choice(f"exponential at {epsilon:g}", mechanism, [0.0, 3.0], [1.0, 2.0])
        case "response":
            return _response(2, epsilon)
    raise ValueError(
        f"kind={kind!r} is not allowed: give laplace, gaussian, exponential or response."
    )


WORLDS: tuple[Worlds, ...] = (
    *_both(lambda one: Laplace(epsilon=1.0, neighbouring=one, bounds=_BOX), "laplace"),
    *_both(lambda one: Staircase(epsilon=1.0, neighbouring=one, bounds=_BOX), "staircase"),
    *_both(lambda one: Gaussian(epsilon=4.0, neighbouring=one, bounds=_BOX), "gaussian"),
    _additive(
        "gaussian, classical", Gaussian(epsilon=10.0, calibration="classical", bounds=_BOX)
    ),
    _choice("exponential", Exponential(epsilon=2.0), [0.0, 3.0], [1.0, 2.0]),
    _choice(
        "exponential, replace_one", Exponential(epsilon=2.0, neighbouring="replace_one"),
        [0.0, 3.0], [1.0, 2.0],
    ),
    _choice("exponential, monotone", Exponential(epsilon=2.0, monotone=True), [0.0, 1.5], [1.0, 1.5]),
    _choice("exponential, as printed", Exponential(epsilon=1.0, as_printed=True), [0.0, 3.0], [1.0, 2.0]),
    _response(2, 1.0),
    _response(5, 2.0),
    *((_opendp(),) if importlib.util.find_spec("opendp") else ()),
)  # fmt: skip
