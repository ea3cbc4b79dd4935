"""Texts of the Deep networks page: a summary sentence, the guarantee, the algorithm with numbers, and MNIST."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import streamlit as st

from dpcore import accounting
from dpcore.experiments import network
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.network import SOURCE, Curve, NetworkParams, published
from dpcore.network import DIGITS, MNIST
from pages.network.figure import figure, since
from pages.network.known import Known, known
from pages.network.measured import MNIST_COMMAND, mnist_curves
from ui.export import from_figure
from ui.frame.explanation import Explanation
from ui.live import Text
from ui.program import filled
from ui.runner import PageState
from ui.words import text
from ui.words.numbers import percent, show, tex
from ui.words.protection import tells

__all__ = ["meaning", "mnist_table", "program", "words"]

T = text.load_text(__file__)


def meaning(state: PageState[NetworkParams]) -> Text:
    """Return, for every ε, the summary sentence on the displayed networks and on the guarantee at this ε."""
    networks = known(state)
    if networks is None:
        return _everywhere(T("meaning.begin"))
    if networks.before is not None:
        return _everywhere(T("meaning.waiting", since=since(state.params, networks.before)))
    promised = network.guarantees(state.params)
    keys = [_sentence(state, networks, is_here=bool(here)) for here in networks.exact]
    pairs = list(zip(keys, promised, strict=True))
    strings = [T(f"meaning.{key}", tells=tells(one)) for key, one in pairs]
    brief = [T(f"meaning.brief.{_short(key)}", tells=tells(one)) for key, one in pairs]
    return Text(strings=strings, brief=brief, dims=("epsilon",))


def _everywhere(sentence: str) -> Text:
    return Text(strings=[sentence] * len(EPSILON_GRID), dims=("epsilon",))


def _sentence(state: PageState[NetworkParams], networks: Known, *, is_here: bool) -> str:
    """Return the key in ``text.toml`` of the summary sentence at one ε.

    ``is_here`` says whether a network was trained for exactly this ε.
    """
    if not is_here:
        return "elsewhere"
    verb = "reads" if np.isfinite(networks.accuracy[:, -1]).all() else "learns"
    return verb if state["plain"] is None else f"{verb}_beside"


def _short(key: str) -> str:
    """Return the key of the short form of a summary sentence, given the key of the long form."""
    return "elsewhere" if key == "elsewhere" else "here"


def words(state: PageState[NetworkParams]) -> Explanation:
    """Return the explanatory text below the figure, for the current parameters and results."""
    params, curves = state.params, mnist_curves()
    return Explanation(
        shown=_shown(params),
        formula=lambda: _formula(params),
        sections={T("words.network.title"): _network},
        checks={
            **({T("words.mnist.title"): _mnist} if curves else {}),
            T("words.printed.title"): _printed,
        },
        bundle=from_figure.taken(
            figure,
            state,
            draws="training",
            panels=("wall", "training", "spent", *(("mnist", "mnist_spent") if curves else ())),
            whole=("private", "plain"),
            name="network",
            title=T("words.name"),
            guarantee=network.guarantee(params),
            code=program,
        ),
        tasks=T("words.tasks"),
        other=("descent", T("words.next")),
    )


def _shown(params: NetworkParams) -> str:
    """Return a sentence with the total ε of all displayed trainings whose noise is independent."""
    recipe, n_draws = network.recipe(params), network.N_OUTCOMES
    together = accounting.epsilon(
        noise_multiplier=recipe.noise_multiplier,
        sample_rate=recipe.sample_rate,
        n_steps=(n_draws + 2) * recipe.n_steps,
        delta=params.delta,
    )
    return T("words.shown", n_draws=n_draws, together=together, delta=params.delta)


def _formula(params: NetworkParams) -> None:
    recipe = network.recipe(params)
    q = params.sample_rate
    lot = q * network.problem().n_train
    st.markdown(T("words.step_title"))
    st.latex(
        r"W \leftarrow W - \frac{\eta_t}{qN}\Big(\sum_{i\in L_t} \mathrm{clip}_C(g_i) + \sigma C Z_t\Big)"
    )
    st.latex(
        rf"q = {tex(q)},\quad qN = {tex(lot, '.4g')},\quad "
        rf"\sigma = {tex(recipe.noise_multiplier)},\quad \sigma C = "
        rf"{tex(recipe.noise_multiplier * params.clip_norm)},\quad T = {tex(recipe.n_steps, 'd')}"
    )
    st.markdown(T("words.step", n_weights=DIGITS.n_weights))


def _network() -> None:
    st.markdown(
        T(
            "words.network.layers",
            hidden=MNIST.hidden,
            n_mnist=MNIST.n_weights,
            n_digits=DIGITS.n_weights,
        )
    )
    st.markdown(T("words.network.gradients"))
    st.markdown(T("words.network.cap"))


def _mnist() -> None:
    st.markdown(mnist_table())
    st.caption(T("words.mnist.account"))


def mnist_table() -> str:
    """Return a Markdown table of the measured MNIST runs, with published accuracies."""
    curves = mnist_curves()
    dates = ", ".join(sorted({curve.made for curve in curves}))
    origin = T(
        "words.mnist.made", source=SOURCE, seed=curves[0].seed, dates=dates, command=MNIST_COMMAND
    )
    head = T("words.mnist.head")
    rule = "|".join("---" for _ in head.split("|"))
    return f"{origin}\n\n| {head} |\n|{rule}|\n" + "\n".join(map(_row, curves))


def _row(curve: Curve) -> str:
    row, done, plain = published(curve.name), len(curve.accuracy), T("words.mnist.plain")
    last = curve.epsilon[-1]
    cells = (
        plain if row.epsilon is None else show(row.epsilon, ".2f"),
        plain if last is None else show(last, ".2f"),
        show(row.noise_multiplier, ".1f"),
        T("words.mnist.unclipped") if row.clip_norm is None else show(row.clip_norm, ".1f"),
        show(row.learning_rate, ".2f"),
        str(row.epochs) if curve.is_whole else T("words.mnist.epochs", done=done, all=row.epochs),
        percent(row.accuracy),
        percent(curve.accuracy[-1]),
    )
    return "| " + " | ".join(cells) + " |"


def _printed() -> None:
    st.latex(
        r"\tilde g_t \leftarrow \frac1L\sum_i\big(\bar g_t(x_i) + \mathcal N(0,\sigma^2C^2 I)\big),\qquad "
        r"\theta_{t+1} \leftarrow \theta_t - \eta_t\,\tilde g_t"
    )
    st.markdown(T("words.printed.noise"))
    st.markdown(T("words.printed.tried"))


def program(params: NetworkParams) -> str:
    """Return the source code of the downloadable program, with the page's parameters filled in."""
    file = Path(__file__).with_name("program.py")
    return filled(file, params=f"network.{params.to_code()}")
