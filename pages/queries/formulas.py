"""The formulas of each way of asking, with the reader's numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import streamlit as st

from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.experiments.queries import (
    Bounds,
    Choosing,
    Group,
    Neighbours,
    Numbers,
    Processing,
    Publish,
    QueriesParams,
    sensitivities,
    somebody,
)
from dpcore.experiments.queries.params import GROUPS, NUMBERS
from dpcore.experiments.queries.read_bounds import DECLARED
from ui.words.numbers import short, show, tex

__all__ = ["LECTURE", "draw"]

LECTURE = {
    "again": "Sarkar's lecture asks how to stay at ε with k answers, and leaves it open. Either each answer gets "
    "ε/k, or one answer is kept and repeated: the formulas above say what both cost.",
    "neighbours": "Sarkar's lecture gives the mean of n values the sensitivity 1/n. That is right where one value is "
    "replaced and n is public. Where people come or go, n is private, and the mean may move by ½.",
    "numbers": "Sarkar's lecture writes the L1 norm without absolute values: (1, −1) would then have length 0. It "
    "says that Gaussian noise is smaller in high dimension. That is true right of the crossing, when a person counts "
    "in all numbers.",
    "choosing": "Sarkar's lecture prints e^(εs/Δ) as the weight of an option, for all scores. That is right where "
    "the scores are counts. Otherwise it costs up to 2ε, and the right weight is e^(εs/(2Δ)).",
    "bounds": "Sarkar's lecture warns of it: the sensitivity is not computed from the data. The attack above shows "
    "why.",
    "publish": "Sarkar's lecture asks for δ = o(1/n), and adds that in practice it is sometimes a bit larger. With "
    "δ ≥ 1/n the mechanism of this figure passes, and it publishes whole records.",
}
"""What the lecture says to a way of asking, beside what is right: for Check."""


def draw(params: QueriesParams, found: Any) -> None:
    """Draw the formulas of the chosen way of asking."""
    st.markdown("## Where the numbers come from")
    _DRAWN[params.topic](params, found)


def _again(params: QueriesParams, found: Any) -> None:
    k, e = params.n_answers, params.epsilon
    st.markdown("**k answers with fresh noise.** Each is off by √2/ε, and their average by")
    st.latex(
        rf"\frac{{\sqrt2}}{{\varepsilon\sqrt k}} = {tex(2**0.5 / e / k**0.5)},\qquad "
        rf"\varepsilon_{{\text{{all}}}} = k\varepsilon = {tex(k * e)}"
    )
    st.markdown(
        "**How to stay at ε with k answers?** Give each answer ε/k: the "
        f"average is then off by √2·√k/ε = {show(2**0.5 * k**0.5 / e)}, which is worse than one answer by √k. Or "
        "answer once, keep the answer, and repeat it: that is post-processing."
    )
    st.markdown(
        "The right guesses are those of the best test of all k answers, from the distribution of their "
        "privacy loss. The lattice that we compute it on reads each answer on 16 levels, so it is never above the "
        "truth, and less than a thousandth below it."
    )


def _group(params: QueriesParams, found: Group) -> None:
    k, e = params.group, params.epsilon
    st.markdown(
        "**k people differ.** Each person changes the odds by a factor of at most e^ε, which is "
        f"{show(math.exp(e))} at your ε, so that"
    )
    st.latex(
        rf"\frac{{\Pr[y]}}{{\Pr[y+k]}} = \frac{{e^{{-|y|\varepsilon}}}}{{e^{{-|y+k|\varepsilon}}}} \le "
        rf"e^{{k\varepsilon}},\qquad k\varepsilon = {tex(k * e)},\qquad "
        rf"\mathrm{{Lap}}(k/\varepsilon) = \mathrm{{Lap}}({tex(k / e)})"
    )
    if found.pure:
        return
    row, column, place = (
        EPSILON_GRID.index(e), DELTA_GRID.index(params.delta), GROUPS.index(k),
    )  # fmt: skip
    st.markdown(
        f"**Gaussian noise** for one person has σ = {short(found.scale[row, column])}. The group moves the count by "
        f"k, so that at the same δ it has ε = **{short(found.epsilon[row, column, place])}**. The general rule of "
        f"(ε, δ) gives ({short(k * e)}, {short(found.rule_delta[row, column, place])}): true for every "
        "mechanism, and too much for this one."
    )


def _neighbours(params: QueriesParams, found: Neighbours) -> None:
    one, other = (", ".join(short(v) for v in records) for records in found.pair)
    size = " of 3 people each" if params.relation == "replace_one" else " of up to 3 people"
    st.markdown(
        f"**Tried, not only derived.** We went through all {found.tried} pairs of neighbours among the data "
        f"sets{size} with values 0, ½ and 1. None changes this answer by more than ({one}) and ({other}) do."
    )
    second = [sensitivities("histogram", 3, kind)[1] for kind in ("add_remove", "replace_one")]
    st.markdown(
        f"The sensitivities above are L1. In L2 a histogram has {short(second[0])} and {short(second[1])}. The mean "
        "of n values has 1/n when one is replaced. When people come or go, n is "
        "private: from one person to two the mean may move by ½, so one publishes a noisy sum and a noisy count "
        "instead."
    )


def _numbers(params: QueriesParams, found: Numbers) -> None:
    place = NUMBERS.index(params.n_numbers)
    first, second = found.first[place], found.second[place]
    st.markdown(
        "**Two ways to measure a change x of all k numbers**, each the largest over neighbours:"
    )
    st.latex(
        rf"\Delta_1 = \max\sum_i |x_i| = {tex(float(first))},\qquad "
        rf"\Delta_2 = \max\sqrt{{\textstyle\sum_i x_i^2}} = {tex(float(second))}"
    )
    st.markdown(
        "Each number gets Lap(Δ₁/ε), or N(0, σ²) with the smallest σ that Δ₂ allows at (ε, δ). "
        f"Here b = {short(float(found.laplace[EPSILON_GRID.index(params.epsilon), place]) / 2**0.5)}. "
        "Gaussian noise is the smaller one right of the crossing, when a person counts in all numbers."
    )


def _processing(params: QueriesParams, found: Processing) -> None:
    st.markdown(
        "**Post-processing.** A is what was published, g what is done to it. For every set S"
    )
    st.latex(
        r"\Pr[g(A(D)) \in S] = \Pr[A(D) \in g^{-1}(S)] \le e^{\varepsilon}\Pr[A(D') \in g^{-1}(S)]"
    )
    average = (
        "Two answers of ε/2 each are averaged here. The best guess from both is the best guess from their average, "
        "so averaging two answers loses nothing. "
        if params.average
        else ""
    )
    st.markdown(
        f"{average}The right guesses are exact: after processing, the likelihood ratio still rises with the answer, "
        "so that the best test is a cut. Cuts that fall between two rounded values lose nothing; the others do."
    )


def _choosing(params: QueriesParams, found: Choosing) -> None:
    two = "" if params.monotone else "2"
    st.markdown(
        "**You cannot add noise to a choice** such as the name of a film. Three ways at the same ε, with Δ = 1:"
    )
    one, half = two or "1", "/2" if two else ""
    st.latex(
        rf"\begin{{gathered}}\Pr[o] \propto e^{{\varepsilon s(o){half}}}\\"
        rf"\operatorname*{{arg\,max}}_o\, s(o) + \mathrm{{Lap}}({one}/\varepsilon)\\"
        rf"s(o) + \mathrm{{Lap}}({len(found.options.names)}/\varepsilon)\ \text{{for all }} o\end{{gathered}}"
    )
    kind = (
        "Scores that are counts only go up when a person comes: the exponent is εs."
        if params.monotone
        else "One person may raise some scores and lower others: the exponent is εs/2, and the noise 2/ε."
    )
    other = ", ".join(show(score, ".6g") for score in found.other)
    st.markdown(
        f"{kind} We tried every way in which one person can move the scores by 1: an attacker tells ({other}) "
        "apart best, which is drawn."
    )


def _bounds(params: QueriesParams, found: Bounds) -> None:
    low, high = DECLARED
    st.markdown(
        "**The mean of n = 20 values** that are put between public bounds moves by (high − low)/n. Declared:"
    )
    st.latex(
        rf"b = \frac{{{tex(high)} - {tex(low)}}}{{20\,\varepsilon}} = {tex((high - low) / 20 / params.epsilon)}"
    )
    st.markdown(
        f"**Read from the data**, the noise has the scale {show(found.there.reach / params.epsilon)} with Ada's v, "
        f"and {show(found.other.reach / params.epsilon)} without. Where the two differ, the ratio of both densities "
        "grows without bound far out; where one is 0, one answer is enough."
    )
    k = EPSILON_GRID.index(params.epsilon)
    st.markdown(
        f"At a claimed ε = {short(params.epsilon)} an attack shows ε ≥ **{short(float(found.shown[k]))}**; with "
        f"declared bounds it shows {short(float(found.honest[k]))}. So many releases cannot show more than "
        f"{short(found.ceiling)}."
    )


def _publish(params: QueriesParams, found: Publish) -> None:
    one, n = params.how == "one", params.n_people
    delta = 1 / n if one else params.chance
    st.markdown(
        "**(0, δ)-DP.** With and without a person the result is the same, unless they are published:"
    )
    st.latex(
        rf"\begin{{gathered}}\Pr[A(D)\in S] \le \Pr[A(D')\in S] + \delta,\qquad \delta = {tex(delta)}\\"
        rf"\Pr[\text{{somebody}}] = {tex(somebody(delta, n, one=one), '.1%')}\end{{gathered}}"
    )
    st.markdown(
        f"Here δn = {short(delta * n)} people are published on average. With δ ≥ 1/n this mechanism passes: so "
        "δ has to be far below one over the number of people, not near it."
    )


_DRAWN: dict[str, Callable[[QueriesParams, Any], None]] = {
    "again": _again,
    "group": _group,
    "neighbours": _neighbours,
    "numbers": _numbers,
    "processing": _processing,
    "choosing": _choosing,
    "bounds": _bounds,
    "publish": _publish,
}
