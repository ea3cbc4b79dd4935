"""Three claims of Jain et al., each compared with our results.

The first claim ranks three methods of publishing digits. The second is that adding noise to a noisy release adds
privacy. The third is that images become more similar to the originals as ε grows; the tables of the paper
contradict it.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from dpcore.autoencoder import EPSILONS, KINDS
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import Attacks, AutoencoderParams, Irregular, Renoised, Rivals
from dpcore.experiments.autoencoder.releases import wrong_steps
from dpcore.experiments.grids import EPSILON_GRID
from ui.words import text
from ui.words.numbers import show

__all__ = ["disorder", "noise_on_noise", "rivals", "rivals_table"]

T = text.load_text(__file__)


def rivals(params: AutoencoderParams, results: Rivals | None) -> None:
    """Display a table that compares three methods of publishing digits at the same ε.

    This ε is the nearest to the chosen one among the seven values of ε in the paper by Jain et al.
    """
    if results is None or results.done < 0.999:
        st.markdown(T("words.rivals.not_yet"))
        return
    at = int(np.abs(np.log(np.array(EPSILONS) / params.epsilon)).argmin())
    st.markdown(T("words.rivals.nearest", epsilon=EPSILONS[at]))
    st.dataframe(rivals_table(params, results, at), hide_index=True, width="stretch")
    st.caption(T("words.rivals.account"))


def rivals_table(params: AutoencoderParams, results: Rivals, at: int) -> pd.DataFrame:
    """Return a table that compares three methods of publishing digits at the same ε; all cells are texts.

    The rows are noise on the biases of an autoencoder, a network trained by DP-SGD, and noisy averages of digits.
    ``at`` is the index of ε in `EPSILONS`, the seven values of ε in the paper by Jain et al.
    """
    kind = KINDS.index(params.kind)
    rows = [
        _row("biases", results.bias_taught[kind, at], show(results.bias_error[kind, at], ".3f"),
             results.once[0], results.bias_seconds[at]),
        _row("network", results.network_taught[at], show(results.network_error[at], ".3f"),
             np.nan, results.network_seconds[at]),
        _row("averages", results.generator_taught[at], T("words.rivals.averages_error"),
             results.once[1], results.generator_seconds[at]),
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=list(T.lines("words.rivals.columns")))


def _row(way: str, taught: float, error: str, once: float, each: float) -> tuple[str, ...]:
    return (
        T(f"words.rivals.{way}"),
        T(f"words.rivals.{way}_protects"),
        show(taught, ".0%"),
        error,
        T("words.rivals.none") if np.isnan(once) else show(once, ".2g"),
        show(each, ".2g"),
    )


def noise_on_noise(params: AutoencoderParams, results: Renoised) -> None:
    """Display the claim of Jain et al. that adding noise to a noisy release adds privacy, and the correct statement.

    The statement is followed by the ε that an attack proves.
    """
    e = EPSILON_GRID.index(params.epsilon)
    st.markdown(T("words.renoised.printed"))
    st.latex(
        r"\varepsilon_{\text{both seen}} = \varepsilon,\qquad \varepsilon_{\text{second alone}}:\ "
        r"\mu=\tfrac{\Delta}{\sigma\sqrt2},\qquad \varepsilon_{\text{original twice}}:\ "
        r"\mu=\tfrac{\Delta\sqrt2}{\sigma}"
    )
    st.markdown(
        T(
            "words.renoised.numbers",
            epsilon=params.epsilon,
            printed=float(results.printed[e]),
            alone=float(results.alone[e]),
            n_trials=autoencoder.RENOISED_TRIALS,
            shown_release=_demonstrated(results.shown_release[e]),
            original=float(results.original[e]),
            shown_original=_demonstrated(results.shown_original[e]),
        )
    )


def _demonstrated(least: float) -> str:
    return show(least, ".2g") if least > 0 else T("words.renoised.nothing")


def disorder(params: AutoencoderParams, results: Irregular, attacks: Attacks | None) -> None:
    """Display how often images are less similar to the originals at an ε of Jain et al. than at the next smaller ε.

    A text states whether the nonlinearity of the network is the reason.
    """
    k, n_steps = KINDS.index(params.kind), autoencoder.STEPS
    st.markdown(T("words.disorder.tangent", n_steps=n_steps))
    columns = {
        T("words.disorder.kind"): KINDS,
        T("words.disorder.printed"): results.printed,
        T("words.disorder.network"): results.fresh,
        T("words.disorder.linear"): results.linear,
        T("words.disorder.scaled"): results.same,
        T("words.disorder.medians", n_rows=autoencoder.ROWS): results.medians,
    }
    st.dataframe(pd.DataFrame(columns).round(2), hide_index=True, width="stretch")
    is_straight = results.linear[k] >= 0.8 * results.fresh[k]
    conclusion = T(
        "words.disorder.straight" if is_straight else "words.disorder.curved",
        network=float(results.fresh[k]),
        n_steps=n_steps,
        linear=float(results.linear[k]),
        scaled=float(results.same[k]),
    )
    st.markdown(f"{conclusion} {_regular(attacks, k)}".rstrip())


def _regular(attacks: Attacks | None, k: int) -> str:
    """Return a sentence on how often an attack is less successful at an ε of Jain et al. than at the next smaller ε.

    The sentence is "" if the attack's success was not measured.
    """
    if attacks is None:
        return ""
    places = [autoencoder.LEVELS.index(e) for e in EPSILONS]
    share = attacks.alone[places, k]
    if not np.isfinite(share).all():
        return ""
    wrong = int(wrong_steps(-share))
    return T(
        "words.disorder.found_one" if wrong == 1 else "words.disorder.found",
        first=float(share[0]),
        last=float(share[-1]),
        wrong=wrong,
        n_steps=autoencoder.STEPS,
    )
