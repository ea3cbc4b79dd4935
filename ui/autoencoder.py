"""The autoencoder page's computations: pictures at once, attackers and MNIST's training behind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import (
    Attacks,
    AutoencoderParams,
    Baselines,
    Pair,
    Problem,
    Similarity,
    Sweep,
    Synthetic,
)
from ui import house
from ui.jobs import Snapshot, Stage, Work

__all__ = ["Answer", "answer", "cancel", "problem_of", "still"]

_LOOKS = {"epsilon": 1.0, "delta": 1e-5, "kind": "hidden", "draws": 10, "real": False}


@dataclass(frozen=True)
class Answer:
    """What can be drawn now; ``attacks`` and ``synthetic`` are None until there is something."""

    problem: Problem
    sweep: Sweep
    similar: Similarity
    baselines: Baselines
    pair: Pair
    attacks: Attacks | None = None
    synthetic: Synthetic | None = None
    progress: float = 1.0
    text: str = ""
    busy: bool = False
    error: str = ""


@dataclass(frozen=True)
class _Found:
    problem: Problem
    snapshot: Snapshot | None = None


def problem_of(params: AutoencoderParams) -> Problem:
    """Return the pictures that are shown: the small digits until MNIST's network is trained."""
    return _problem(params).problem


def answer(params: AutoencoderParams, *, dragging: bool = False) -> Answer:
    """Return what is there now, and see to it that the rest is on its way.

    While a server control is dragged ε stands still: two noise levels around it are enough.
    """
    found = _problem(params)
    problem, waiting = found.problem, found.snapshot
    near = _near(problem, params) if dragging else problem
    drawn = _drawn(near, problem, params.but(**_LOOKS))
    if waiting is not None:
        text = _left(f"Until MNIST is there, the small digits: {waiting.text}", waiting)
        return Answer(
            *drawn, progress=waiting.fraction, text=text, busy=not waiting.done, error=waiting.error
        )
    news = _behind(problem, params)
    value = news.value
    text = _left("Inventing pictures" if params.real else "Attackers at work", news)
    return Answer(
        *drawn,
        attacks=None if params.real else value,
        synthetic=value if params.real else None,
        progress=news.fraction,
        text=text,
        busy=not news.done,
        error=news.error,
    )


def still(params: AutoencoderParams) -> Answer:
    """Return the pictures of the small digits alone: no attacker is sent out."""
    problem = autoencoder.digits_problem(params.trained_on)
    return Answer(*_drawn(problem, problem, params.but(**_LOOKS)))


def cancel(params: AutoencoderParams) -> None:
    """Stop what runs behind; what is there stays."""
    for key in (_problem_key(params), _attack_key(params), _synthetic_key(params)):
        house.jobs().cancel(key)


def _near(problem: Problem, params: AutoencoderParams) -> Problem:
    at = float(autoencoder.place_of(params.epsilon, params.delta, problem.nodes))
    return _between(problem, min(int(at), len(problem.nodes) - 2))


@lru_cache(maxsize=8)
def _between(problem: Problem, low: int) -> Problem:
    return replace(problem, nodes=problem.nodes[low : low + 2])


@lru_cache(maxsize=12)
def _drawn(
    problem: Problem, whole: Problem, params: AutoencoderParams
) -> tuple[Problem, Sweep, Similarity, Baselines, Pair]:
    sweep = _sweep(problem, params.but(other="same"))
    return (
        problem,
        sweep,
        autoencoder.similarity_of(sweep),
        _baselines(whole, params.digit),
        autoencoder.run_pair(problem, params),
    )


_sweep = lru_cache(maxsize=8)(autoencoder.run_sweep)
_baselines = lru_cache(maxsize=32)(autoencoder.baselines)


def _problem(params: AutoencoderParams) -> _Found:
    small = autoencoder.digits_problem(params.trained_on)
    if params.dataset == "digits":
        return _Found(small)
    found = house.jobs().poll(_problem_key(params), _training(params), wait=0.02)
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


def _left(doing: str, snapshot: Snapshot) -> str:
    seconds = snapshot.seconds_left
    return doing if seconds is None else f"{doing}, about {max(1, round(seconds))} s left"


def _behind(problem: Problem, params: AutoencoderParams) -> Snapshot:
    if params.real:
        return house.jobs().poll(_synthetic_key(params), _inventing(problem, params), wait=1.0)
    return house.jobs().poll(_attack_key(params), _attacking(problem, params), wait=0.02)


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


def _problem_key(params: AutoencoderParams) -> object:
    return "autoencoder", params.dataset, params.trained_on


def _attack_key(params: AutoencoderParams) -> object:
    return "attacks", params.dataset, params.trained_on, params.seed


def _synthetic_key(params: AutoencoderParams) -> object:
    return "synthetic", params.dataset, params.delta, params.seed
