"""Formulas with the current numbers for each topic of the page "Asking again"."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import streamlit as st

from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.experiments.queries import (
    N_PATIENTS,
    N_RESIDENTS,
    Bounds,
    Choosing,
    Group,
    Joined,
    Neighbours,
    Numbers,
    Processing,
    Publish,
    QueriesParams,
    Tables,
    determined_blocks,
    sensitivities,
    somebody,
)
from dpcore.experiments.queries.params import GROUPS, NUMBERS
from dpcore.experiments.queries.records import (
    BLOCK_SEED,
    TOWN_SEED,
    diagnoses_mechanism,
    tables_mechanism,
)
from dpcore.experiments.queries.sensitivity import DECLARED
from ui.words import text
from ui.words.numbers import short, show, tex

__all__ = ["draw"]

T = text.load_text(__file__)


def draw(params: QueriesParams, result: Any) -> None:
    """Display the formulas of the chosen topic, with the current numbers."""
    st.markdown(T("formulas.title"))
    _DRAWN[params.topic](params, result)


def _again(params: QueriesParams, result: Any) -> None:
    k, e = params.n_answers, params.epsilon
    st.markdown(T("formulas.again.fresh"))
    st.latex(
        rf"\frac{{\sqrt2}}{{\varepsilon\sqrt k}} = {tex(2**0.5 / e / k**0.5)},\qquad "
        rf"\varepsilon_{{\text{{all}}}} = k\varepsilon = {tex(k * e)}"
    )
    st.markdown(T("formulas.again.divided", error=2**0.5 * k**0.5 / e))
    st.markdown(T("formulas.again.attack"))


def _group(params: QueriesParams, group: Group) -> None:
    k, e = params.group, params.epsilon
    st.markdown(T("formulas.group.factor", factor=math.exp(e)))
    st.latex(
        rf"\frac{{\Pr[y]}}{{\Pr[y+k]}} = \frac{{e^{{-|y|\varepsilon}}}}{{e^{{-|y+k|\varepsilon}}}} \le "
        rf"e^{{k\varepsilon}},\qquad k\varepsilon = {tex(k * e)},\qquad "
        rf"\mathrm{{Lap}}(k/\varepsilon) = \mathrm{{Lap}}({tex(k / e)})"
    )
    if group.pure:
        return
    row, column, place = (
        EPSILON_GRID.index(e), DELTA_GRID.index(params.delta), GROUPS.index(k),
    )  # fmt: skip
    st.markdown(
        T(
            "formulas.group.gaussian",
            sigma=group.scale[row, column],
            epsilon=group.epsilon[row, column, place],
            rule_epsilon=k * e,
            rule_delta=group.rule_delta[row, column, place],
        )
    )


def _neighbours(params: QueriesParams, neighbours: Neighbours) -> None:
    one, other = (", ".join(short(v) for v in records) for records in neighbours.pair)
    st.markdown(
        T(f"formulas.neighbours.{params.relation}", n_pairs=neighbours.tried, one=one, other=other)
    )
    added, replaced = (
        sensitivities("histogram", 3, kind)[1] for kind in ("add_remove", "replace_one")
    )
    st.markdown(T("formulas.neighbours.norms", added=added, replaced=replaced))


def _numbers(params: QueriesParams, numbers: Numbers) -> None:
    place = NUMBERS.index(params.n_numbers)
    first, second = numbers.first[place], numbers.second[place]
    st.markdown(T("formulas.numbers.norms"))
    st.latex(
        rf"\Delta_1 = \max\sum_i |x_i| = {tex(float(first))},\qquad "
        rf"\Delta_2 = \max\sqrt{{\textstyle\sum_i x_i^2}} = {tex(float(second))}"
    )
    deviation = float(numbers.laplace[EPSILON_GRID.index(params.epsilon), place])
    st.markdown(T("formulas.numbers.noise", scale=deviation / 2**0.5))


def _processing(params: QueriesParams, processing: Processing) -> None:
    st.markdown(T("formulas.processing.sets"))
    st.latex(
        r"\Pr[g(A(D)) \in S] = \Pr[A(D) \in g^{-1}(S)] \le e^{\varepsilon}\Pr[A(D') \in g^{-1}(S)]"
    )
    st.markdown(T("formulas.processing.average" if params.average else "formulas.processing.one"))


def _choosing(params: QueriesParams, choices: Choosing) -> None:
    st.markdown(T("formulas.choosing.ways"))
    one, half = ("1", "") if params.monotone else ("2", "/2")
    st.latex(
        rf"\begin{{gathered}}\Pr[o] \propto e^{{\varepsilon s(o){half}}}\\"
        rf"\operatorname*{{arg\,max}}_o\, s(o) + \mathrm{{Lap}}({one}/\varepsilon)\\"
        rf"s(o) + \mathrm{{Lap}}({len(choices.options.names)}/\varepsilon)\ \text{{for all }} o\end{{gathered}}"
    )
    other = ", ".join(show(score, ".6g") for score in choices.other)
    st.markdown(
        T(
            "formulas.choosing.counts" if params.monotone else "formulas.choosing.scores",
            other=other,
        )
    )


def _bounds(params: QueriesParams, bounds: Bounds) -> None:
    low, high = DECLARED
    st.markdown(T("formulas.bounds.declared"))
    st.latex(
        rf"b = \frac{{{tex(high)} - {tex(low)}}}{{20\,\varepsilon}} = {tex((high - low) / 20 / params.epsilon)}"
    )
    there, other = (world.reach / params.epsilon for world in (bounds.there, bounds.other))
    st.markdown(T("formulas.bounds.read", there=there, other=other))
    k = EPSILON_GRID.index(params.epsilon)
    st.markdown(
        T(
            "formulas.bounds.attack",
            epsilon=params.epsilon,
            shown=bounds.shown[k],
            honest=bounds.honest[k],
            ceiling=bounds.ceiling,
        )
    )


def _publish(params: QueriesParams, publication: Publish) -> None:
    one, n = params.how == "one", params.n_people
    delta = 1 / n if one else params.chance
    st.markdown(T("formulas.publish.same"))
    st.latex(
        rf"\begin{{gathered}}\Pr[A(D)\in S] \le \Pr[A(D')\in S] + \delta,\qquad \delta = {tex(delta)}\\"
        rf"\Pr[\text{{somebody}}] = {tex(somebody(delta, n, one=one), '.1%')}\end{{gathered}}"
    )
    st.markdown(T("formulas.publish.expected", expected=delta * n))


def _reconstruct(params: QueriesParams, published: Tables) -> None:
    k, mechanism = params.n_tables, tables_mechanism(params)
    st.markdown(T("formulas.reconstruct.attack"))
    st.latex(
        r"\min_{x \ge 0,\ \sum_i x_i = 12}\ \ \frac1b\sum_c \left|y_c - c(x)\right| + "
        r"\sum_i \left(\ln x_i! - x_i \ln p_i\right)"
    )
    if params.counts == "noisy":
        st.markdown(T(f"formulas.reconstruct.{params.relation}", reach=mechanism.sensitivity))
        st.latex(
            rf"b = \frac{{{k}\cdot {tex(mechanism.sensitivity)}}}{{\varepsilon}} = {tex(mechanism.scale)}"
        )
    rate = determined_blocks(k)
    st.markdown(
        T(
            f"formulas.reconstruct.tables_{k}",
            n=published.n_consistent,
            blocks=rate.tries,
            share=rate.value,
            low=rate.low,
            high=rate.high,
        )
    )
    st.markdown(T("formulas.reconstruct.source", seed=BLOCK_SEED))


def _linkage(params: QueriesParams, join: Joined) -> None:
    if params.release == "counts":
        mechanism = diagnoses_mechanism(params)
        st.markdown(T("formulas.linkage.counts"))
        st.latex(
            rf"b = \frac{{\Delta_1}}{{\varepsilon}} = {tex(mechanism.scale)},\qquad "
            rf"\Pr[\text{{wrong}}] \ge \frac{{1}}{{1 + e^\varepsilon}} = "
            rf"{tex(1 - mechanism.privacy.accuracy_bound())}"
        )
        return
    st.markdown(T("formulas.linkage.join"))
    st.latex(
        r"\text{named: } |\{r : q(r) = q(x)\}| = 1,\qquad "
        rf"k = \min_x |\{{y : q(y) = q(x)\}}| = {join.k}"
    )
    st.markdown(T("formulas.linkage.limits"))
    st.markdown(T("formulas.linkage.source", seed=TOWN_SEED, n=N_RESIDENTS, patients=N_PATIENTS))


_DRAWN: dict[str, Callable[[QueriesParams, Any], None]] = {
    "again": _again,
    "group": _group,
    "neighbours": _neighbours,
    "numbers": _numbers,
    "processing": _processing,
    "choosing": _choosing,
    "bounds": _bounds,
    "publish": _publish,
    "reconstruct": _reconstruct,
    "linkage": _linkage,
}
