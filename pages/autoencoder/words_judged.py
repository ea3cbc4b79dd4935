"""What Jain et al. argue, judged with live numbers: no new training, noise on noise, disorder."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from dpcore.autoencoder import EPSILONS, KINDS
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import Attacks, AutoencoderParams, Irregular, Renoised, Rivals
from dpcore.experiments.autoencoder.irregular import wrong_steps
from dpcore.experiments.grids import EPSILON_GRID
from ui.words.numbers import short, show

__all__ = ["disorder", "noise_on_noise", "rivals", "rivals_table"]

_NOT_YET = "Open the tab *Rivals* above: the three are made there, and this table with them."


def rivals(params: AutoencoderParams, found: Rivals | None) -> None:
    """Draw the three ways beside each other at the ε of Jain et al. nearest to the reader's."""
    if found is None or found.done < 0.999:
        st.markdown(_NOT_YET)
        return
    at = int(np.abs(np.log(np.array(EPSILONS) / params.epsilon)).argmin())
    st.markdown(
        f"At ε = **{short(EPSILONS[at])}** and δ = 10⁻⁵, the nearest of their seven. Jain et al. (2021) argue that "
        "their method needs no new training and is fast. Both are true. Noisy averages need no training at all, and "
        "they have a proof."
    )
    st.dataframe(rivals_table(params, found, at), hide_index=True, width="stretch")
    st.caption(
        "DP-SGD: every picture's gradient is computed by itself and clipped, lots are Poisson samples, and the steps "
        "and the sums of codes are accounted for together. It protects one picture with its class, added or removed; "
        "their number, the classes and the recipe are public. It does not protect a picture that is put into the "
        "network afterwards. The constants of the recipes were chosen on these very data sets, and "
        "no ε accounts for that choice: docs/autoencoder_tuning.md tells what was tried."
    )


def rivals_table(params: AutoencoderParams, found: Rivals, at: int) -> pd.DataFrame:
    """Return a row for each of the three ways at one ε, in words."""
    kind = KINDS.index(params.kind)
    rows = [
        ("noise on the biases", "no picture: ε is a claim", found.bias_taught[kind, at],
         show(found.bias_error[kind, at], ".3f"), found.once[0], found.bias_seconds[at]),
        ("network by DP-SGD", "pictures that train it: proved", found.network_taught[at],
         show(found.network_error[at], ".3f"), np.nan, found.network_seconds[at]),
        ("noisy averages", "pictures that went in: proved", found.generator_taught[at],
         "redraws no picture", found.once[1], found.generator_seconds[at]),
    ]  # fmt: skip
    return pd.DataFrame([
        {
            "method": name,
            "what ε protects": whom,
            "real digits read right": show(taught, ".0%"),
            "squared error, redrawn": error,
            "seconds, once": "none" if np.isnan(once) else show(once, ".2g"),
            "seconds, for each ε": show(each, ".2g"),
        }
        for name, whom, taught, error, once, each in rows
    ])  # fmt: skip


def noise_on_noise(params: AutoencoderParams, found: Renoised) -> None:
    """Draw what Jain et al. say of noise on a release, the right statement, and an attack."""
    e = EPSILON_GRID.index(params.epsilon)
    st.markdown(
        "**Jain et al. (2021)**: a release with noise for (ε, δ), transformed and given noise for (ε, δ) again, is "
        "(2ε, 2δ)-private. As an upper bound that is true. But nothing looks at the data a second time, so "
        "it stays **(ε, δ)**, whatever the transformation: post-processing."
    )
    st.latex(
        r"\varepsilon_{\text{both seen}} = \varepsilon,\qquad \varepsilon_{\text{second alone}}:\ "
        r"\mu=\tfrac{\Delta}{\sigma\sqrt2},\qquad \varepsilon_{\text{original twice}}:\ "
        r"\mu=\tfrac{\Delta\sqrt2}{\sigma}"
    )
    st.markdown(
        f"With your ε = {short(params.epsilon)}: printed **{short(found.printed[e])}**; to who sees both it is "
        f"**{short(params.epsilon)}**; the second release alone gives away **{short(found.alone[e])}** when only "
        f"noise is added. An attack on {show(autoencoder.RENOISED_TRIALS, 'd')} such releases of either world, "
        f"rounded in between, shows at least {_shown(found.shown_release[e])}. Two releases of the original cost "
        f"**{short(found.original[e])}** together, and an attack on those shows at least "
        f"{_shown(found.shown_original[e])}, with 95 % confidence each."
    )


def _shown(least: float) -> str:
    return show(least, ".2g") if least > 0 else "nothing"


def disorder(params: AutoencoderParams, found: Irregular, attacks: Attacks | None) -> None:
    """Draw how often a row of seven ε is out of order, and whether a curved network is the reason."""
    k = KINDS.index(params.kind)
    st.markdown(
        "**Jain et al. (2021)**: a larger ε may give less similarity, because the network is nonlinear. To see "
        "whether that is the reason, we replace it by its tangent at the picture: between noise and pixel nothing "
        f"is curved then. Of the {autoencoder.STEPS} steps from one ε to the next, so many go the wrong way:"
    )
    columns = {
        "noise on": KINDS,
        "printed": found.printed,
        "the network": found.fresh,
        "its tangent": found.linear,
        "one noise, only scaled": found.same,
        f"medians of {autoencoder.ROWS}": found.medians,
    }
    st.dataframe(pd.DataFrame(columns).round(2), hide_index=True, width="stretch")
    st.markdown(
        f"The network goes the wrong way in {show(found.fresh[k], '.1f')} of {autoencoder.STEPS} steps, its tangent "
        f"in {show(found.linear[k], '.1f')}: {_verdict(found, k)} Pure chance would be 3. Even one "
        f"noise, only scaled, goes the wrong way in {show(found.same[k], '.1f')}: H, a histogram of all pixels, "
        "hardly follows the noise." + _found(attacks, k)
    )


def _verdict(found: Irregular, k: int) -> str:
    if found.linear[k] >= 0.8 * found.fresh[k]:
        return "the curves of the network are not the reason."
    return "the curves of the network have a part in it."


def _found(attacks: Attacks | None, k: int) -> str:
    """How often the attackers' success goes the wrong way at the same ε, once they have looked."""
    if attacks is None:
        return ""
    places = [autoencoder.LEVELS.index(e) for e in EPSILONS]
    share = attacks.alone[places, k]
    if not np.isfinite(share).all():
        return ""
    wrong = int(wrong_steps(-share))
    return (
        f" What attackers find is regular: from ε = 0.8 to 8 comparing by eye finds {show(share[0], '.0%')} to "
        f"{show(share[-1], '.0%')} of them, and {wrong} of the {autoencoder.STEPS} steps "
        f"{'goes' if wrong == 1 else 'go'} down."
    )
