"""Estimates from random draws as arrays, readouts and sentences, each with its uncertainty."""

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
from ui.words import text
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

T = text.load_text(__file__)
TRAININGS, THIS_DRAW = T("estimates.trainings"), T("estimates.this_draw")
_IN_RANGE = {"in 100": ("hundredths", "in_100"), "points": (".1f", "points")}


def median_arrays(name: str, draws: ArrayLike, *dims: str) -> dict[str, live.Array]:
    """Return the median and the middle 80 % of D random draws (D, ...).

    The three arrays are named ``name``, ``name_low`` and ``name_high``.
    """
    low, value, high = middle(draws)
    parts = {name: value, f"{name}_low": low, f"{name}_high": high}
    return {key: array(part, *dims) for key, part in parts.items()}


def difference_arrays(name: str, draws: ArrayLike, *dims: str) -> dict[str, live.Array]:
    """Return the median of D paired differences (D, ...), with its confidence interval, as three arrays.

    They are the median and the two ends of its 95 % confidence interval.
    """
    values = np.asarray(draws, float)
    low, high = median_interval(values)
    parts = {name: np.median(values, axis=0), f"{name}_low": low, f"{name}_high": high}
    return {key: array(part, *dims) for key, part in parts.items()}


def rate_arrays(name: str, shares: ArrayLike, tries: int, *dims: str) -> dict[str, live.Array]:
    """Return the success rates ``shares``, measured in ``tries`` tries, with confidence intervals, as three arrays.

    They are the rates and the two ends of their 95 % Clopper-Pearson intervals. The ends are NaN where the rate is.
    """
    flat = np.asarray(shares, float)
    rates = [
        None if np.isnan(share) else Rate(hits=round(share * tries), tries=tries)
        for share in flat.ravel()
    ]
    ends = np.array([(np.nan, np.nan) if rate is None else (rate.low, rate.high) for rate in rates])
    low, high = ends.T.reshape(2, *flat.shape)
    parts = {name: flat, f"{name}_low": low, f"{name}_high": high}
    return {key: array(part, *dims) for key, part in parts.items()}


def unknown_arrays(*names: str) -> dict[str, live.Array]:
    """Return the arrays of estimates that are not computed yet, each filled with NaN.

    ``names``: names of the estimates. Each estimate has three arrays: its value and the two ends of
    its interval.
    """
    return {f"{name}{end}": array(np.nan) for name in names for end in ("", "_low", "_high")}


def median_readout(
    label: str,
    name: str,
    *,
    code: str,
    n_draws: int,
    draw: str,
    what: str = TRAININGS,
    **parts: Any,
) -> Readout:
    """Return the readout of a median with its middle 80 %.

    ``draw``: name of the array with the value for the displayed random draw. Until the median is
    computed, this value is shown instead.
    """
    inner, unit = _IN_RANGE.get(code, (code, ""))
    low, high = f"{{{name}_low:{inner}}}", f"{{{name}_high:{inner}}}"
    note = T(
        "estimates.median", n_draws=n_draws, what=what, low=low,
        high=T(f"estimates.{unit}", value=high) if unit else high, draw=f"{{{draw}:{inner}}}",
    )  # fmt: skip
    brief = T("estimates.median_brief", low=low, high=high)
    return Readout(
        label=label, value=name, format=code, note=note, brief=brief, draw=draw, alone=THIS_DRAW, **parts
    )  # fmt: skip


def difference_readout(
    label: str, name: str, *, code: str, n_draws: int, what: str = TRAININGS, draw: str = "", **parts: Any
) -> Readout:  # fmt: skip
    """Return the readout of a difference; the number is shown only if its interval excludes 0.

    ``draw``: name of the array with the difference in the displayed draw. Until the median of all
    draws is computed, this difference is shown instead.
    """
    note = T("estimates.difference", n_draws=n_draws, what=what)
    return Readout(
        label=label, value=name, format=code, low=f"{name}_low", high=f"{name}_high", note=note,
        brief=T("estimates.difference_brief"),
        draw=draw, alone=THIS_DRAW if draw else "", **parts,
    )  # fmt: skip


def rate_readout(label: str, name: str, *, tries: int, note: str = "", **parts: Any) -> Readout:
    """Return the readout of an attack's success rate, with its confidence interval."""
    ends = {"low": f"{{{name}_low:hundredths}}", "high": f"{{{name}_high:hundredths}}"}
    return Readout(
        label=label,
        value=name,
        format="in 100",
        note=T("estimates.rate_note", tries=tries, note=note, **ends)
        if note
        else T("estimates.rate", tries=tries, **ends),
        **parts,
    )


def estimate_in_words(estimate: Estimate, code: str = ".3g", what: str = TRAININGS) -> str:
    """Return an estimate as text for a sentence.

    >>> from dpcore.estimate import Estimate
    >>> draws = [0.86, 0.9, 0.91, 0.88, 0.93]
    >>> estimate_in_words(Estimate.of(draws, over="noise"), "in 100")
    'about 90 in 100 (median of 5 trainings; 8 of 10: 87 to 92)'
    """
    inner, _ = _IN_RANGE.get(code, (code, ""))
    return T(
        "estimates.in_words", value=show(estimate.value, code), n_draws=estimate.n_draws, what=what,
        low=show(estimate.low, inner), high=show(estimate.high, inner),
    )  # fmt: skip


def rate_in_words(rate: Rate) -> str:
    """Return a measured rate as text for a sentence, with its interval.

    >>> from dpcore.estimate import Rate
    >>> rate_in_words(Rate(hits=40, tries=80))
    'about 50 in 100 (39 to 61, from 80 tries)'
    """
    return T(
        "estimates.rate_in_words", value=show(rate.value, "in 100"), low=show(rate.low, "hundredths"),
        high=show(rate.high, "hundredths"), tries=rate.tries,
    )  # fmt: skip


def causes(
    differences: Sequence[tuple[str, Difference]], code: str = "points", what: str = TRAININGS
) -> str:
    """Return a sentence on what each of several causes costs, the largest cost first.

    A cost is the difference between results with a cause and results without it. Causes without a
    significant cost come last.

    >>> from dpcore.estimate import difference
    >>> clipping = difference([0.90, 0.91, 0.92, 0.90, 0.91, 0.92], 0.97, over="noise", direction="higher")
    >>> steps = difference([0.96, 0.98, 0.97, 0.96, 0.98, 0.97], 0.97, over="noise", direction="higher")
    >>> causes([("small steps", steps), ("clipping", clipping)])
    'Clipping costs 6.0 points (median of 6 trainings). Small steps: no difference that these 6 trainings can show.'
    """
    same = [name for name, one in differences if one.low == one.high == 0]
    effects = [(name, one) for name, one in differences if one.leaves_out_zero]
    unseen = [name for name, one in differences if not one.leaves_out_zero and name not in same]
    effects.sort(key=lambda item: -abs(item[1].value))
    draws = {"n_draws": min(one.n_draws for _, one in differences), "what": what}
    parts = [f"{name} {show(one.value, code)}" for name, one in effects]
    sentences = []
    if parts:
        number = "one" if len(parts) == 1 else "several"
        sentences.append(T(f"causes.{number}", causes=_listed(parts), **draws))
    if unseen:
        sentences.append(T("causes.unseen", causes=_listed(unseen), **draws))
    if same:
        sentences.append(T("causes.same", causes=_listed(same)))
    return " ".join(_capitalized(sentence) for sentence in sentences)


def _capitalized(sentence: str) -> str:
    """Return a sentence with its first letter in upper case.

    The first letter may be in a marked glossary word.
    """
    marked = re.match(r"\[\[(\w+)\]\]", sentence)
    if marked:
        return f"[[{marked[1]}|{marked[1].capitalize()}]]{sentence[marked.end() :]}"
    return sentence[0].upper() + sentence[1:]


def _listed(parts: Sequence[str]) -> str:
    if len(parts) == 1:
        return parts[0]
    return T("causes.listed", first=", ".join(parts[:-1]), last=parts[-1])
