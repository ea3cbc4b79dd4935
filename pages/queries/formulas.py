"""Formulas of each topic of Asking again, with the current numbers."""

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
from dpcore.experiments.queries.sensitivity import DECLARED
from ui.words import text
from ui.words.numbers import short, show, tex

__all__ = ["draw"]

T = text.beside(__file__)


def draw(params: QueriesParams, result: Any) -> None:
    """Draw the formulas of the chosen topic, with the current numbers."""
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
