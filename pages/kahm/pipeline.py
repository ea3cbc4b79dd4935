"""What the affine hull page computes and when: a quick picture while dragging, the rest behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

import streamlit as st

from dpcore.datasets import load
from dpcore.experiments import kahm
from dpcore.experiments.kahm import (
    Draws,
    Holdings,
    KahmParams,
    Line,
    Material,
    Parties,
    Picture,
    Sober,
    Study,
    Worlds,
)  # fmt: skip
from ui import own, shell
from ui.jobs import Jobs, Snapshot, Stage, Work

__all__ = ["Answer", "answer", "cancel", "known", "material_of", "quick", "still"]

FIRST_WAIT = 0.3  # seconds a committed value may take before the quick picture is shown instead
_PICTURE = (
    "shape", "n_records", "n_components", "ridge", "n_layers", "block_size", "operator", "noise",
    "atom", "seed",
)  # fmt: skip
_DRAWS = (*_PICTURE, "rounds", "stop")
_WORLDS = (*_DRAWS, "person", "person_dx", "person_dy")
_SOBER = ("table", "delta", "atom", "noise", "seed")
_STUDY = (
    "table", "table_components", "ridge", "n_layers", "block_size", "operator", "noise", "atom",
    "seed", "rounds", "stop",
)  # fmt: skip
_HOLDINGS = ("table", "seed")
_PARTIES = (*(name for name in _STUDY if name not in ("atom", "stop")), "skew")


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The best known results, None where there are none yet, and how far the work is."""

    picture: Picture
    draws: Draws | None = None
    worlds: Worlds | None = None
    sober: Sober | None = None
    study: Study | None = None
    parties: Parties | None = None
    holdings: Holdings | None = None
    lines: Mapping[str, Line] = field(default_factory=dict)
    progress: float = 1.0
    text: str = ""
    busy: bool = False
    error: str = ""


@lru_cache(maxsize=8)
def _public(table: str) -> Material:
    return kahm.material(load(table))


def material_of(params: KahmParams) -> tuple[Material, str]:
    """Return the table that is measured, and a sentence when it is not the one asked for.

    A person's own table stays in their session.
    """
    if params.table != "own":
        return _public(params.table), ""
    data = st.session_state.get("own_data")
    if data is None:
        return _public("digits"), (
            "Give a CSV file under “Your own data” below; meanwhile the tabs show the digits."
        )
    kept = st.session_state.get("own_material")
    if kept is None or kept[0] is not data:
        kept = st.session_state["own_material"] = (data, kahm.material(data))
    return kept[1], ""


def answer(data: Material, params: KahmParams, *, dragging: bool) -> Answer:
    """Return the best answer there is now, and see to it that a better one is on its way."""
    if dragging:
        return Answer(picture=quick(params), **_peeked(params))
    work = _works(data, params)
    shots = {"picture": _poll("picture", work, params, FIRST_WAIT)}
    for name in ("holdings", *_ALONG, "draws", "worlds", "sober", "study"):
        shots[name] = _poll(name, work, params, 0.0)
    if shots["study"].done:  # last: the longest work of all
        shots["parties"] = _poll("parties", work, params, 0.0)
    values = {name: shot.value for name, shot in shots.items()}
    values["picture"] = values["picture"] or quick(params)
    lines = {name: values.pop(line) for line, name in _ALONG.items()}
    values["lines"] = {name: line for name, line in lines.items() if line is not None}
    first = next((name for name, shot in shots.items() if not shot.done), "")
    late = shots.get(first, Snapshot(done=True, fraction=1.0))
    return Answer(
        **values,
        progress=late.fraction,
        text=late.words(_DOING.get(first, "")),
        busy=bool(first),
        error=next((shot.error for shot in shots.values() if shot.error), ""),
    )


def quick(params: KahmParams) -> Picture:
    """Return the whole picture when it is known, else that of the one ε, made now."""
    shot = shell.jobs().peek(_key("picture", _PICTURE, params))
    if shot is not None and shot.value is not None:
        return shot.value
    fixed = {name: getattr(params, name) for name in (*_PICTURE, "epsilon")}
    return _one(KahmParams(**fixed))


@lru_cache(maxsize=32)
def _one(params: KahmParams) -> Picture:
    return kahm.run_one(params)


@lru_cache(maxsize=2)
def still(params: KahmParams) -> Answer:
    """Return the picture at every ε alone: nothing is measured behind it."""
    return Answer(picture=kahm.run(params))


def known(params: KahmParams) -> dict[str, Any]:
    """Return what is known of the results by name, without starting anything; None where nothing is."""
    return _peeked(params)


def cancel(params: KahmParams) -> None:
    """Stop the work behind these parameters; what is there stays."""
    for name in _NAMES:
        _jobs(name, params).cancel(_key(name, _NAMES[name], params))


_ALONG = {f"line_{name}": name for name in kahm.LINES}
_NAMES = {
    "picture": _PICTURE,
    # A line holds all values of its own control: moving that one does not ask for it anew.
    **{
        line: (*(other for other in _PICTURE if other != name), "epsilon")
        for line, name in _ALONG.items()
    },
    "holdings": _HOLDINGS,
    "draws": _DRAWS,
    "worlds": _WORLDS,
    "sober": _SOBER,
    "study": _STUDY,
    "parties": _PARTIES,
}
_DOING = {
    "picture": "Drawing every ε",
    "holdings": "Dealing out records",
    "line_n_components": "Drawing n ahead",
    "line_n_records": "Drawing N ahead",
    "line_ridge": "Drawing τ ahead",
    "draws": "Drawing other noise",
    "worlds": "Drawing Ada's two worlds",
    "sober": "Adding up a record's ε",
    "study": "Measuring the table",
    "parties": "Training the parties",
}


def _peeked(params: KahmParams) -> dict[str, Any]:
    found = {}
    for name in ("draws", "worlds", "sober", "study", "parties", "holdings"):
        shot = _jobs(name, params).peek(_key(name, _NAMES[name], params))
        found[name] = shot.value if shot else None
    return found


def _poll(name: str, works: dict[str, Work], params: KahmParams, wait: float) -> Snapshot:
    return _jobs(name, params).poll(_key(name, _NAMES[name], params), works[name], wait=wait)


def _jobs(name: str, params: KahmParams) -> Jobs:
    theirs = params.table == "own" and name in ("sober", "study", "parties", "holdings")
    return shell.own_jobs() if theirs else shell.jobs()


def _key(name: str, fields: tuple[str, ...], params: KahmParams) -> Any:
    theirs = params.table == "own" and "table" in fields
    table = own.token("own_data") if theirs else ""
    return "kahm", name, table, tuple(getattr(params, field) for field in fields)


def _works(data: Material, params: KahmParams) -> dict[str, Work]:
    return {
        "picture": _whole(kahm.run, params),
        **{
            line: _whole(
                lambda p, progress, cancelled, name=name: kahm.run_line(p, name, cancelled), params
            )
            for line, name in _ALONG.items()
        },
        "holdings": _whole(lambda p, progress, cancelled: kahm.run_holdings(data, p), params),
        "draws": _whole(kahm.run_draws, params),
        "worlds": _whole(lambda p, progress, cancelled: kahm.run_worlds(p), params),
        "sober": _whole(lambda p, progress, cancelled: kahm.run_sober(data, p), params),
        "study": _growing(partial(kahm.run_study, data, params)),
        "parties": _growing(partial(kahm.run_parties, data, params)),
    }


def _whole(run: Callable[..., Any], params: KahmParams) -> Work:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        found = run(
            params,
            progress=lambda part: report(Stage(None, min(part, 0.99))),
            cancelled=cancelled,
        )
        if not cancelled():
            report(Stage(found, 1.0))

    return work


def _growing(run: Callable[..., Iterator[tuple[float, Any]]]) -> Work:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        for part, found in run(cancelled=cancelled):
            report(Stage(found, part))

    return work
