"""Draws as arrays, readouts and sentences: the one place that says of a measured number how sure it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore.estimate import Difference, Estimate, Rate, median_interval, middle
from ui import live
from ui.figure_kit.common import array
from ui.live import Readout
from ui.words.numbers import show

__all__ = [
    "causes",
    "difference_arrays",
    "difference_readout",
    "estimate_in_words",
    "median_arrays",
    "median_readout",
    "rate_arrays",
    "rate_in_words",
    "rate_readout",
    "unknown_arrays",
]

THIS_DRAW = "this draw"
_IN_RANGE = {"in 100": ("hundredths", " in 100"), "points": (".1f", " points")}


def median_arrays(name: str, draws: ArrayLike, *dims: str) -> dict[str, live.Array]:
    """Return the median and the middle 80 % of draws (D, ...) as ``name``, ``name_low`` and ``name_high``."""
    low, value, high = middle(draws)
    found = {name: value, f"{name}_low": low, f"{name}_high": high}
    return {key: array(part, *dims) for key, part in found.items()}


def difference_arrays(name: str, draws: ArrayLike, *dims: str) -> dict[str, live.Array]:
    """Return the median of paired differences (D, ...), and the 95 % interval of their true median."""
    values = np.asarray(draws, float)
    low, high = median_interval(values)
    found = {name: np.median(values, axis=0), f"{name}_low": low, f"{name}_high": high}
    return {key: array(part, *dims) for key, part in found.items()}


def rate_arrays(name: str, shares: ArrayLike, tries: int, *dims: str) -> dict[str, live.Array]:
    """Return shares of hits among ``tries``, each with its 95 % Clopper-Pearson interval; NaN stays NaN."""
    flat = np.asarray(shares, float)
    rates = [
        None if np.isnan(share) else Rate(hits=round(share * tries), tries=tries)
        for share in flat.ravel()
    ]
    ends = np.array([(np.nan, np.nan) if rate is None else (rate.low, rate.high) for rate in rates])
    low, high = ends.T.reshape(2, *flat.shape)
    found = {name: flat, f"{name}_low": low, f"{name}_high": high}
    return {key: array(part, *dims) for key, part in found.items()}


def unknown_arrays(*names: str) -> dict[str, live.Array]:
    """Return estimates of which nothing is known yet."""
    return {f"{name}{end}": array(np.nan) for name in names for end in ("", "_low", "_high")}


def median_readout(
    label: str,
    name: str,
    *,
    code: str,
    n_draws: int,
    draw: str,
    what: str = "trainings",
    **parts: Any,
) -> Readout:
    """Return the readout of a median with its middle and with the number of the draw that is shown.

    ``draw`` names the array of that draw, which stands in while the median is not known.
    """
    inner, unit = _IN_RANGE.get(code, (code, ""))
    note = (
        f"median of {n_draws} {what}; 8 of 10: {{{name}_low:{inner}}} to {{{name}_high:{inner}}}{unit}; "
        f"{THIS_DRAW}: {{{draw}:{inner}}}"
    )
    return Readout(
        label=label, value=name, format=code, note=note, draw=draw, alone=THIS_DRAW, **parts
    )


def difference_readout(
    label: str, name: str, *, code: str, n_draws: int, what: str = "trainings", **parts: Any
) -> Readout:
    """Return the readout of a difference: told only where its interval leaves out 0."""
    note = f"median of {n_draws} {what}"
    return Readout(
        label=label, value=name, format=code, low=f"{name}_low", high=f"{name}_high", note=note, **parts
    )  # fmt: skip


def rate_readout(label: str, name: str, *, tries: int, note: str = "", **parts: Any) -> Readout:
    """Return the readout of an attacker's share of right guesses, with its interval."""
    about = f"{{{name}_low:hundredths}} to {{{name}_high:hundredths}}, from {tries} guesses"
    return Readout(
        label=label,
        value=name,
        format="in 100",
        note=f"{about}; {note}" if note else about,
        **parts,
    )


def estimate_in_words(found: Estimate, code: str = ".3g", what: str = "trainings") -> str:
    """Return an estimate for a sentence.

    >>> from dpcore.estimate import Estimate
    >>> draws = [0.86, 0.9, 0.91, 0.88, 0.93]
    >>> estimate_in_words(Estimate.of(draws, over="noise"), "in 100")
    'about 90 in 100 (median of 5 trainings; 8 of 10: 87 to 92)'
    """
    inner, _ = _IN_RANGE.get(code, (code, ""))
    return (
        f"about {show(found.value, code)} (median of {found.n_draws} {what}; 8 of 10: "
        f"{show(found.low, inner)} to {show(found.high, inner)})"
    )


def rate_in_words(found: Rate) -> str:
    """Return a measured rate for a sentence, with its interval.

    >>> from dpcore.estimate import Rate
    >>> rate_in_words(Rate(hits=40, tries=80))
    'about 50 in 100 (39 to 61, from 80 tries)'
    """
    return (
        f"about {show(found.value, 'in 100')} ({show(found.low, 'hundredths')} to "
        f"{show(found.high, 'hundredths')}, from {found.tries} tries)"
    )


def causes(
    found: Sequence[tuple[str, Difference]], code: str = "points", what: str = "trainings"
) -> str:
    """Return what each of several causes costs, the largest first; those without a shown difference at the end.

    Each difference is that between the setting with the cause and the same setting without.

    >>> from dpcore.estimate import difference
    >>> clipping = difference([0.90, 0.91, 0.92, 0.90, 0.91, 0.92], 0.97, over="noise", direction="higher")
    >>> steps = difference([0.96, 0.98, 0.97, 0.96, 0.98, 0.97], 0.97, over="noise", direction="higher")
    >>> causes([("small steps", steps), ("clipping", clipping)])
    'Clipping costs 6.0 points (median of 6 trainings). Small steps: no difference that these 6 trainings can show.'
    """
    same = [name for name, one in found if one.low == one.high == 0]
    told = [(name, one) for name, one in found if one.leaves_out_zero]
    unseen = [name for name, one in found if not one.leaves_out_zero and name not in same]
    told.sort(key=lambda item: -abs(item[1].value))
    n_draws = min(one.n_draws for _, one in found)
    parts = [f"{name} {show(one.value, code)}" for name, one in told]
    sentences = []
    if parts:
        sentences.append(f"{_listed(parts)} ({_medians(parts)} of {n_draws} {what}).")
    if unseen:
        sentences.append(f"{_listed(unseen)}: no difference that these {n_draws} {what} can show.")
    if same:
        sentences.append(f"{_listed(same)}: no difference in the median.")
    return " ".join(_capitalized(sentence) for sentence in sentences)


def _capitalized(sentence: str) -> str:
    """Begin a sentence with a capital, also where it begins with an explained word."""
    marked = re.match(r"\[\[(\w+)\]\]", sentence)
    if marked:
        return f"[[{marked[1]}|{marked[1].capitalize()}]]{sentence[marked.end() :]}"
    return sentence[0].upper() + sentence[1:]


def _medians(parts: Sequence[str]) -> str:
    return "median" if len(parts) == 1 else "medians"


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
