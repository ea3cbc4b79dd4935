"""The home page: a miniature that really computes, and the words around it."""

from __future__ import annotations

import streamlit as st

from dpcore.experiments import relevance
from dpcore.experiments.relevance import RelevanceParams
from dpcore.grids import DELTA_GRID, EPOCHS_GRID, EPSILON_GRID
from ui import live
from ui.figures import relevance_arrays as arrays_of
from ui.guarantee import odds_sentence

__all__ = ["SOURCES", "STEPS", "TOUR", "WHAT", "miniature"]

KEY = "miniature"
_PARAMS = RelevanceParams()

WHAT = """
A classifier that learned from people remembers something of each of them. **Differential privacy**
bounds how much: with or without you, every result is almost equally likely. The price is noise.

This app lets you *move* that trade: drag **ε** and watch the prototypes of a classifier lose their
grip on the data, or find it again. Every picture is computed for the values you see, every ε is the
result of an account that is tested against an independent one, and what is not protected is said.
"""
STEPS = (
    ("Drag ε", "The handle at the top left moves everything while you drag. Left is more private."),
    ("Compare", "Grey is the best without privacy; the accent colour is private; small marks are other "
     "draws of the same noise."),
    ("Read the odds", "The sentence under the figure says how sure somebody can become at most that one "
     "person is in the data."),
    ("Take it along", "The address bar is a link to the very picture, seed included. Code, data, report "
     "and notebook are under the figure."),
)  # fmt: skip
TOUR = (
    ("relevance", "The knee of the curve", {"dataset": "digits", "epsilon": "1"},
     "Digits as prototypes: between ε = 0.5 and 3 the pictures appear out of the noise."),
    ("relevance", "A formula that breaks", {"recipe": "paper", "epsilon": "10"},
     "The printed noise claims ε = 10. The card says what it really costs."),
    ("budget", "A rule that promises too much", {"noise_multiplier": "0.6", "n_steps": "5000"},
     "The slides' qε√T beside the true cost of 5000 steps of DP-SGD."),
    ("descent", "Why clip?", {"parts": "noise", "model": "logistic", "dataset": "blobs"},
     "Noise alone promises nothing: one record may ask for any step."),
    ("regression", "An objective without a minimum", {"epsilon": "0.1", "n_samples": "400"},
     "Noise can turn the valley into a ridge. Then what is published?"),
    ("autoencoder", "Scrambled is not private", {"epsilon": "0.8", "kind": "hidden"},
     "The pictures look hidden; the attackers under them find the people again."),
)  # fmt: skip
SOURCES = (
    "Implements: Brinkrolf, Berger and Hammer, Differential private relevance learning (ESANN 2018); "
    "Sarkar, Privacy preserving machine learning (lecture); Jiang, DP-SGD and linear regression by a "
    "perturbed objective (slides); Jain et al., Bias weight perturbation; Kumar, Moser and Fischer, "
    "Kernel affine hull machines."
)


def miniature() -> None:
    """Draw a small live figure: two moons, ε, and what it does."""
    problem = relevance.named_problem(_PARAMS.dataset, _PARAMS.prototypes_per_class)
    sweep = _sweep()
    arrays = arrays_of.still_arrays(problem) | arrays_of.main_arrays(problem, _PARAMS, sweep)
    x, y = (live.Axis(range=(-1.05, 1.05)), live.Axis(range=(-0.8, 0.8)))
    layers = [
        live.Layer("regions", centres="proto", labels="labels"),
        live.Layer("points", xy="points", labels="point_labels"),
        live.Layer("boundary", centres="best", labels="labels"),
        live.Layer("markers", xy="proto", labels="labels"),
    ]
    fixed = [
        live.Slider(name=name, grid=grid, hidden=True)
        for name, grid in (
            ("delta", DELTA_GRID),
            ("epochs", EPOCHS_GRID),
            ("progress", arrays_of.PROGRESS),
        )
    ]  # fmt: skip
    live.show(
        live.Lab(
            controls=[
                live.Slider(name="epsilon", symbol="ε", label="privacy loss", grid=EPSILON_GRID,
                            ends=("more private", "less private"), mode="local"),
                *fixed,
            ],
            values={"epsilon": 1.0, "delta": _PARAMS.delta, "epochs": _PARAMS.epochs,
                    "progress": arrays_of.PROGRESS[-1]},
            arrays=arrays,
            coords={"u": "u_of", "t": "t_of"},
            panels=[live.Panel(key="mini", kind="map", title="Two moons, three prototypes a class",
                               layers=layers, x=x, y=y, height=330,
                               caption="Grey line: the border without privacy.",
                               alt="Private prototypes on two moons with their decision regions.")],
            readouts=[
                live.Readout(label="accuracy, private", value="accuracy", format=".1%",
                             role="private"),
                live.Readout(label="without privacy", value="best_accuracy", format=".1%"),
                live.Readout(label="noise multiplier σ", value="sigma", format=".3g"),
            ],
            texts=[live.Text(strings=[odds_sentence(e, _PARAMS.delta) for e in EPSILON_GRID],
                             dims=("epsilon",))],
            compact=True,
        ),
        key=KEY,
    )  # fmt: skip


@st.cache_resource(show_spinner=False, max_entries=1)
def _sweep() -> relevance.Sweep:
    problem = relevance.named_problem(_PARAMS.dataset, _PARAMS.prototypes_per_class)
    return relevance.run_sweep(problem, _PARAMS)
