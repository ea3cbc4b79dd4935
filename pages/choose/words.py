"""What stands under the figure of Choose ε: the honest order, how it is compared, exports, tasks."""

from __future__ import annotations

from datetime import date

import streamlit as st

from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams
from pages.choose import backwards, others
from pages.choose.figure import figure
from pages.choose.memo import memo
from ui import controls, export_figure
from ui.depth import Depth
from ui.explanation import Explanation
from ui.numbers_in_words import short, tex
from ui.runner import PageState

__all__ = ["words"]


def words(state: PageState[ChooseParams]) -> Explanation:
    """Return what stands under the figure."""
    params, problem = state.params, state.problem
    st.info(_ORDER)
    return Explanation(
        shown=f"every curve comes from {choose.N_DRAWS} tries of every method at {len(choose.NODES)} values of ε, "
        "each a release of its own. Publish one.",
        formula=lambda: _compared(params),
        claims=lambda: _claims(state),
        claims_from=Depth.LOOK,
        sections={"Where others stand": lambda: others.draw(params.epsilon)},
        checks={"DP-SGD with everybody, or with a sample in each step": lambda: st.markdown(_SAMPLED)},
        bundle=export_figure.taken(
            figure, state, draws="cost", panels=("cost", "methods", "whom", "risk", "left"),
            whole=("costs", "attack"), name="choose", title=f"Which ε? {problem.dataset.title}",
            guarantee=choose.guarantee(params, problem), code=choose.code,
        ),
        tasks=_TASKS,
    )  # fmt: skip


def _claims(state: PageState[ChooseParams]) -> None:
    if controls.depth() >= Depth.UNDERSTAND:
        backwards.draw(state)
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
        + ("" if ready else " It can be had when all methods have been tried.")
    )  # fmt: skip
    address = (st.context.url or "").partition("?")[0]
    st.download_button(
        f"Memo for ε = {short(state.params.epsilon)} (HTML, prints on one page)",
        lambda: memo(
            state.problem, state.params, state["costs"], address, date.today(), state["people"]
        ),
        f"memo-epsilon-{state.params.epsilon:g}.html", "text/html", on_click="ignore", disabled=not ready,
    )  # fmt: skip


_ORDER = (
    "**The honest order.** Looking at these curves for private data, and choosing ε by them, gives something "
    "away that no ε counts. So choose on public data, or on made-up data that look like yours. Then use your "
    "own data once, with the ε you have chosen."
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
        "may find other settings better. “The best one at each ε” is picked by the same tries that are drawn, which "
        "flatters it a little."
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
