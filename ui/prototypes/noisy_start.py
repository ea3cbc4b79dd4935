"""Words on the start of private prototypes: the printed Laplace scales beside what each release needs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from dpcore import mechanisms, sensitivity
from dpcore.experiments.relevance import NoisyStart, Problem, RelevanceParams
from dpcore.guarantee import Neighbouring
from dpcore.lvq.guarantee import start_scales
from ui.frame.depth import Depth
from ui.prototypes.starts import START_TAB
from ui.runner import Stage
from ui.words.numbers import short, show, tex

__all__ = ["Release", "releases", "start_section", "starts_stage"]


def starts_stage(run: Callable[..., dict[str, NoisyStart]]) -> Stage:
    """Return the stage that draws the starts when a reader opens their tab."""
    uses = "dataset", "init_share", "lots", "seed"
    return Stage("starts", run, uses=uses, behind=False, depth=Depth.CHECK, tabs=(START_TAB,))


class Release(NamedTuple):
    """One way to release class sizes and sums: whose, and the deviation of the noise on a size and on a sum."""

    title: str
    formula: str
    on_size: float
    on_sum: float


def releases(params: RelevanceParams, n_features: int) -> list[Release]:
    """Return the printed start at ε₁, the same for a replaced record, and two joint releases."""
    first, half = params.init_share * params.epsilon, params.delta / 2
    printed = [start_scales("laplace", first, half, n_features, one) for one in _RELATIONS]
    together = mechanisms.laplace_scale(
        sensitivity.counts_and_sums(n_features, norm=1, neighbouring="add_remove"), first
    )
    gaussian = start_scales("gaussian", first, half, n_features, "add_remove")
    root = math.sqrt(2)  # a Laplace scale as a standard deviation
    return [
        Release("Brinkrolf, Berger and Hammer (2018): right where a record is added or removed",
                "Laplace, β = 2/ε₁ and 2d/ε₁", *(root * b for b in printed[0])),
        Release("the same, right where one record is replaced by another",
                "Laplace, β = 4/ε₁ and 4d/ε₁", *(root * b for b in printed[1])),
        Release("sizes and sums as one release, a record added or removed",
                "Laplace, β = (d + 1)/ε₁ on both", root * together, root * together),
        Release("what the tight accountant starts from, a record added or removed",
                "Gaussian on both, sensitivity √(d + 1), at (ε₁, δ/2)", *gaussian),
    ]  # fmt: skip


_RELATIONS: tuple[Neighbouring, ...] = ("add_remove", "replace_one")


def start_section(params: RelevanceParams, problem: Problem) -> dict[str, Callable[[], object]]:
    """Return a section on the start: the printed scales with the reader's numbers, and what is right."""
    return {"The Laplace start, as printed and as it has to be": lambda: _draw(params, problem)}


def _draw(params: RelevanceParams, problem: Problem) -> None:
    d, first = int(problem.X.shape[1]), params.init_share * params.epsilon
    st.markdown(
        "Training starts at noisy class means. **Brinkrolf, Berger and Hammer (2018) print** for the class sizes f "
        f"and the class sums g, with ε₁ = {short(params.init_share)}·{short(params.epsilon)} = {short(first)} "
        f"and d = {d}:"
    )
    st.latex(
        rf"\Delta f = 1,\quad \Delta g = d = {d},\qquad \beta_f = \frac{{2}}{{\varepsilon_1}} = "
        rf"{tex(2 / first)},\quad \beta_g = \frac{{2d}}{{\varepsilon_1}} = {tex(2 * d / first)}"
    )
    st.markdown(_table(params, problem))
    st.markdown(_WHY)


def _table(params: RelevanceParams, problem: Problem) -> str:
    size = float(problem.counts.mean())
    rows = [
        f"| {one.title} | {one.formula} | {short(one.on_size)} | {short(one.on_sum)} | "
        f"{short(one.on_sum / size)} |"
        for one in releases(params, int(problem.X.shape[1]))
    ]
    head = (
        "| start | noise | deviation on a class size | on each number of a class sum | on a class mean, about |\n"
        "|---|---|---|---|---|\n"
    )
    return (
        head
        + "\n".join(rows)
        + f"\n\nThe last column divides by the mean size of a class, {show(size, 'd')} records; "
        "features reach from −1 to 1."
    )


_WHY = (
    "Each of the two printed releases has ε₁/2, so its scale is 2Δ/ε₁. That is right for the neighbours of 2018, "
    "where one entry is deleted. They write that a record changes the sum “at least by one in each dimension”; "
    "it is at most by one. Where a record is replaced, two class sizes may change, and one sum by 2 in every "
    "feature: the printed scales are then half of what is needed. One release of both together spends ε₁ "
    "once. Gaussian noise grows with √d instead of d, and costs δ/2. The tab *Noisy start* draws the first "
    "and the last."
)
