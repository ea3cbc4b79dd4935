"""Computations of the Affine hulls page: data in the plane, repeated noise draws, and measurements on a table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore.datasets import Dataset, OwnTable
from dpcore.experiments import kahm
from dpcore.experiments.kahm import (
    STUDY_EPSILONS,
    DecisionRegions,
    Draws,
    FixedPoint,
    Holdings,
    KahmParams,
    Layers,
    NeighbouringRuns,
    OneMachine,
    Outcomes,
    Parties,
    Picture,
    RecordLevelBaseline,
    Space,
    Study,
    StudyDataset,
)
from ui.live.depth import Depth
from ui.runner import Context, Data, Pipeline, Stage, previews
from ui.words import text

__all__ = ["PIPELINE", "Passing", "measured", "nearest"]

T = text.load_text(__file__)

_PICTURE = (
    "shape", "n_records", "n_components", "ridge", "n_layers", "block_size", "operator", "noise",
    "atom", "seed",
)  # fmt: skip
_DRAWS = (*_PICTURE, "rounds", "stop")
_ADA = ("person", "person_dx", "person_dy")
_STUDY = (
    "table", "table_components", "ridge", "n_layers", "block_size", "operator", "noise", "atom",
    "seed", "rounds", "stop",
)  # fmt: skip
_MEASURED = tuple(
    T(f"tabs.{name}") for name in ("accuracy", "record", "members", "attacker", "pictures")
)
_PARTIES = (*(name for name in _STUDY if name not in ("atom", "stop")), "skew")


@lru_cache(maxsize=8)
def _public(table: str) -> StudyDataset:
    return kahm.study_table(table)


def _data(own: OwnTable[Dataset] | None, params: KahmParams, context: Context) -> StudyDataset:
    return (
        _public(params.table) if own is None else kahm.study_dataset(own.under("replace_one").data)
    )


def _picture(problem: None, params: KahmParams, context: Context) -> Picture:
    return kahm.run(params, context.progress, context.check)


def _one(problem: StudyDataset, params: KahmParams, context: Context) -> Picture:
    return kahm.run_one(params)


def _preview(problem: None, params: KahmParams, context: Context) -> tuple[Picture, ...]:
    return tuple(kahm.run_near(at) for at in context.along(params))


@dataclass(frozen=True, kw_only=True, eq=False)
class Passing:
    """Data for repeated noise draws at one position of the stage slider.

    The stages are the original, the noisy and the smoothed data. The position may lie between two stages.

    - ``below`` and ``above``: the data at the two stages next to the position.
    - ``part``: fraction of the way from the lower to the upper stage.
    - ``nets`` (k, L, 2): grid lines with L points for each of k classes, as mapped by the machines that are fitted
      to the original data of the neighbouring data set.
    """

    below: Outcomes
    above: Outcomes
    part: float
    nets: NDArray[np.float64]


def _outcomes(problem: None, params: KahmParams, context: Context) -> Passing | None:
    """Return the data for repeated noise draws at the position of the stage slider.

    Return None at positions before the noisy stage, where there is no noise to draw again.
    """
    if params.stage < 1:
        return None
    low, high = math.floor(params.stage), math.ceil(params.stage)
    below, above = (_at_stage(params, stage) for stage in (low, high))
    return Passing(
        below=below, above=above, part=params.stage - low, nets=kahm.other_original(params)
    )


def _at_stage(params: KahmParams, stage: int) -> Outcomes:
    return _same_outcomes(params.but(stage=float(stage)), stage - 1)


_same_outcomes = lru_cache(maxsize=4)(kahm.run_outcomes)


def _holdings(problem: StudyDataset, params: KahmParams, context: Context) -> Holdings:
    return kahm.run_holdings(problem, params)


def _draws(problem: None, params: KahmParams, context: Context) -> Draws:
    return kahm.run_draws(params, context.progress, context.check)


def _runs(problem: None, params: KahmParams, context: Context) -> NeighbouringRuns:
    return kahm.neighbouring_runs(params)


def _regions(problem: None, params: KahmParams, context: Context) -> DecisionRegions:
    return kahm.run_regions(params)


def _machine(problem: None, params: KahmParams, context: Context) -> OneMachine:
    return kahm.run_machine(params)


def _fixed_point(problem: None, params: KahmParams, context: Context) -> FixedPoint:
    return kahm.run_fixed_point(params)


def _layers(problem: None, params: KahmParams, context: Context) -> Layers:
    return kahm.run_layers(params, context.check)


def _space(problem: None, params: KahmParams, context: Context) -> Space:
    return kahm.run_space(params)


def _baseline(problem: StudyDataset, params: KahmParams, context: Context) -> RecordLevelBaseline:
    return kahm.run_baseline(problem, params)


def _study(problem: StudyDataset, params: KahmParams, context: Context) -> Iterator[Study]:
    for part, study in kahm.run_study(problem, params):
        context.progress(part)
        yield study


def _parties(problem: StudyDataset, params: KahmParams, context: Context) -> Iterator[Parties]:
    for part, parties in kahm.run_parties(problem, params):
        context.progress(part)
        yield parties


def measured(params: KahmParams, study: Study | None) -> list[bool]:
    """Return, for each train-test split, whether all measurements at the ε of `nearest` are done."""
    if study is None:
        return []
    return [bool(np.isfinite(split).all()) for split in study.accuracy[:, nearest(params)]]


def nearest(params: KahmParams) -> int:
    """Return the index of the measured ε nearest to the slider's ε, on the log scale."""
    return int(np.argmin(np.abs(np.log(np.array(STUDY_EPSILONS) / params.epsilon))))


def _along(name: str) -> Stage:
    """Return the computation, done in advance, of the data in the plane at every value of the slider ``name``.

    The figure draws these data while the slider moves.
    """
    uses = (*(other for other in _PICTURE if other != name), "epsilon")
    return previews(_preview, name, uses=uses, depth=Depth.UNDERSTAND, doing=T("doing.ahead"))[0]


PIPELINE = Pipeline[KahmParams](
    name="kahm",
    tab=T("tabs.worlds"),
    data=Data(
        "data", _data, uses=("table",), own="own_data", choice="table", instead={"table": "digits"},
        shown=T("doing.instead"),
    ),
    stages=[
        Stage("picture", _picture, uses=_PICTURE, draft=_one, wait=0.3, doing=T("doing.picture")),
        Stage("outcomes", _outcomes, uses=(*_PICTURE, "epsilon", "stage", *_ADA), of="picture", behind=False),
        Stage("holdings", _holdings, uses=("table", "seed"), tabs=(T("tabs.federated"),), depth=Depth.UNDERSTAND,
              doing=T("doing.holdings")),
        *(_along(name) for name in ("n_components", "n_records", "ridge")),
        Stage("draws", _draws, uses=_DRAWS, depth=Depth.UNDERSTAND, doing=T("doing.draws")),
        Stage("neighbouring_runs", _runs, uses=(*_DRAWS, *_ADA),
              tabs=(T("tabs.worlds"),), depth=Depth.UNDERSTAND, doing=T("doing.neighbouring_runs")),
        Stage("regions", _regions, uses=_DRAWS, tabs=(T("tabs.regions"),), depth=Depth.UNDERSTAND,
              doing=T("doing.regions")),
        Stage("machine", _machine, uses=("shape", "n_records", "n_components", "ridge", "person"),
              tabs=(T("tabs.machine"),), depth=Depth.UNDERSTAND, doing=T("doing.machine")),
        Stage("fixed_point", _fixed_point,
              uses=("shape", "n_records", "n_components", "ridge", "noise", "atom", "seed"),
              tabs=(T("tabs.machine"),), depth=Depth.UNDERSTAND, doing=T("doing.fixed_point")),
        Stage("layers", _layers,
              uses=("shape", "n_records", "n_components", "ridge", "operator", "noise", "atom", "seed"),
              tabs=(T("tabs.layers"),), depth=Depth.CHECK, doing=T("doing.layers")),
        Stage("space", _space, uses=("n_components", "ridge"), tabs=(T("tabs.bodies"),), depth=Depth.CHECK,
              doing=T("doing.space")),
        Stage("baseline", _baseline, uses=("table", "delta", "atom", "noise", "seed"),
              depth=Depth.UNDERSTAND, doing=T("doing.baseline")),
        Stage("study", _study, uses=_STUDY, tabs=_MEASURED, depth=Depth.UNDERSTAND,
              doing=T("doing.study")),
        Stage("parties", _parties, uses=_PARTIES, tabs=(T("tabs.federated"),), depth=Depth.UNDERSTAND,
              doing=T("doing.parties")),
    ],
    words_depend_on=lambda params, results: ("baseline" in results, measured(params, results.get("study"))),
)  # fmt: skip
