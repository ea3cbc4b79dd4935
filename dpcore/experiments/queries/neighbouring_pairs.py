"""Worst-case neighbouring data sets for each way of asking, for the audit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dpcore.audit.likelihood_ratios import laplace_cut, laplace_evidence
from dpcore.audit.worlds import Worlds
from dpcore.experiments.queries import answers, records, sensitivity
from dpcore.experiments.queries.params import QueriesParams
from dpcore.experiments.queries.records import Publishing
from dpcore.guarantee import Guarantee, Neighbouring
from dpcore.mechanisms import Additive, Gaussian

__all__ = [
    "WORLDS",
]

Floats = NDArray[np.float64]


def _vector(
    name: str, mechanism: Additive, before: list[float], after: list[float], *, sizes: str, canary: str,
    claim: Callable[[], Guarantee],
) -> Worlds:  # fmt: skip
    """Return the audit of a mechanism that adds noise to each of several numbers.

    ``before`` and ``after``: the numbers on two neighbouring data sets. The score is the exact
    log-likelihood ratio.
    """
    a, b = np.array(before), np.array(after)
    gaussian = isinstance(mechanism, Gaussian)

    def _score(seen: Floats) -> float:
        if not gaussian:
            return laplace_evidence(seen, a, b, mechanism.scale)
        return float((seen - (a + b) / 2) @ (b - a))

    return Worlds(
        name=name,
        neighbours=f"{sizes} {before} and {after}; {mechanism.neighbouring}",
        canary=canary,
        score="the log-likelihood ratio of all noisy numbers",
        claim=claim,
        release=lambda canary, rng: _score(mechanism.sample(b if canary else a, rng)),
        threshold=0.0 if gaussian else laplace_cut((b - a) / mechanism.scale),
        gaussian=gaussian,
    )


def _numbers(noise: str, shape: str, relation: Neighbouring, after: list[float]) -> Worlds:
    params = QueriesParams(
        topic="numbers", noise=noise, shape=shape, relation=relation, n_numbers=3,
        epsilon=4.0 if noise == "gaussian" else 1.5,
    )  # fmt: skip
    moved = "moves from the first cell to the second" if min(after) < 1 else "joins one cell"
    return _vector(
        f"{shape}, {noise}, {relation}", sensitivity.numbers_mechanism(params), [1.0, 1.0, 1.0], after,
        sizes="counts",
        canary="says yes to all three questions" if shape == "vector" else moved,
        claim=lambda: sensitivity.numbers_guarantee(params),
    )  # fmt: skip


def _group(noise: str, *, wide: bool) -> Worlds:
    epsilon = 4.0 if noise == "gaussian" else 2.0 if wide else 0.5
    mechanism = sensitivity.for_group(noise, epsilon, 1e-5, 3 if wide else 1)
    return _vector(
        f"group of 3, {noise} noise for {'the group' if wide else 'one'}", mechanism, [100.0], [103.0],
        sizes="counts", canary="three people who come or stay away together",
        claim=lambda: sensitivity.group_guarantee(noise, epsilon, 1e-5, 3, wide=wide),
    )  # fmt: skip


def _repeated(remembered: bool) -> Worlds:
    """Return the audit of five answers to one count.

    The answers have fresh noise, or all equal a stored first answer.
    """
    epsilon, n = (1.5, 5) if remembered else (0.3, 5)

    def _release(canary: bool, rng: np.random.Generator) -> float:
        memories = [
            answers.Remembered(float(canary), epsilon, rng) for _ in range(1 if remembered else n)
        ]
        replies = np.array([memories[k % len(memories)].ask() for k in range(n)])
        seen = np.unique(replies) if remembered else replies
        return laplace_evidence(seen, 0.0, 1.0, 1 / epsilon)

    return Worlds(
        name=f"five answers, {'remembered' if remembered else 'fresh noise'}",
        neighbours="a count of 0 and of 1; add_remove",
        canary="the one person",
        score="the log-likelihood ratio of all different answers",
        claim=lambda: answers.repeated_guarantee(epsilon, n, remembered=remembered),
        release=_release,
        threshold=laplace_cut(np.full(1 if remembered else n, epsilon)),
    )  # fmt: skip


def _mean(relation: Neighbouring) -> Worlds:
    """Return the audit of a noisy mean under one neighbouring relation.

    Under add_remove the value 1 is added to a single 0. Under replace_one it replaces one of ten
    values 0.
    """
    private = relation == "add_remove"
    params = QueriesParams(
        topic="neighbours", query="mean", relation=relation, n_people=10, epsilon=1.5
    )
    before = [0.0] if private else [0.0] * 10
    after = [0.0, 1.0] if private else [0.0] * 9 + [1.0]
    return _vector(
        f"mean, {relation}", sensitivity.relation_mechanism(params),
        [float(np.mean(before))], [float(np.mean(after))],
        sizes="means", canary=f"the value 1, {'beside one 0' if private else 'in the place of a 0 among ten'}",
        claim=lambda: sensitivity.relation_guarantee(params),
    )  # fmt: skip


def _publishing(publishing: Publishing) -> Worlds:
    """Return the audit of publishing random records; the canary is the last record."""
    one = publishing.chance is None
    place = publishing.n_people - 1

    def _release(canary: bool, rng: np.random.Generator) -> float:
        return float(canary and place in publishing.sample(rng))

    return Worlds(
        name=f"publish {'one record of 20' if one else 'each record'}",
        neighbours=f"{publishing.n_people} records with the canary, and "
        + ("with another in its place; replace_one" if one else "without it; add_remove"),
        canary="a record that nobody else has",
        score="whether the canary's record is published",
        claim=lambda: publishing.privacy,
        release=_release,
        threshold=0.5,
    )


def _tables(relation: Neighbouring) -> Worlds:
    """Return the audit of three noisy tables of counts, in each of which one person is counted once."""
    params = QueriesParams(topic="reconstruct", relation=relation, epsilon=1.5)
    joins = relation == "add_remove"
    return _vector(
        f"three tables, {relation}", records.tables_mechanism(params), [0.0, 1.0] * 3,
        [1.0, 1.0] * 3 if joins else [1.0, 0.0] * 3, sizes="two cells of each table with",
        canary=f"a person who {'joins' if joins else 'moves to'} one cell of each table",
        claim=lambda: records.tables_guarantee(params),
    )  # fmt: skip


def _processed() -> Worlds:
    """Return the audit of a noisy count that is clamped at 0 and rounded."""
    params = QueriesParams(topic="processing", epsilon=1.5)
    mechanism = sensitivity.relation_mechanism(params.but(query="count", relation="add_remove"))

    def _release(canary: bool, rng: np.random.Generator) -> float:
        seen = mechanism.sample(answers.TRUTH if canary else answers.OTHER, rng)
        return float(answers.processed(seen, step=params.step, clamp=params.clamp))

    return Worlds(
        name="processed count",
        neighbours="a count of 3 and of 2; add_remove",
        canary="the third person",
        score="the rounded answer: the likelihood ratio rises with it",
        claim=lambda: answers.processed_guarantee(params),
        release=_release,
        threshold=2.5,
    )


def _winner(monotone: bool) -> Worlds:
    """Return the audit of publishing the option with the largest noisy score.

    The neighbouring data set raises the score of a second best option. If scores may also fall
    (``monotone`` is False), it lowers the other scores too.
    """
    epsilon, before = 2.0, np.array([1.0, 0.0, 0.0])
    after = before + (np.array([0.0, 1.0, 0.0]) if monotone else np.array([-1.0, 1.0, -1.0]))
    scale = (1.0 if monotone else 2.0) / epsilon
    params = QueriesParams(topic="choosing", epsilon=epsilon, monotone=monotone)
    return Worlds(
        name=f"noisy winner, {'counts' if monotone else 'any scores'}",
        neighbours=f"scores {before.tolist()} and {after.tolist()}; add_remove",
        canary="raises one option by the sensitivity, and lowers the others as far as scores allow",
        score="1 for the option it raises, else 0",
        claim=lambda: answers.choice_guarantee(params),
        release=lambda canary, rng: float(
            answers.noisy_best(after if canary else before, scale, rng) == 1
        ),
        threshold=0.5,
    )


_HISTOGRAM: tuple[tuple[Neighbouring, list[float]], ...] = (
    ("add_remove", [2.0, 1.0, 1.0]),
    ("replace_one", [0.0, 2.0, 1.0]),
)
WORLDS: tuple[Worlds, ...] = (
    *(_numbers(noise, "histogram", relation, after)
      for noise in ("laplace", "gaussian") for relation, after in _HISTOGRAM),
    *(_numbers(noise, "vector", "add_remove", [2.0, 2.0, 2.0]) for noise in ("laplace", "gaussian")),
    *(_group(noise, wide=wide) for noise in ("laplace", "gaussian") for wide in (True, False)),
    _repeated(remembered=True),
    _repeated(remembered=False),
    _publishing(Publishing(n_people=20, chance=0.05)),
    _publishing(Publishing(n_people=20)),
    _processed(),
    _mean("add_remove"),
    _mean("replace_one"),
    _winner(monotone=True),
    _winner(monotone=False),
    _tables("add_remove"),
    _tables("replace_one"),
)  # fmt: skip
