"""The words under the page Gradient descent: guarantee, readings of the formula, exports, tasks."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dpcore.experiments import descent
from dpcore.experiments.descent import DescentParams
from pages.descent.figure import figure
from pages.descent.words_places import objective, places
from ui.export import from_figure
from ui.frame.explanation import Explanation
from ui.program import filled
from ui.runner import PageState
from ui.words.numbers import short, tex

__all__ = ["program", "step", "step_words", "words"]


def words(state: PageState[DescentParams]) -> Explanation:
    """Return what stands under the figure."""
    params = state.params
    privacy = descent.guarantee(params, descent.real_epsilon(params))
    return Explanation(
        shown=_shown(params) if privacy.status != "nominal" else "",
        formula=lambda: _formula(params),
        sections={"Where the noise goes, and what each place loses": places},
        checks={
            "One step as it is printed, and what each reading costs": lambda: _printed(params),
            "Noise on the finished model: Sarkar's lecture": lambda: _output(params),
            "Noise in the objective, and what it rests on": lambda: objective(params),
        },
        bundle=from_figure.taken(
            figure,
            state,
            draws="against",
            panels=("against", "training"),
            whole=("sweep",),
            name="descent",
            title=f"Private gradient descent on {params.dataset}",
            guarantee=privacy,
            code=program,
        ),
        tasks=_TASKS,
    )


def _shown(params: DescentParams) -> str:
    """What all trainings that the page draws cost together."""
    n_releases = 1 + descent.N_DRAWS
    together = short(descent.shown_epsilon(params, n_releases))
    return (
        f"this page draws this training and {descent.N_DRAWS} others with the same σ, each with fresh noise. "
        f"Whoever sees them all has up to ε = **{together}** at the same δ = {short(params.delta)}. Publish one."
    )


def _formula(params: DescentParams) -> None:
    sigma, clip = descent.sigma(params), params.clip_norm
    lot = params.sample_rate * descent.N_TRAIN
    st.markdown("## One step, with your numbers")
    st.latex(rf"{step(params)},\quad \sigma C = {tex(sigma * clip)},\ qN = {tex(lot, '.6g')}")
    st.markdown(
        "The sum runs over the *lot*: a random group, into which everybody comes with probability "
        f"q = {short(params.sample_rate)}, independently of the others. {step_words(params)}"
    )
    st.markdown(
        "In the picture of the gradients, arrows are drawn in the plane where gradients differ most, and the mean "
        "and the step are enlarged √(qN) times."
    )


def step(params: DescentParams) -> str:
    """Return one step in TeX, as these parameters make it."""
    clips, noises = params.parts in ("both", "clip"), params.parts in ("both", "noise")
    each = noises and params.noise == "example"
    batch = clips and params.clipping == "batch"
    if batch:
        noise = r" + \sigma C \sum_{i \in L} Z_i" if each else r" + \sigma C Z" if noises else ""
        return (
            r"w \leftarrow w - \eta\Big(\mathrm{clip}_C\Big(\frac{1}{|L|}\sum_{i \in L} g_i\Big)"
            + noise
            + r"\Big)"
        )
    gradient = r"\mathrm{clip}_C(g_i)" if clips else "g_i"
    inside = rf"\sum_i \big({gradient} + \sigma C Z_i\big)" if each else rf"\sum_i {gradient}"
    once = r" + \sigma C Z" if noises and not each else ""
    return rf"w \leftarrow w - \frac{{\eta}}{{qN}}\Big({inside}{once}\Big)"


def step_words(params: DescentParams) -> str:
    """Return what the step does, as these parameters make it: what is clipped, noised and divided by."""
    clips, noises = params.parts in ("both", "clip"), params.parts in ("both", "noise")
    batch = clips and params.clipping == "batch"
    if not clips:
        said = "No gradient is shortened here, so one person may change the sum by any length. "
    elif batch:
        said = (
            "The mean gradient of the lot is shortened to C if it is longer. One person can turn it round: the step "
            "changes by up to 2C. "
        )
    else:
        said = "Each gradient g is shortened to C if it is longer, so one person changes the sum by at most C. "
    if not noises:
        said += "No noise is added here. "
    elif params.noise == "example":
        said += (
            "Z is Gaussian noise of standard deviation 1 in every direction, drawn for each record of the lot: an "
            "empty lot gets none. "
        )
    else:
        said += "Z is Gaussian noise of standard deviation 1 in every direction, drawn once for the step. "
    if batch:
        return said + "The mean divides by the size of the lot, before the noise."
    return said + (
        "We divide by the expected size qN, which is public, and not by the size of the lot, which depends on who is "
        "in the data."
    )


def _printed(params: DescentParams) -> None:
    """The readings of the algorithm as two lectures print it, with their true costs."""
    st.markdown(_readings(params))
    st.caption(
        "The outline of Abadi et al.'s algorithm in Jiang's talk has the noise "
        "inside the bracket, which is once for each record. Sarkar's lecture clips "
        "the gradient of a whole batch; then one record can move the step by 2C, and σ counts half. Where the noise "
        "comes once for each record we count the expected lot, but an empty lot gets no noise: nothing is proved."
    )


def _output(params: DescentParams) -> None:
    """The sensitivity of the finished model, as printed and as it is."""
    tight, printed = descent.run_output(
        params.dataset, params.regularisation, params.delta, params.seed
    ).sensitivities
    st.markdown(
        f"Sarkar's lecture gives the sensitivity 4G/(nλ) = {short(printed)}. The tight one is 2G/(nμ) = "
        f"**{short(tight)}**, with μ = 2λ, when one record is replaced, for G = √3 and n = {descent.N_TRAIN}."
    )
    st.markdown(
        "The lecture's formula promises enough, but adds too much noise. If λ is the factor in λ‖w‖², as here, it is "
        "four times too large. If λ stands for the strong convexity μ, it is two times too large."
    )


def _readings(params: DescentParams) -> str:
    rows, sigma = [], descent.sigma(params)
    for clipping, noise, words in (
        ("example", "lot", "each gradient clipped, noise once (proved)"),
        ("example", "example", "each gradient clipped, noise for each record (Jiang's talk)"),
        ("batch", "lot", "batch clipped, noise once (Sarkar's lecture)"),
        ("batch", "example", "batch clipped, noise for each record"),
    ):
        here = params.but(clipping=clipping, noise=noise, parts="both")
        chosen = "**" if (clipping, noise) == (params.clipping, params.noise) else ""
        rows.append(
            f"| {chosen}{words}{chosen} | {short(descent.real_noise(here, sigma))} "
            f"| {short(descent.real_epsilon(here, sigma))} |"
        )
    return "| reading | σ that counts | true ε |\n|---|---|---|\n" + "\n".join(rows)


_TASKS = """
1. **How much noise is too much?** Before you drag: will the model still be right at the largest amount of noise?
   Then drag from left to right. Where does the border begin to slip?
2. **Why cap?** Choose *only add noise* and look at the longest arrow. What noise would hide it?
3. **Why noise?** Choose *only clip* and, at *Understand*, open *Two worlds* with the most surprising person. Do the
   two histograms overlap?
4. **The bracket.** At *Check the papers*, let the noise be added once for each record, as in Jiang's talk. What
   happens to ε, and to the border?
5. **Convex or not.** At *Understand*, choose the corners with logistic regression, then with the hidden layer.
   Privacy costs the same ε: why?
"""


def program(params: DescentParams) -> str:
    """Return the program of the page with these parameters."""
    file = Path(__file__).with_name("program.py")
    return filled(file, params=f"descent.{params.to_code()}")
