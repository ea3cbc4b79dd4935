"""Networks trained by DP-SGD on a grid of C, q and noise: what each redraws, and what its training costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpcore.accounting.accountant import steps_event
from dpcore.experiments import epsilon_tables
from dpcore.experiments.autoencoder.params import CLIP_NORMS, SAMPLE_RATES, AutoencoderParams
from dpcore.experiments.autoencoder.problem import Problem
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.guarantee import Guarantee, from_event

if TYPE_CHECKING:
    from dpcore.autoencoder import Weights
    from dpcore.autoencoder.private_network import NetworkRecipe

__all__ = [
    "BUDGETS",
    "N_STEPS",
    "PrivateNetworks",
    "network_costs",
    "network_guarantee",
    "network_places",
    "recipe_of",
    "run_private_networks",
    "train_network",
]

Floats = NDArray[np.float64]
N_STEPS = 100
_N_HIDDEN, _LEARNING_RATE = 16, 0.03
_USUAL_DELTA = 1e-5
BUDGETS: tuple[float, ...] = (
    0.03, 0.05, 0.1, 0.2, 0.35, 0.5, 0.8, 1.0, 1.5, 2.0, 3.2, 5.0, 8.0, 12.0, 20.0,
)  # fmt: skip
"""The ε at δ = 10⁻⁵ whose noise is trained with, B of them: the first is low enough for every δ of the grid."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PrivateNetworks:
    """Networks of one training each, over clipping norms, rates and `BUDGETS` (6, 5, B).

    ``weights`` (6, 5, B, p): W₁, b₁, W₂, b₂, flat; ``error`` (6, 5, B): mean squared error per pixel on pictures that
    no network has seen.
    """

    weights: NDArray[np.float32]
    error: Floats

    def redrawn(self, pictures: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return what the networks make of pictures (n, d): (6, 5, B, n, d)."""
        shape = self.weights.shape[:-1]
        flat = self.weights.reshape(-1, self.weights.shape[-1])
        made = [_weights(one, pictures.shape[1]).reconstruct(pictures) for one in flat]
        return np.array(made, np.float32).reshape(*shape, *pictures.shape)


def recipe_of(clip_norm: float, sample_rate: float) -> NetworkRecipe:
    """Return the recipe of one training: small, so that hundreds take a minute."""
    from dpcore.autoencoder.private_network import NetworkRecipe

    return NetworkRecipe(
        n_hidden=_N_HIDDEN, clip_norm=clip_norm, sample_rate=sample_rate, n_steps=N_STEPS,
        learning_rate=_LEARNING_RATE,
    )  # fmt: skip


def noise_multipliers(sample_rate: float) -> Floats:
    """Return the noise multipliers (B,) of `BUDGETS` at δ = 10⁻⁵ for N_STEPS steps at this rate."""
    return epsilon_tables.steps_noise_multipliers(BUDGETS, _USUAL_DELTA, sample_rate, N_STEPS)


@lru_cache(maxsize=1)
def network_places() -> NDArray[np.int64]:
    """Return for (ε, δ, q) of the grids (50, 6, 5) which budget's network is shown.

    The one of the least noise that costs no more than (ε, δ).
    """
    found = np.zeros((len(EPSILON_GRID), len(DELTA_GRID), len(SAMPLE_RATES)), np.int64)
    for (d, delta), (k, q) in product(enumerate(DELTA_GRID), enumerate(SAMPLE_RATES)):
        needed = epsilon_tables.steps_noise_multipliers(EPSILON_GRID, delta, q, N_STEPS)
        louder = noise_multipliers(q) >= needed[:, None] * (1 - 1e-12)
        found[:, d, k] = louder.sum(axis=1) - 1
    if (found < 0).any():
        raise ValueError("BUDGETS has no network of enough noise for the smallest ε and δ.")
    return found


@lru_cache(maxsize=1)
def network_costs() -> Floats:
    """Return the ε (50, 6, 5) of the network that is shown at (ε, δ, q): an upper bound, at most ε itself."""
    found = np.empty(network_places().shape)
    for (d, delta), (k, q) in product(enumerate(DELTA_GRID), enumerate(SAMPLE_RATES)):
        costs = epsilon_tables.steps_epsilons(noise_multipliers(q), delta, q, N_STEPS)
        found[:, d, k] = np.minimum(costs[network_places()[:, d, k]], EPSILON_GRID)
    return found


def place_of_params(params: AutoencoderParams) -> tuple[int, int, int]:
    """Return where a state of the handles lies among the networks: of C, of q, of the budget."""
    c, q = CLIP_NORMS.index(params.clip_norm), SAMPLE_RATES.index(params.sample_rate)
    e, d = EPSILON_GRID.index(params.epsilon), DELTA_GRID.index(params.delta)
    return c, q, int(network_places()[e, d, q])


def network_guarantee(params: AutoencoderParams, problem: Problem) -> Guarantee:
    """Return what the network promises that is shown at these parameters, for one picture added or removed."""
    _, q, at = place_of_params(params)
    sigma = float(noise_multipliers(params.sample_rate)[at])
    e, d = EPSILON_GRID.index(params.epsilon), DELTA_GRID.index(params.delta)
    made = from_event(
        steps_event(sigma, params.sample_rate, n_steps=N_STEPS), params.delta,
        asked=float(network_costs()[e, d, q]), neighbouring="add_remove", unit=problem.unit,
        argument="Privacy loss distribution of sampled Gaussian steps; redrawing pictures is post-processing.",
        public=("the number of records N", "the recipe of the training"),
        not_protected=("a picture that is put into the network afterwards",),
    )  # fmt: skip
    return replace(made, n_records=len(problem.pixels))


def train_network(problem: Problem, seed: int, place: tuple[int, int, int]) -> Weights:
    """Return the network at a place of the grid: the start and the noise are the same at every one of a seed."""
    from dpcore.autoencoder.private_network import train_steps

    c, k, b = place
    q = SAMPLE_RATES[k]
    return train_steps(
        problem.training, recipe_of(CLIP_NORMS[c], q), float(noise_multipliers(q)[b]),
        len(problem.pixels), np.random.SeedSequence((seed, 14)),
    )  # fmt: skip


def run_private_networks(
    problem: Problem,
    params: AutoencoderParams,
    *,
    progress: Callable[[float], None] = lambda part: None,
) -> PrivateNetworks:
    """Train the networks of the whole grid, about a minute of one processor.

    Parameters
    ----------
    problem : Problem
        Whose training pictures are learnt.
    params : AutoencoderParams
        The seed is used.
    progress : callable
        Told the fraction done; ends the work by raising.

    Returns
    -------
    PrivateNetworks
    """
    unseen = problem.everyone[: min(problem.unseen, 1000)]
    shape = len(CLIP_NORMS), len(SAMPLE_RATES), len(BUDGETS)
    flat, errors = [], np.empty(shape)
    for done, place in enumerate(np.ndindex(shape), start=1):
        network = train_network(problem, params.seed, place)
        flat.append(np.concatenate([part.ravel() for part in _parts(network)]))
        errors[place] = np.square(network.reconstruct(unseen) - unseen).mean()
        progress(done / errors.size)
    return PrivateNetworks(weights=np.array(flat, np.float32).reshape(*shape, -1), error=errors)


def _parts(network: Weights) -> tuple[NDArray[np.float32], ...]:
    return network.W1, network.b1, network.W2, network.b2


def _weights(flat: NDArray[np.float32], n_pixels: int) -> Weights:
    from dpcore.autoencoder import Weights

    ends = np.cumsum([n_pixels * _N_HIDDEN, _N_HIDDEN, _N_HIDDEN * n_pixels])
    W1, b1, W2, b2 = np.split(flat, ends)
    return Weights(W1.reshape(n_pixels, _N_HIDDEN), b1, W2.reshape(_N_HIDDEN, n_pixels), b2)
