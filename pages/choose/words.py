"""Texts below the figure of the Choose ε page: order of decisions, methods, downloads, and tasks."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import streamlit as st

from dpcore.estimate import Estimate
from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams, Costs, FarValues, Problem
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.guarantee import Guarantee
from pages.choose import backwards, others
from pages.choose.figure import figure
from pages.choose.meaning import in_full
from pages.choose.memo import memo
from pages.choose.reading import Reading, reading
from ui.export import from_figure
from ui.frame import controls
from ui.frame.explanation import Explanation
from ui.live.depth import Depth
from ui.program import filled
from ui.runner import PageState
from ui.words import escape, text
from ui.words.numbers import tex

__all__ = ["program", "words"]

T = text.load_text(__file__)


def words(state: PageState[ChooseParams]) -> Explanation:
    """Return the explanatory text below the figure, for the current parameters and results."""
    params, problem = state.params, state.problem
    st.info(order(problem))
    far = far_values(problem, params, state["far"])
    if far:
        st.warning(far)
    return Explanation(
        shown=T("words.shown", n_tries=choose.N_DRAWS, n_epsilons=len(choose.NODES)),
        formula=lambda: _compared(params, choose.guarantee(params, problem)),
        claims=lambda: _claims(state),
        claims_from=Depth.LOOK,
        sections={T("others.title"): lambda: others.draw(params.epsilon)},
        checks={T("sampled.title"): lambda: st.markdown(T("sampled.found"))},
        bundle=from_figure.taken(
            figure, state, draws="cost", panels=("cost", "methods", "whom", "risk", "left"),
            whole=("costs", "attack"), name="choose", title=T("words.bundle", data=problem.dataset.title),
            guarantee=choose.guarantee(params, problem, method_now(state)), code=program,
        ),
        tasks=T("words.tasks"),
    )  # fmt: skip


def method_now(state: PageState[ChooseParams]) -> str | None:
    """Return the name of the method that is used at the page's ε, or None before it is known.

    If the user chose "best", this is the method with the smallest error.
    """
    shown = choose.methods_at(state.params, state.problem, state["costs"])
    return shown[EPSILON_GRID.index(state.params.epsilon)]


def _claims(state: PageState[ChooseParams]) -> None:
    if controls.depth() >= Depth.UNDERSTAND:
        costs = state["costs"]
        if costs is not None:
            st.markdown(escape.plain(in_full(state.problem, state.params, costs)))
        backwards.draw(state)
        if state.problem.is_own and costs is not None and costs.whole:
            st.markdown(selection(state.problem, state.params, costs))
    _memo(state)


def _memo(state: PageState[ChooseParams]) -> None:
    """Draw the button that downloads the memo; it is disabled until every method has been run."""
    st.markdown(f"## {T('memo.heading')}")
    costs, params = state["costs"], state.params
    ready = costs is not None and costs.whole
    st.caption(_offer(params, ready))
    address = (st.context.url or "").partition("?")[0]
    st.download_button(
        T("memo.download", epsilon=params.epsilon),
        lambda: memo(state.problem, params, state["costs"], address, date.today(), state["people"]),
        f"memo-epsilon-{state.params.epsilon:g}.html", "text/html", on_click="ignore", disabled=not ready,
    )  # fmt: skip


def _offer(params: ChooseParams, ready: bool) -> str:
    """Return a text that describes the memo, names the second choice, and states whether the memo is ready."""
    other = params.other
    beside = T("memo.beside", epsilon=other.epsilon) if other else T("memo.pin")
    return " ".join([T("memo.offer"), beside, *([] if ready else [T("memo.not_ready")])])


def order(problem: Problem) -> str:
    """Return a text with the recommended order: first choose ε on public data, then use the private data once.

    For a user's table, the text also states whether the page measures on the table or on made-up data.
    """
    if problem.is_synthetic:
        return f"{T('order.rule')} {T('order.made_up')}"
    return f"{T('order.rule')} {T('order.own')}" if problem.is_own else T("order.rule")


def far_values(problem: Problem, params: ChooseParams, comparison: FarValues | None) -> str:
    """Return a warning that the error is larger because the bounds, which were read from the table, are too wide.

    The warning is "" if this increase of the error is not known or not significant.
    """
    if comparison is None or not (comparison.more.leaves_out_zero and comparison.more.loss > 0):
        return ""
    display = reading(problem, params)
    return T(
        "far.cost", epsilon=params.epsilon, method=problem.names[comparison.method],
        wide=display.number(comparison.wide.value), narrow=display.number(comparison.narrow.value),
        note=escape.plain(display.note), n_draws=comparison.wide.n_draws,
    )  # fmt: skip


def selection(problem: Problem, params: ChooseParams, costs: Costs) -> str:
    """Return a text that compares ways to choose a method for a user's table, by their errors at the page's ε."""
    display, charged = reading(problem, params), choose.charged_choice(problem, params, costs)
    at = EPSILON_GRID.index(params.epsilon)
    fixed = str(choose.methods_at(params.but(method="best"), problem, costs)[at])
    return T(
        "selection.told", epsilon=params.epsilon, note=escape.plain(display.note), method=problem.names[fixed],
        best=display.number(costs.tried[fixed].quantiles()[1, at]), total=charged.total,
        times=charged.total / params.epsilon, charged=_charged(display, charged.run, charged.error),
        mean_runs=choose.MEAN_RUNS,
    )  # fmt: skip


def _charged(display: Reading, run: float, error: Estimate | None) -> str:
    """Return a sentence with the error of a method if the choice of the method also spends a part of ε.

    ``run`` is the ε that is left for each run of a method. ``error`` is None if this ε is too small to run any
    method.
    """
    if error is None:
        return T("selection.too_little", run=run)
    return T(
        "selection.charged", run=run, number=display.number(error.value), low=display.number(error.low),
        high=display.number(error.high),
    )  # fmt: skip


def _compared(params: ChooseParams, promise: Guarantee) -> None:
    st.markdown(f"## {T('compared.title')}")
    st.markdown(T("compared.same", epsilon=params.epsilon, delta=params.delta))
    st.markdown(T("compared.methods"))
    st.latex(
        r"\text{right guesses} \le \frac{e^\varepsilon + \delta}{1 + e^\varepsilon}"
        rf" = {tex(promise.accuracy_bound())}"
    )


def program(params: ChooseParams, problem: Problem | None = None) -> str:
    """Return the source code of the downloadable program, with the page's parameters filled in."""
    file = Path(__file__).with_name("program.py")
    own = {}
    if params.dataset == "own":
        number = problem is not None and not problem.classifies
        read = "own_regression(table, ...)" if number else "table.to_dataset(...)"
        own["problem"] = f"choose.Problem(...)  # {read}, table = datasets.read_csv('your.csv')"
    return filled(file, params=f"choose.{params.to_code()}", **own)
