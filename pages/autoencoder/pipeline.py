"""The autoencoder page's computations: pictures at once, attackers and MNIST's training behind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import (
    Attacks,
    Audit,
    AutoencoderParams,
    Baselines,
    Pair,
    Problem,
    Similarity,
    Sweep,
    Synthetic,
)
from ui import shell
from ui.jobs import Snapshot, Stage, Work

__all__ = ["LINES", "Answer", "Line", "answer", "cancel", "problem_of", "still"]

LINES = ("digit", "person")
_LOOKS = {"epsilon": 1.0, "delta": 1e-5, "kind": "hidden", "draws": 10, "real": False}


@dataclass(frozen=True)
class Answer:
    """What can be drawn now; what takes longer is None until there is something.

    ``lines``: for a control, the answers at each of its values, at the present noise alone.
    """

    problem: Problem
    sweep: Sweep
    similar: Similarity
    baselines: Baselines
    pair: Pair
    attacks: Attacks | None = None
    synthetic: Synthetic | None = None
    audit: Audit | None = None
    lines: Mapping[str, Line] = field(default_factory=dict)
    progress: float = 1.0
    text: str = ""
    busy: bool = False
    error: str = ""


@dataclass(frozen=True, eq=False)
class Line:
    """What each value of a control shows: drawn ahead, so that its handle need not ask."""

    params: AutoencoderParams
    answers: tuple[Answer, ...]

    @property
    def nbytes(self) -> int:
        """Bytes of the pictures."""
        return sum(one.sweep.draws.nbytes + one.sweep.released.nbytes for one in self.answers)


@dataclass(frozen=True)
class _Found:
    problem: Problem
    snapshot: Snapshot | None = None


def problem_of(params: AutoencoderParams) -> Problem:
    """Return the pictures that are shown: the small digits until MNIST's network is trained."""
    return _problem(params).problem


def answer(params: AutoencoderParams, *, dragging: bool = False) -> Answer:
    """Return what is there now, and see to it that the rest is on its way.

    While a control is dragged that is not drawn ahead, the present noise is enough.
    """
    found = _problem(params)
    problem, waiting = found.problem, found.snapshot
    if dragging:
        return _glance(problem, params)
    drawn = _drawn(problem, params.but(**_LOOKS))
    if waiting is not None:
        text = waiting.words("Until MNIST is there, the small digits")
        return replace(
            drawn, progress=waiting.fraction, text=text, busy=not waiting.done, error=waiting.error
        )
    return _with_news(drawn, params)


def _with_news(drawn: Answer, params: AutoencoderParams) -> Answer:
    """The drawn answer with what the work behind has found so far."""
    problem, jobs = drawn.problem, shell.jobs()
    lines = {
        name: jobs.poll(_line_key(params, name), _line(problem, params, name), wait=0.05)
        for name in LINES
    }
    if params.real:
        news = jobs.poll(_synthetic_key(params), _inventing(problem, params), wait=1.0)
        audit = jobs.poll(_audit_key(params), _auditing(problem, params), wait=0.02)
        named = {"Inventing pictures": news, "Attacking the promise": audit}
        values = {"synthetic": news.value, "audit": audit.value}
    else:
        news = jobs.poll(_attack_key(params), _attacking(problem, params), wait=0.02)
        named = {"Attackers at work": news}
        values = {"attacks": news.value}
    every = {
        **named,
        "Drawing the other digits": lines["digit"],
        "Drawing the other people": lines["person"],
    }
    doing, now = next((d for d in every.items() if not d[1].done), ("", news))
    return replace(
        drawn,
        **values,
        lines={name: line.value for name, line in lines.items() if line.value is not None},
        progress=now.fraction,
        text=now.words(doing),
        busy=not all(work.done for work in every.values()),
        error=next((work.error for work in every.values() if work.error), ""),
    )


def still(params: AutoencoderParams) -> Answer:
    """Return the pictures of the small digits alone: no attacker is sent out."""
    return _drawn(autoencoder.digits_problem(params.trained_on), params.but(**_LOOKS))


def cancel(params: AutoencoderParams) -> AutoencoderParams:
    """Stop what runs behind, and return what can be shown now; what is there stays.

    Without a trained network there are no pictures of MNIST: back to the small digits, so that
    choosing MNIST again starts the training anew.
    """
    jobs, training = shell.jobs(), _problem_key(params)
    keys = [_attack_key(params), _synthetic_key(params), _audit_key(params)]
    for key in (*keys, *(_line_key(params, name) for name in LINES)):
        jobs.cancel(key)
    found = jobs.peek(training)
    if params.dataset == "digits" or (found is not None and found.value is not None):
        return params
    jobs.forget(training)
    return params.but(dataset="digits")


@lru_cache(maxsize=12)
def _drawn(problem: Problem, params: AutoencoderParams) -> Answer:
    sweep = _sweep(problem, params.but(other="same"))
    return _around(problem, params, sweep)


def _glance(problem: Problem, params: AutoencoderParams) -> Answer:
    """Everything as it is drawn, but pictures at the present noise alone."""
    here = autoencoder.effective_epsilon([params.epsilon], params.delta)
    sweep = autoencoder.run_sweep(replace(problem, nodes=here), params)
    found = _around(problem, params.but(**_LOOKS), sweep)
    at = float(autoencoder.place_of(params.epsilon, params.delta, problem.nodes))
    low = min(int(at), len(problem.nodes) - 2)
    part = np.float32(at - low)
    there = (1 - part) * found.pair.released[low] + part * found.pair.released[low + 1]
    return replace(found, pair=replace(found.pair, released=there[None]))


def _around(problem: Problem, params: AutoencoderParams, sweep: Sweep) -> Answer:
    similar = _similar(problem, params.but(other="same"))
    return Answer(
        problem, sweep, similar, _baselines(problem, params.digit), _pair(problem, params)
    )


@lru_cache(maxsize=64)
def _similar(problem: Problem, params: AutoencoderParams) -> Similarity:
    return autoencoder.similarity_of(autoencoder.run_sweep(problem, params))


_sweep = lru_cache(maxsize=8)(autoencoder.run_sweep)
_pair = lru_cache(maxsize=64)(autoencoder.run_pair)
_baselines = lru_cache(maxsize=32)(autoencoder.baselines)


def _problem(params: AutoencoderParams) -> _Found:
    small = autoencoder.digits_problem(params.trained_on)
    if params.dataset == "digits":
        return _Found(small)
    found = shell.jobs().poll(_problem_key(params), _training(params), wait=0.02)
    return _Found(small, found) if found.value is None else _Found(found.value)


def _training(params: AutoencoderParams) -> Work:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        report(Stage(None, 0.02, "reading the pictures"))
        made = autoencoder.named_problem(
            params.dataset,
            params.trained_on,
            progress=lambda part, loss: report(Stage(None, 0.1 + 0.89 * part, _loss(loss))),
            cancelled=cancelled,
        )
        if made is not None:
            report(Stage(made, 1.0))

    return work


def _loss(loss: float) -> str:
    return f"training its network, squared error {loss:.4f}"


def _attacking(problem: Problem, params: AutoencoderParams) -> Work:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        for found in autoencoder.run_attacks(problem, params.seed, cancelled=cancelled):
            report(Stage(found, found.done))

    return work


def _inventing(problem: Problem, params: AutoencoderParams) -> Work:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        for found in autoencoder.run_synthetic(problem, params, cancelled=cancelled):
            report(Stage(found, found.done))

    return work


def _auditing(problem: Problem, params: AutoencoderParams) -> Work:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        for found in autoencoder.run_audit(problem, params, cancelled=cancelled):
            report(Stage(found, found.done))

    return work


def _line(problem: Problem, params: AutoencoderParams, name: str) -> Work:
    grid = params.controls()[name].grid or ()

    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        found: list[Answer] = []
        for value in grid:
            if cancelled():
                return
            found.append(_glance(problem, params.but(**{name: value})))
            report(Stage(None, 0.99 * len(found) / len(grid)))
        report(Stage(Line(params, tuple(found)), 1.0))

    return work


def _problem_key(params: AutoencoderParams) -> object:
    return "autoencoder", params.dataset, params.trained_on


def _attack_key(params: AutoencoderParams) -> object:
    return "attacks", params.dataset, params.trained_on, params.seed


def _synthetic_key(params: AutoencoderParams) -> object:
    return "synthetic", params.dataset, params.delta, params.seed


def _audit_key(params: AutoencoderParams) -> object:
    return "generator audit", params.dataset, params.delta, params.seed


def _line_key(params: AutoencoderParams, name: str) -> object:
    """A line holds all values of its own control: moving that one does not ask for it anew."""
    return "autoencoder line", name, params.but(**{name: params.controls()[name].default})
