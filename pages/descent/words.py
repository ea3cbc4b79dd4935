"""Texts of the Gradient descent page: a summary sentence, the guarantee, the formula, downloads, and tasks."""

from __future__ import annotations

import math
from pathlib import Path

import streamlit as st

from dpcore.descent import ObjectiveNoise, objective_noise
from dpcore.experiments import descent
from dpcore.experiments.descent import DescentParams
from pages.descent.figure import figure
from ui.export import from_figure
from ui.frame.explanation import Explanation
from ui.live import Text
from ui.program import filled
from ui.runner import PageState
from ui.words import text
from ui.words.numbers import short, tex
from ui.words.protection import tells

__all__ = ["meaning", "program", "step", "step_words", "words"]

T = text.load_text(__file__)

_EPSILON = 1.0  # at which noise in the objective is compared


def meaning(state: PageState[DescentParams]) -> Text:
    """Return the summary sentence for every noise level and δ, and for every value of a slider that has a preview."""
    params = state.params
    along = {name: _along(params, name) for name in state.previews()}
    said = _unproved(params)
    if said:
        kind = "unproved" if params.parts == "both" else params.parts
        return Text(strings=[said], brief=[T(f"meaning.brief.{kind}")], along=along)
    handle = "noise_multiplier" if params.asked == "noise" else "budget"
    promised = descent.guarantees(params)
    return Text(
        strings=[T("meaning.private", tells=tells(one)) for one in promised],
        brief=[T("meaning.brief.private", tells=tells(one)) for one in promised],
        dims=(handle, "delta"),
        along=along,
    )


def _unproved(params: DescentParams) -> str:
    """Return the summary sentence for a training without a proved guarantee, or "" if the guarantee is proved."""
    if params.parts != "both":
        return T(f"meaning.{params.parts}")
    return T("meaning.unproved") if params.noise == "example" else ""


def _along(params: DescentParams, name: str) -> Text:
    """Return the summary sentence at every value of the slider ``name``, with all other parameters unchanged."""
    here = [params.but(**{name: value}) for value in params.controls()[name].grid or ()]
    return Text(strings=[_unproved(one) or _private(one) for one in here], dims=(name,))


def _private(params: DescentParams) -> str:
    promised = descent.guarantee(params, descent.real_epsilon(params))
    return T("meaning.private", tells=tells(promised))


def words(state: PageState[DescentParams]) -> Explanation:
    """Return the explanatory text below the figure, for the current parameters and results."""
    params = state.params
    privacy = descent.guarantee(params, descent.real_epsilon(params))
    return Explanation(
        shown=_shown(params) if privacy.status != "nominal" else "",
        formula=lambda: _formula(params),
        sections={T("sections.places"): _places},
        checks={
            T("sections.readings"): lambda: _readings(params),
            T("sections.output"): lambda: _output(params),
            T("sections.objective"): lambda: _objective(params),
        },
        bundle=from_figure.taken(
            figure,
            state,
            draws="against",
            panels=("against", "training"),
            whole=("sweep",),
            name="descent",
            title=T("export.title", dataset=params.dataset),
            guarantee=privacy,
            code=program,
        ),
        tasks=T("tasks"),
    )


def program(params: DescentParams) -> str:
    """Return the source code of the downloadable program, with the page's parameters filled in."""
    file = Path(__file__).with_name("program.py")
    return filled(file, params=f"descent.{params.to_code()}")


def _shown(params: DescentParams) -> str:
    """Return a sentence with the total ε of all displayed trainings."""
    together = descent.shown_epsilon(params, 1 + descent.N_DRAWS)
    return T("card.shown", n_draws=descent.N_DRAWS, together=together, delta=params.delta)


def _formula(params: DescentParams) -> None:
    sigma, clip = descent.sigma(params), params.clip_norm
    lot = params.sample_rate * descent.N_TRAIN
    st.markdown(T("step.title"))
    st.latex(rf"{step(params)},\quad \sigma C = {tex(sigma * clip)},\ qN = {tex(lot, '.6g')}")
    st.markdown(T("step.words", sample_rate=params.sample_rate, step=step_words(params)))
    st.markdown(T("step.drawn"))


def step(params: DescentParams) -> str:
    """Return the formula of one training step in TeX, for these parameters."""
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
    """Return sentences on the clipping, the noise and the divisor of one training step."""
    clipping = params.clipping if params.parts in ("both", "clip") else "none"
    noise = params.noise if params.parts in ("both", "noise") else "none"
    mean = "batch" if clipping == "batch" else "example"
    return " ".join((
        T(f"step.clipping.{clipping}"), T(f"step.noise.{noise}"), T(f"step.mean.{mean}"),
    ))  # fmt: skip


def _readings(params: DescentParams) -> None:
    """Display four interpretations of the algorithm of Jiang and Sarkar, each with its real ε."""
    sigma = descent.sigma(params)
    rows = [
        _reading(params, clipping, noise, sigma)
        for clipping in ("example", "batch")
        for noise in ("lot", "example")
    ]
    st.markdown(T("readings.head") + "\n".join(rows))
    st.caption(T("readings.note"))


def _reading(params: DescentParams, clipping: str, noise: str, sigma: float) -> str:
    here = params.but(clipping=clipping, noise=noise, parts="both")
    bold = "**" if (clipping, noise) == (params.clipping, params.noise) else ""
    counts, epsilon = descent.real_noise(here, sigma), descent.real_epsilon(here, sigma)
    name = T(f"readings.{clipping}.{noise}")
    return f"| {bold}{name}{bold} | {short(counts)} | {short(epsilon)} |"


def _output(params: DescentParams) -> None:
    """Display the sensitivity of trained weights that Sarkar's lecture prints, next to the correct one."""
    tight, printed = descent.run_output(
        params.dataset, params.regularisation, params.delta, params.seed
    ).sensitivities
    st.markdown(T("output.sensitivities", printed=printed, tight=tight, n=descent.N_TRAIN))
    st.markdown(T("output.verdict"))


def _places() -> None:
    """Display a table that compares noise on the records, on the trained weights, on gradients and in the objective.

    A row states the change that the noise hides, and what is lost by the noise.
    """
    st.markdown(T("places.same") + "\n\n" + T("places.table"))


def _objective(params: DescentParams) -> None:
    """Display the algorithm of objective perturbation, its noise and its assumptions.

    The standard deviation of the Gaussian noise is compared with the one published by Kifer, Smith and Thakurta
    (2012).
    """
    pure, gaussian = _noise(params, 0.0), _noise(params, params.delta)
    kifer = math.sqrt(8 * math.log(2 / params.delta) + 4 * _EPSILON) / _EPSILON
    st.markdown(T("objective.algorithm"))
    st.latex(
        r"\varepsilon' = \varepsilon - \ln\Big(1 + \frac{2c}{n\Lambda} + \frac{c^2}{n^2\Lambda^2}\Big),"
        r"\qquad \Delta = \frac{c}{n(e^{\varepsilon/4} - 1)} - \Lambda \ \text{and}\ "
        r"\varepsilon' = \varepsilon/2 \ \text{if}\ \varepsilon' \le 0"
    )
    st.markdown(
        T("objective.scales", n=descent.N_TRAIN, pure=pure.scale, kifer=kifer,
          gaussian=gaussian.scale, volume=gaussian.jacobian)
    )  # fmt: skip
    st.markdown(T("objective.minimum"))


def _noise(params: DescentParams, delta: float) -> ObjectiveNoise:
    problem = descent.task(params.dataset)
    strength = problem.strength(params.regularisation)
    return objective_noise(_EPSILON, delta, regularisation=strength, n_samples=len(problem.y))
