"""What stands under the figure of Choose ε: the honest order, how it is compared, exports, tasks."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import streamlit as st

from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams, Costs, FarValues, Problem
from dpcore.experiments.grids import EPSILON_GRID
from pages.choose import backwards, others
from pages.choose.figure import figure
from pages.choose.memo import memo
from pages.choose.reading import reading
from ui.export import from_figure
from ui.frame import controls
from ui.frame.depth import Depth
from ui.frame.explanation import Explanation
from ui.program import filled
from ui.runner import PageState
from ui.words import escape
from ui.words.numbers import short, show, tex

__all__ = ["program", "words"]


def words(state: PageState[ChooseParams]) -> Explanation:
    """Return what stands under the figure."""
    params, problem = state.params, state.problem
    st.info(order(problem))
    far = far_values(problem, params, state["far"])
    if far:
        st.warning(far)
    return Explanation(
        shown=f"every curve comes from {choose.N_DRAWS} tries of every method at {len(choose.NODES)} values of ε, "
        "each a release of its own. Publish one.",
        formula=lambda: _compared(params),
        claims=lambda: _claims(state),
        claims_from=Depth.LOOK,
        sections={"Where others stand": lambda: others.draw(params.epsilon)},
        checks={"DP-SGD with everybody, or with a sample in each step": lambda: st.markdown(_SAMPLED)},
        bundle=from_figure.taken(
            figure, state, draws="cost", panels=("cost", "methods", "whom", "risk", "left"),
            whole=("costs", "attack"), name="choose", title=f"Which ε? {problem.dataset.title}",
            guarantee=choose.guarantee(params, problem, method_now(state)), code=program,
        ),
        tasks=_TASKS,
    )  # fmt: skip


def method_now(state: PageState[ChooseParams]) -> str | None:
    """Return the method that is shown at the ε of the page; None where it is not known yet."""
    shown = choose.methods_at(state.params, state.problem, state["costs"])
    return shown[EPSILON_GRID.index(state.params.epsilon)]


def _claims(state: PageState[ChooseParams]) -> None:
    if controls.depth() >= Depth.UNDERSTAND:
        backwards.draw(state)
        costs = state["costs"]
        if state.problem.is_own and costs is not None and costs.whole:
            st.markdown(selection(state.problem, state.params, costs))
    _memo(state)


def _memo(state: PageState[ChooseParams]) -> None:
    """Offer the memo once everything is tried; what is provisional is not handed out."""
    st.markdown("## The memo")
    costs = state["costs"]
    ready = costs is not None and costs.whole
    other = state.params.other
    st.caption(
        "One page to print: the choice, its cost, the risk, what is not protected, and a link that brings it back."
        + (f" Beside it stands ε = {short(other.epsilon)}." if other else " *Pin for the memo* puts a second "
           "choice beside it.")
        + ("" if ready else " The memo is ready once every method has been tried.")
    )  # fmt: skip
    address = (st.context.url or "").partition("?")[0]
    st.download_button(
        f"Memo for ε = {short(state.params.epsilon)} (HTML, prints on one page)",
        lambda: memo(
            state.problem, state.params, state["costs"], address, date.today(), state["people"]
        ),
        f"memo-epsilon-{state.params.epsilon:g}.html", "text/html", on_click="ignore", disabled=not ready,
    )  # fmt: skip


def order(problem: Problem) -> str:
    """Return the honest order, and what of it the page does for an own table."""
    text = (
        "**The honest order.** Looking at these curves for private data, and choosing ε by them, gives something "
        "away that no ε counts. So choose on public data, or on made-up data that look like yours. Then use your "
        "own data once, with the ε you have chosen."
    )
    if problem.is_made_up:
        return f"{text} These curves are measured on made-up data with your declared facts: no row was read."
    if problem.is_own:
        return (
            f"{text} These curves are measured on your table, for your eyes alone. *Measured on: made-up data* shows "
            "them for made-up records with the bounds, classes and number of records that you declared."
        )
    return text


def far_values(problem: Problem, params: ChooseParams, found: FarValues | None) -> str:
    """Return what bounds read from the table cost, "" where no difference shows or nothing is known."""
    if found is None or not (found.more.leaves_out_zero and found.more.loss > 0):
        return ""
    told = reading(problem, params)
    wide, narrow = told.number(found.wide.value), told.number(found.narrow.value)
    return (
        f"**The bounds cost mistakes.** They were read from the table. At ε = {short(params.epsilon)}, "
        f"{problem.names[found.method]} has {wide} ({escape.plain(told.note)}); with bounds that leave out the "
        f"lowest and highest 1 % of each column, {narrow} (medians of {found.wide.n_draws} tries with the same "
        "noise). A few far values make the bounds wide, and all other records lie close together between them."
    )


def selection(problem: Problem, params: ChooseParams, costs: Costs) -> str:
    """Return how the method may be chosen on an own table, and what each way costs at the ε of the page."""
    told, found = reading(problem, params), choose.charged_choice(problem, params, costs)
    e = short(params.epsilon)
    paid = (
        f"left for each run: ε = {show(found.run)}; {told.number(found.error.value)} (8 of 10 between "
        f"{told.number(found.error.low)} and {told.number(found.error.high)}, simulated)"
        if found.error
        else f"left for each run: ε = {show(found.run)}, too little to compare methods here"
    )
    at = EPSILON_GRID.index(params.epsilon)
    fixed = str(choose.methods_at(params.but(method="best"), problem, costs)[at])
    best = costs.tried[fixed].quantiles()[1, at]
    return (
        "## How the method is chosen\n"
        "Choosing the best of several methods on the same private table leaks as well. Three ways:\n\n"
        f"| way | cost | mistakes at ε = {e} in all ({escape.plain(told.note)}) |\n|---|---|---|\n"
        f"| **on made-up data** (what this page does) | none: no row is read | {told.number(best)}, with "
        f"{problem.names[fixed]} |\n"
        f"| on the table, and charged | the best of runs with ε = {e} each costs ε = {show(found.total)} "
        f"({show(found.total / params.epsilon, '.2g')} times) | {paid} |\n"
        "| fixed beforehand | none, if it is so | those of the method that you name |\n\n"
        f"Charged: a random number of runs ({short(choose.MEAN_RUNS)} on average, logarithmic), each with a method "
        "drawn at random and a noisy score on the test part; the best is published (Papernot and Steinke 2022, "
        "Theorem 2; Liu and Talwar 2019 have at most three times for pure ε)."
    )


_SAMPLED = (
    "Abadi et al. (2016) take a random sample in each step, and so do most programs. By the account of Poisson "
    "sampling, a smaller sample needs as much noise for the same mean. We compared the mistakes, with a half and a "
    "fifth of the people in each step: in 42 of 48 cases the median of 17 tries was as high or higher, in six it was "
    "lower, by at most 40 of 1000. (Breast cancer, wine, iris and half moons; both models; ε = 0.2, 1 and 5.)"
)


def _compared(params: ChooseParams) -> None:
    st.markdown("## What is compared, and how")
    st.markdown(
        f"Every method gets the noise that gives **the same guarantee**: ε = {short(params.epsilon)}, "
        f"δ = {short(params.delta)}, where one whole record may be replaced by any other. The number of people, the "
        "bounds and the list of classes are public."
    )
    st.markdown(
        "- **DP-SGD** and the LVQ methods: 40 and 20 noisy steps on everybody. A replaced record moves the sum of "
        "clipped gradients by at most 2C. DP-SGD usually takes a random sample in each step (*Gradient descent*). "
        "We take everybody: it costs time, and hardly any mistakes (*Check the papers*).\n"
        "- **Invented people**: noisy class sizes, sums and second moments; people are drawn from them, and a "
        "ridge classifier learns from those alone.\n"
        "- **Affine hulls**: every single value gets Laplace noise with the ε at which all values of a record "
        "together cost (ε, δ). The class stays unprotected.\n"
        "- **Regression**: the functional mechanism repaired (one joint release), Gaussian noise on the sums, "
        "AdaSSP, noise on the result, gradient descent. Predictions are put on the public range.\n\n"
        "Step sizes and clipping norms are fixed. We chose them with the embedded data in view, so your own data "
        "may find other settings better. Of public data, “the best one at each ε” is picked by the same tries that "
        "are drawn, which flatters it a little; of an own table, on made-up data with its declared facts. Affine "
        "hulls leave the class unprotected, and are no candidates."
    )
    st.latex(
        r"\text{right guesses} \le \frac{e^\varepsilon + \delta}{1 + e^\varepsilon}"
        rf" = {tex(float(choose.most_right(params.epsilon, params.delta)))}"
    )


_TASKS = """
1. **Where is the knee?** Drag ε from 20 to the left. From where on do mistakes climb?
2. **Who pays first?** Watch the groups while you drag. Which group leaves the others, and at which ε?
3. **Another size.** Take *Wine* (178 bottles) and then *Digits* (1797). Which one bears a smaller ε, and why?
"""


def program(params: ChooseParams, problem: Problem | None = None) -> str:
    """Return the program of the page with these parameters."""
    file = Path(__file__).with_name("program.py")
    own = {}
    if params.dataset == "own":
        number = problem is not None and not problem.classifies
        read = "own_regression(table, ...)" if number else "table.to_dataset(...)"
        own["problem"] = f"choose.Problem(...)  # {read}, table = datasets.read_csv('your.csv')"
    return filled(file, params=f"choose.{params.to_code()}", **own)
