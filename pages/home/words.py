"""The words of the home page, and the links of its tour."""

from __future__ import annotations

__all__ = ["SOURCES", "STEPS", "TOUR", "WHAT"]

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
