"""What attackers find at several noise levels, reported as it is found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dpcore._types import AnyArray
from dpcore.autoencoder import (
    KINDS,
    Weights,
    attacks,
    draw_noise,
    membership,
    noise_cancelling,
    perturb_biases,
)
from dpcore.autoencoder.batch_reidentification import link_batch
from dpcore.experiments.autoencoder.params import DRAWS
from dpcore.experiments.autoencoder.problem import Problem

__all__ = ["BATCH", "FALSE_ALARMS", "LEVELS", "Attacks", "nothing_found", "run_attacks"]

Floats = NDArray[np.float64]
LEVELS: tuple[float, ...] = (0.039, 0.1, 0.2, 0.4, 0.8, 1.6, 2.4, 3.2, 4.0, 6.0, 8.0, 12.0, 26.0)
"""The ε, at δ = 1e-5, at which attacks are tried: the paper's seven, and some around them."""
BATCH = 100
FALSE_ALARMS = np.linspace(0, 1, 41)
_PEOPLE, _SINGLES, _BATCHES, _MODELS = 120, 4, 5, 8
_ORDER = sorted(range(len(LEVELS)), key=lambda v: abs(v - 5))  # the paper's ε first


@dataclass(frozen=True, kw_only=True, eq=False)
class Attacks:
    """Shares found at V levels, 3 kinds; nan where nobody has looked yet.

    ``alone``: one picture by its look, (V, 3); ``informed``: by somebody who knows the network;
    ``batch``: pictures of a batch of 100 that share one noise, without the network;
    ``cancelled``: such a batch by somebody who knows the network; ``averages`` (V, 3, 4): by its
    look, the mean of 1, 3, 10, 30 releases. ``area`` (V, 3) and ``hits`` (V, 3, 41): membership in
    the training set by a low error, against `FALSE_ALARMS`; ``plain_area``, ``plain_hits`` (41,)
    without noise; ``refit_area``, ``refit_hits`` (41,) for who throws the noisy biases away.
    ``done``: the fraction of the work that is behind these numbers.
    """

    alone: Floats
    informed: Floats
    batch: Floats
    cancelled: Floats
    averages: Floats
    area: Floats
    hits: Floats
    plain_area: float
    plain_hits: Floats
    refit_area: float
    refit_hits: Floats
    done: float


def run_attacks(problem: Problem, seed: int) -> Iterator[Attacks]:
    """Yield what is found, one noise level and kind more each time.

    Parameters
    ----------
    problem : Problem
        The published network and the list of candidates.
    seed : int
        Of the noise and of who is looked for.

    Yields
    ------
    Attacks
        Everybody on the list is a candidate; the true originals are on it.
    """
    found = _start(problem)
    yield found
    cells = [(v, k) for v in _ORDER for k in range(3)]
    steps = [partial(_quick, problem, seed), partial(_slow, problem, seed)]
    work = [(step, cell) for step in steps for cell in cells]
    for number, (step, cell) in enumerate(work, start=1):
        found = _with(found, cell, step(*cell), number / len(work))
        yield found


def nothing_found() -> Attacks:
    """Return what is known before anybody has looked: nan everywhere."""
    empty = np.full((len(LEVELS), 3), np.nan)
    curve = np.full(len(FALSE_ALARMS), np.nan)
    return Attacks(
        alone=empty, informed=empty, batch=empty, cancelled=empty, area=empty,
        averages=np.full((*empty.shape, len(DRAWS)), np.nan),
        hits=np.full((*empty.shape, len(FALSE_ALARMS)), np.nan),
        plain_area=np.nan, plain_hits=curve, refit_area=np.nan, refit_hits=curve, done=0.0,
    )  # fmt: skip


def _start(problem: Problem) -> Attacks:
    w = problem.weights
    refitted = membership.refit_biases(w, problem.public)
    plain, refit = (_roc(problem, model) for model in (w, refitted))
    return replace(
        nothing_found(), plain_area=plain.area, plain_hits=_at(plain), refit_area=refit.area,
        refit_hits=_at(refit),
    )  # fmt: skip


def _with(
    found: Attacks, cell: tuple[int, int], news: dict[str, AnyArray | float], done: float
) -> Attacks:
    changed = {}
    for name, value in news.items():
        changed[name] = getattr(found, name).copy()
        changed[name][cell] = value
    return replace(found, done=done, **changed)


def _roc(problem: Problem, model: Weights) -> membership.Roc:
    errors = [
        np.square(model.reconstruct(X) - X).mean(1) for X in (problem.members, problem.outsiders)
    ]
    return membership.roc(*errors)


def _at(roc: membership.Roc) -> Floats:
    return np.interp(FALSE_ALARMS, roc.false_positive_rate, roc.true_positive_rate)


def _quick(problem: Problem, seed: int, v: int, k: int) -> dict[str, AnyArray | float]:
    rng = np.random.default_rng((seed, 1))
    w, table, kind, epsilon = problem.weights, problem.everyone, KINDS[k], LEVELS[v]
    rows = rng.permutation(len(table))[:_PEOPLE]
    noise = draw_noise(w, DRAWS[-1], rng, images=len(rows))
    released = perturb_biases(w, table[rows], kind, epsilon, noise=noise)[0, 0]
    singles = released[:_SINGLES]
    alone = attacks.linked_share(attacks.link_pixels(singles, table), rows).mean()
    informed = attacks.link_weights(w, singles, table, kind=kind, epsilon=epsilon)
    more = attacks.linked_share(noise_cancelling.link_averages(released, table, DRAWS[1:]), rows)
    who, batches = _batches(problem, seed, v, k)
    return {
        "alone": float(alone),
        "informed": float(attacks.linked_share(informed, rows).mean()),
        "batch": float(attacks.linked_share(attacks.link_centred(batches, table), who).mean()),
        "averages": np.array([alone, *more]),
        **_membership(problem, seed, kind, epsilon),
    }


def _batches(problem: Problem, seed: int, v: int, k: int) -> tuple[AnyArray, AnyArray]:
    """Who is in five batches (5, 100), and their releases (5, 100, d) as 8-bit pictures."""
    rng = np.random.default_rng((seed, 2))
    who, out = [], []
    for _ in range(_BATCHES):
        rows = rng.permutation(len(problem.everyone))[:BATCH]
        batch = perturb_biases(
            problem.weights, problem.everyone[rows], KINDS[k], LEVELS[v], draws=1, rng=rng
        )[0, 0, 0]
        who.append(rows)
        out.append(attacks.quantise(batch))
    return np.array(who), np.array(out)


def _membership(
    problem: Problem, seed: int, kind: str, epsilon: float
) -> dict[str, AnyArray | float]:
    X = np.concatenate([problem.members, problem.outsiders])
    rng = np.random.default_rng((seed, 3))
    out = perturb_biases(problem.weights, X, kind, epsilon, draws=_MODELS, rng=rng)[0, 0]
    errors = np.square(out - X).mean(-1)
    cut = len(problem.members)
    rocs = [membership.roc(row[:cut], row[cut:]) for row in errors]
    return {
        "area": float(np.mean([roc.area for roc in rocs])),
        "hits": np.mean([_at(roc) for roc in rocs], axis=0),
    }


def _slow(problem: Problem, seed: int, v: int, k: int) -> dict[str, AnyArray | float]:
    who, batches = _batches(problem, seed, v, k)
    some = 2 if len(problem.everyone) < 5000 else 1
    shares = [
        attacks.linked_share(
            link_batch(
                problem.weights, batches[b], problem.everyone, kind=KINDS[k], epsilon=LEVELS[v]
            ),
            who[b],
        )
        for b in range(some)
    ]
    return {"cancelled": float(np.mean(shares))}
