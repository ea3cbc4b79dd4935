"""Texts common to the prototype pages: costs, formulas, the initialization, and Table 1 of Brinkrolf et al."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from dpcore import accounting, mechanisms, sensitivity
from dpcore.experiments import relevance
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.relevance import Problem, RelevanceParams
from dpcore.lvq.guarantee import start_scales
from ui.prototypes.paper import sweep_words, table
from ui.words import text
from ui.words.numbers import short, tex

__all__ = [
    "Release",
    "checks",
    "formula",
    "printed_sigma",
    "releases",
    "shown",
    "step_size",
    "table_1",
    "words_of_reading",
]

T = text.load_text(__file__)
_DIVISOR = {"poisson": "qN", "fixed": "L"}
_TABLE_1 = Path(__file__).resolve().parents[2] / "docs" / "table1.md"


def shown(params: RelevanceParams, n_draws: int) -> str:
    """Return a sentence with the joint privacy cost of all displayed trainings at ε.

    The cost is computed by Rényi DP.
    """
    together = relevance.shown_epsilon(params, 1 + n_draws)
    return T("words.shown", n=n_draws, together=together, delta=params.delta)


def checks(
    params: RelevanceParams, problem: Problem, sweep: Callable[[], object] | None = None
) -> dict[str, Callable[[], object]]:
    """Return the sections that compare a page with Brinkrolf et al., by title.

    Their subjects are initialization, σ, Table 1 and the sweep over settings. ``sweep`` draws the
    last section, if given.
    """
    return {
        T("words.start.title"): lambda: _start(params, problem),
        T("words.together.title"): lambda: _together(params),
        T("words.table_1.title"): lambda: st.markdown(table_1()),
        T("words.sweep.title"): sweep or (lambda: st.markdown(sweep_words())),
    }


def _together(params: RelevanceParams) -> None:
    """Display a sentence with the joint privacy cost of initialization and steps.

    σ is chosen as in Brinkrolf et al.
    """
    paper = params.but(recipe="paper")
    added = relevance.real_epsilons(paper)[_at(params)]
    st.markdown(T("words.together.cost", added=added, joint=relevance.joint_epsilon(paper)))


def table_1() -> str:
    """Return the text on Table 1 of Brinkrolf et al.: our results, and where the paper's σ gives the claimed ε."""
    page = _TABLE_1.read_text("utf-8")
    rows = page[page.index("## Private") : page.index("## Settings")]
    printed, broken = RelevanceParams().but(**relevance.PAPER), relevance.printed_breaks()
    costs = T(
        "words.table_1.broken", sample_rate=printed.sample_rate, epochs=printed.epochs, broken=broken
    )  # fmt: skip
    return "\n\n".join((T("words.table_1.about"), costs, rows))


def words_of_reading(cost: float, claimed: float, lots: str = "poisson") -> str:
    """Return sentences on whether and why the σ of Brinkrolf et al. costs more than claimed.

    ``lots``: kind of lots (batches), which selects one of two interpretations of their paper.
    """
    verdict = T(f"words.printed.{'broken' if cost > claimed else 'holds'}_{lots}")
    return f"{verdict} {T('words.printed.why')} {T(f'words.printed.literally_{lots}')}"


def step_size(params: RelevanceParams) -> str:
    """Return the step size in TeX: the learning rate η divided by the expected number of records in a step."""
    return rf"\tfrac{{\eta}}{{{_DIVISOR[params.lots]}}}"


def formula(
    params: RelevanceParams, step: Callable[[float], Sequence[str]], about: str = ""
) -> None:
    """Display the formula of a training step, and its noise σ with current numbers.

    ``about`` is a text below the formula.
    """
    st.markdown(T("words.formula.title"))
    for line in step(relevance.noise_multipliers(params)[_at(params)]):
        st.latex(line)
    if about:
        st.markdown(about)
    needed = relevance.noise_multipliers(params.but(recipe="tight"))[_at(params)]
    words = T(
        f"words.formula.{params.lots}", steps=_steps(params), share=params.init_share,
        epsilon=params.epsilon, rest=(1 - params.init_share) * params.epsilon, sigma=needed,
    )  # fmt: skip
    st.markdown(words)


def printed_sigma(params: RelevanceParams, more: str = "") -> None:
    """Display the σ published by Brinkrolf et al. and its real ε.

    The sentence ``more`` follows.
    """
    rest, steps = (1 - params.init_share) * params.epsilon, _steps(params)
    sigma = accounting.paper_noise_multiplier(
        rest, params.delta, sample_rate=params.sample_rate, n_steps=steps
    )
    cost = relevance.real_epsilons(params.but(recipe="paper"))[_at(params)]
    st.markdown(T("words.printed.title"))
    st.latex(
        rf"\sigma = \frac{{2q\sqrt{{T\ln(1/\delta)}}}}{{\varepsilon_2}} = "
        rf"\frac{{2\cdot {tex(params.sample_rate)}\sqrt{{{steps}\cdot {tex(math.log(1 / params.delta))}}}}}"
        rf"{{{tex(rest)}}} = {tex(sigma)}"
    )
    sentences = (
        T("words.printed.cost", cost=cost, epsilon=params.epsilon),
        words_of_reading(cost, params.epsilon, params.lots),
        more,
    )
    st.markdown(" ".join(filter(None, sentences)))


def _at(params: RelevanceParams) -> int:
    return EPSILON_GRID.index(params.epsilon)


def _steps(params: RelevanceParams) -> int:
    return max(1, round(params.epochs / params.sample_rate))


class Release(NamedTuple):
    """One way to release noisy class sizes and class sums.

    ``on_size`` and ``on_sum``: standard deviations of the noise on a class size, and on an entry of
    a class sum.
    """

    name: str
    on_size: float
    on_sum: float


def releases(params: RelevanceParams, n_features: int) -> list[Release]:
    """Return four ways to release the class sizes and sums for the initialization.

    - Separate Laplace noise on sizes and sums, as published by Brinkrolf et al.
    - Separate Laplace noise, as a replaced record requires.
    - Joint release of sizes and sums with Laplace noise.
    - Joint release with Gaussian noise.

    All ways use ε₁, the initialization's share of ε.
    """
    first, half = params.init_share * params.epsilon, params.delta / 2
    removed = start_scales("laplace", first, half, n_features, "add_remove")
    replaced = start_scales("laplace", first, half, n_features, "replace_one")
    together = mechanisms.laplace_scale(
        sensitivity.counts_and_sums(n_features, norm=1, neighbouring="add_remove"), first
    )
    gaussian = start_scales("gaussian", first, half, n_features, "add_remove")
    root = math.sqrt(2)  # a Laplace scale as a standard deviation
    return [
        Release("removed", *(root * b for b in removed)),
        Release("replaced", *(root * b for b in replaced)),
        Release("together", root * together, root * together),
        Release("gaussian", *gaussian),
    ]


def _start(params: RelevanceParams, problem: Problem) -> None:
    """Display the noise scales of the initialization with the current numbers: published ones and correct ones."""
    d, first = int(problem.X.shape[1]), params.init_share * params.epsilon
    printed = T(
        "words.start.printed", share=params.init_share, epsilon=params.epsilon, first=first, d=d
    )
    st.markdown(printed)
    st.latex(
        rf"\Delta f = 1,\quad \Delta g = d = {d},\qquad \beta_f = \frac{{2}}{{\varepsilon_1}} = "
        rf"{tex(2 / first)},\quad \beta_g = \frac{{2d}}{{\varepsilon_1}} = {tex(2 * d / first)}"
    )
    st.markdown(_start_table(params, problem))
    st.markdown(T("words.start.why"))


def _start_table(params: RelevanceParams, problem: Problem) -> str:
    size = float(problem.counts.mean())
    rows = [
        (
            T(f"words.start.{one.name}.title"), T(f"words.start.{one.name}.noise"), short(one.on_size),
            short(one.on_sum), short(one.on_sum / size),
        )
        for one in releases(params, int(problem.X.shape[1]))
    ]  # fmt: skip
    return f"{table(T('words.start.head'), rows)}\n\n{T('words.start.mean', size=size)}"
