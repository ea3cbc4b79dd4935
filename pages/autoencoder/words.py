"""Texts of the Autoencoder page: a summary sentence, formulas with the current numbers, tables, and downloads."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import streamlit as st

from dpcore.autoencoder import KINDS, paper, sigmas
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import Attacks, AutoencoderParams, Problem
from dpcore.experiments.autoencoder.releases import BINS
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.mechanisms import gaussian_epsilon
from pages.autoencoder import judged
from pages.autoencoder.figure import figure
from pages.autoencoder.shown import Pictures
from ui.export import downloads, from_figure
from ui.frame.explanation import Explanation
from ui.live import Text
from ui.program import filled
from ui.runner import PageState
from ui.words import text
from ui.words.numbers import tex

__all__ = ["attack_sentence", "bundle", "meaning", "program", "similar_table", "words"]

T = text.load_text(__file__)
_MEASURED = ("found", "area", "hellinger")
_EQUATION = (
    r"$\Phi(\tfrac{\Delta}{2\sigma}-\tfrac{\varepsilon\sigma}{\Delta})-e^\varepsilon"
    r"\Phi(-\tfrac{\Delta}{2\sigma}-\tfrac{\varepsilon\sigma}{\Delta})=\delta$"
)


def meaning(state: PageState[AutoencoderParams]) -> Text:
    """Return the summary sentence for every ε and kind of noise: how successful attacks are.

    If the generator is chosen, there is a single sentence, on its synthetic digits.
    """
    params = state.params
    if params.real:
        is_known = state["synthetic"] is not None
        return Text(strings=[T("meaning.invented") if is_known else T("meaning.inventing")])
    size = len(state["pictures"].problem.everyone)
    sentences, verdicts = _attack_sentences(params, state["attacks"], size)
    return Text(strings=sentences, brief=verdicts, dims=("epsilon", "kind"))


def _attack_sentences(
    params: AutoencoderParams, attacks: Attacks | None, size: int
) -> tuple[list[str], list[str]]:
    """Return sentences on attack success and short verdicts: two lists, with an entry for every ε and kind of noise.

    The kind of noise varies fastest. Success rates between the measured noise levels are interpolated linearly.
    """
    attacks = attacks or autoencoder.no_attacks()
    at = autoencoder.place_of(EPSILON_GRID, params.delta, autoencoder.LEVELS)
    names = ("alone", "informed", "batch", "cancelled")
    tables = {name: _between(getattr(attacks, name), at) for name in names}
    found = [
        {name: float(table[e, k]) for name, table in tables.items()}
        for e in range(len(EPSILON_GRID))
        for k in range(len(KINDS))
    ]
    return [attack_sentence(size, **at) for at in found], [_briefly(**at) for at in found]


def _briefly(*, alone: float, informed: float, batch: float, cancelled: float) -> str:
    """Return the verdict with which `attack_sentence` ends."""
    if not math.isfinite(alone):
        return T("meaning.waiting")
    if not math.isfinite(cancelled):
        return T("meaning.waiting" if not math.isfinite(batch) else "verdicts.waits")
    return _verdict(max(alone, informed, cancelled), alone)


def _between(table: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return the rows (E, 3) of a table (V, 3) at E fractional row indices ``at``.

    The values are interpolated linearly between rows, as in the browser.
    """
    low = np.minimum(at.astype(int), len(table) - 1)
    high = np.minimum(low + 1, len(table) - 1)
    part = (at - low)[:, None]
    return np.asarray(np.where(part == 0, table[low], (1 - part) * table[low] + part * table[high]))


def attack_sentence(
    size: int, *, alone: float, informed: float, batch: float, cancelled: float
) -> str:
    """Return the sentence on the success of attacks at one ε.

    The success of an attack is the share of released images that the attack links to the right one of ``size``
    originals. The four arguments are the success of four attacks:

    - ``alone``: on single images.
    - ``informed``: on single images, by an attacker who knows the network.
    - ``batch``: on batches of images with the same noise.
    - ``cancelled``: on such batches, by an attacker who knows the network and cancels the noise. This attack is
      slow, and its success is NaN until it has run.
    """
    is_whole = math.isfinite(cancelled)
    together = cancelled if is_whole else batch
    if not all(map(math.isfinite, (alone, together))):
        return T("meaning.waiting")
    who = T("attackers.network" if is_whole else "attackers.eye")
    kind = "more" if together > max(alone, informed) + 0.02 else "same"
    sentences = [
        T("meaning.alone", size=size, alone=_cases(alone)),
        T("meaning.informed", informed=_cases(informed)) if informed > alone + 0.02 else "",
        T(f"meaning.{kind}", n_batch=autoencoder.BATCH, who=who, batch=_of_batch(together)),
        _verdict(max(alone, informed, together), alone) if is_whole else T("verdicts.waits"),
    ]
    return " ".join(filter(None, sentences))


def _cases(share: float) -> str:
    if share >= 0.995:
        return T("shares.cases_most")
    return T("shares.cases_few") if share < 0.005 else T("shares.cases", share=share)


def _of_batch(share: float) -> str:
    n_batch = autoencoder.BATCH
    if math.isclose(share, 1.0):
        return T("shares.batch_all", n_batch=n_batch)
    if share >= 0.995:
        return T("shares.batch_most", fewer=n_batch - 1)
    if share < 0.005:
        return T("shares.batch_none" if share == 0 else "shares.batch_few")
    return T("shares.batch", share=share)


def _verdict(worst: float, alone: float) -> str:
    if alone > 0.9:
        return T("verdicts.by_eye")
    limits = {"scrambled": 0.9, "some": 0.3, "few": 0.05}
    return T(f"verdicts.{next((name for name, limit in limits.items() if worst > limit), 'none')}")


def words(state: PageState[AutoencoderParams]) -> Explanation:
    """Return the explanatory text below the figure, for the current parameters and results."""
    params, problem = state.params, state.problem
    checks = {T("words.tables.title"): lambda: _tables(params, problem)}
    sections = {}
    if not params.real:
        sections[T("words.rivals.title")] = lambda: judged.rivals(params, state.newest("rivals"))
        checks[T("words.similarity.title")] = lambda: _similarity(state.now("pictures"))
        checks[T("words.renoised.title")] = lambda: judged.noise_on_noise(
            params, state.now("renoised")
        )
        checks[T("words.disorder.title")] = lambda: judged.disorder(
            params, state.now("irregular"), state.newest("attacks")
        )
    return Explanation(
        formula=lambda: _formula(params, state.now("pictures")),
        sections=sections,
        checks=checks,
        bundle=bundle(state),
        tasks=T("words.tasks"),
        shown="",
    )


def _formula(params: AutoencoderParams, answer: Pictures) -> None:
    """Display the formula of the chosen publication method, with the current numbers."""
    st.markdown(T("words.formula.title"))
    if params.real:
        _generator(params, answer)
    else:
        _noise(params, answer)


def _noise(params: AutoencoderParams, answer: Pictures) -> None:
    k = KINDS.index(params.kind)
    share = params.epsilon / (2 if params.kind == "both" else 1)
    sigma = float(sigmas(params.epsilon, params.delta, kind=params.kind).max())
    st.markdown(T("words.formula.printed"))
    st.latex(
        rf"\sigma = \frac{{\Delta\sqrt{{2\ln(1.25/\delta)}}}}{{\varepsilon}} = "
        rf"\frac{{1\cdot {tex(math.sqrt(2 * math.log(1.25 / params.delta)))}}}{{{tex(share)}}} = {tex(sigma)}"
    )
    st.markdown(
        T(
            "words.formula.cost_output" if params.kind == "output" else "words.formula.cost",
            asserted=gaussian_epsilon(sigma, 1.0, delta=params.delta),
            distance=float(answer.pair.distance[k]),
            equation=_EQUATION,
        )
    )
    exact = answer.pair.epsilon[
        EPSILON_GRID.index(params.epsilon), DELTA_GRID.index(params.delta), k
    ]
    verb = "fails" if exact > params.epsilon else "holds"
    st.markdown(
        T(f"words.formula.{verb}_{params.kind}", claimed=params.epsilon, exact=float(exact))
    )
    if params.kind != "output":
        st.caption(T("words.formula.hidden" if params.kind == "hidden" else "words.formula.both"))


def _similarity(answer: Pictures) -> None:
    """Display the similarity measure of Jain et al. in its corrected form, and its shortcomings."""
    similar, base = answer.similar, answer.baselines
    st.latex(
        r"H = \sqrt{1-BC}\ \text{(printed)}\qquad H^2 = \tfrac12\big(\textstyle\sum p+\sum q\big) - BC"
    )
    st.markdown(T("words.similarity.printed", n_bins=BINS, sum=float(paper.complement().mean())))
    st.markdown(
        T(
            "words.similarity.blind",
            clean=_hellinger(similar),
            same=float(base.same_digit),
            other=float(base.other_digit),
            shuffled=float(base.shuffled),
        )
    )


def _hellinger(similar: autoencoder.Similarity) -> float:
    from dpcore.autoencoder import similarity

    return float(similarity.hellinger(similar.own, similar.clean))


def _generator(params: AutoencoderParams, answer: Pictures) -> None:
    from dpcore.autoencoder import GENERATOR_PRESETS, statistics
    from dpcore.mechanisms import gaussian_sigma

    clip = GENERATOR_PRESETS[answer.problem.name]["clip_norm"]
    first, second, third = statistics.noise_scales(params.epsilon, params.delta, clip)
    st.latex(
        r"\begin{aligned} z &= \mathrm{clip}_R\big(B(x-g)\big), & \tilde n_c &= n_c+\sigma_1Z,\\"
        r"\tilde s_c&=\textstyle\sum z+\sigma_2Z, & \tilde M_c&=\textstyle\sum zz^\top+\sigma_3Z"
        r"\end{aligned}"
    )
    st.markdown(
        T(
            "words.formula.moves",
            clip=clip,
            square=clip * clip,
            sigma=gaussian_sigma(1.0, params.epsilon, delta=params.delta),
            first=float(first),
            second=float(second),
            third=float(third),
            n_pictures=len(answer.problem.pixels),
        )
    )
    st.markdown(T("words.formula.difference"))
    st.caption(T("words.formula.constants"))


def _tables(params: AutoencoderParams, problem: Problem) -> None:
    """Display the three tables of Jain et al., with our values in the same rows."""
    st.markdown(T("words.tables.ours", dataset=problem.title))
    if problem.name != "mnist":
        st.caption(T("words.tables.small"))
    for tab, kind in zip(st.tabs([paper.TABLES[k].title for k in KINDS]), KINDS, strict=True):
        with tab:
            table = pd.DataFrame(autoencoder.compare_tables(problem, params, kind))
            st.dataframe(
                table, hide_index=True, width="stretch",
                column_config={
                    name: st.column_config.NumberColumn(format="%.1f" if name == "ε" else "%.5f")
                    for name in table
                },
            )  # fmt: skip
    st.markdown(T("words.tables.layers"))


def bundle(state: PageState[AutoencoderParams]) -> downloads.Bundle:
    """Return the files that a reader can download. Each file is computed when it is requested."""
    real = state.params.real
    return from_figure.taken(
        figure,
        state,
        draws="invented" if real else "people",
        panels=("useful", "audit")
        if real
        else (*_MEASURED, "taught", "redrawn", "seconds", "renoised"),
        whole=("synthetic",),
        tables={"similarity": similar_table},
        name="autoencoder",
        title=T("words.name"),
        guarantee=autoencoder.guarantee(state.params, state.problem),
        code=program,
    )


def similar_table(state: PageState[AutoencoderParams]) -> pd.DataFrame:
    """Return the three tables of Jain et al. with our values, stacked into one.

    The column ``kind`` names the table.
    """
    return pd.concat(
        [
            pd.DataFrame(autoencoder.compare_tables(state.problem, state.params, kind)).assign(
                kind=kind
            )
            for kind in KINDS
        ],
        ignore_index=True,
    )


def program(params: AutoencoderParams) -> str:
    """Return the source code of the downloadable program, with the page's parameters filled in."""
    file = Path(__file__).with_name("program.py")
    return filled(file, params=f"autoencoder.{params.to_code()}")
