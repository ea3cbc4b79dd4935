"""The mechanism of the parameters, its guarantee, and the code that reproduces the figure."""

from __future__ import annotations

from dataclasses import replace

from dpcore.accounting import gaussian_tail, group_privacy
from dpcore.experiments.mechanisms.params import MechanismsParams
from dpcore.experiments.mechanisms.queries import query
from dpcore.guarantee import Guarantee
from dpcore.mechanisms import Additive, Gaussian, Laplace, Staircase, gaussian_epsilon

__all__ = ["code", "guarantee", "mechanism", "noise_of", "shown_epsilon"]


_WHY = {
    True: "What that costs is computed exactly (Balle and Wang 2018, Theorem 8).",
    False: "The probabilities of an answer with and without a record then differ by a factor of at most e^ε.",
}


def noise_of(noise: str, epsilon: float, delta: float, sensitivity: float = 1.0) -> Additive:
    """Return the mechanism called ``noise`` at (ε, δ) for a sensitivity Δ ≥ 0."""
    match noise:
        case "laplace":
            return Laplace(epsilon=epsilon, sensitivity=sensitivity)
        case "staircase":
            return Staircase(epsilon=epsilon, sensitivity=sensitivity)
    kind = "analytic" if noise == "gaussian" else "classical"
    return Gaussian(epsilon=epsilon, delta=delta, sensitivity=sensitivity, calibration=kind)


def mechanism(params: MechanismsParams) -> Additive:
    """Return the mechanism that answers the question of the parameters."""
    asked = query(params)
    made = noise_of(params.noise, params.epsilon, params.delta, asked.sensitivity)
    return replace(made, neighbouring=asked.neighbouring, bounds=asked.bounds)


def guarantee(params: MechanismsParams) -> Guarantee:
    """Return what one noisy answer promises to one record; groups stand in the argument."""
    found = mechanism(params).privacy
    asked = query(params)
    made = mechanism(params)
    argument = (
        f"{made.name} noise is added to a number that one record moves by at most {asked.sensitivity:g}: "
        f"{asked.why}. {_WHY[isinstance(made, Gaussian)]}"
    )
    if params.group > 1:
        epsilon, delta = group_privacy(found.epsilon, found.delta, params.group)
        exact = mechanism(params).delta_at(epsilon, params.group)
        argument += (
            f" For a group of {params.group}: (ε, δ) = ({epsilon:.4g}, {delta:.3g}) by the general"
            f" rule; at that ε this noise really has δ = {exact:.3g}."
        )
    not_protected = (*found.not_protected, "groups: k records together are protected by kε only")
    declared = f"what a record is ({asked.record})"
    tail = gaussian_tail(found.epsilon, found.delta) if found.delta else 0.0
    return replace(
        found, argument=argument, public=(declared, *found.public), not_protected=not_protected,
        loss_tail=tail,
    )  # fmt: skip


def shown_epsilon(params: MechanismsParams, n_answers: int) -> float:
    """Return the ε of ``n_answers`` ≥ 1 such answers together, at the same δ (0 for pure noise).

    Examples
    --------
    >>> shown_epsilon(MechanismsParams(noise="laplace", epsilon=0.5), 80)
    40.0
    """
    made = mechanism(params)
    if not isinstance(made, Gaussian):
        return n_answers * made.privacy.epsilon
    if not made.scale:
        return made.privacy.epsilon
    return gaussian_epsilon(made.scale / n_answers**0.5, made.sensitivity, made.delta)


def code(params: MechanismsParams) -> str:
    """Return the program that reproduces the figure's numbers."""
    asked = query(params)
    kind = type(mechanism(params)).__name__
    more = ""
    if kind == "Gaussian":
        more = f", delta={params.delta!r}"
        more += ', calibration="classical"' if params.noise == "classical" else ""
    return (
        "import numpy as np\n"
        f"from dpcore.mechanisms import {kind}\n\n"
        f"noise = {kind}(epsilon={params.epsilon!r}, sensitivity={asked.sensitivity!r}{more})\n"
        f"rng = np.random.default_rng({params.seed})\n"
        f"print(noise.sample(np.full(80, {asked.answer!r}), rng).round(3))   # the draws\n"
        'print(f"scale {noise.scale:.4g}, mean error {noise.mean_error():.4g}")\n'
        f"print(noise.delta_at({params.epsilon!r}, group={params.group}))    # the marked area\n"
        "print(noise.privacy)\n"
    )
