"""The parameters of the relevance-learning experiment."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore import grids
from dpcore.experiments import shared
from dpcore.experiments.params import Params, control

__all__ = ["PAPER", "RelevanceParams"]

_MOVES = tuple(round(0.05 * k, 2) for k in range(-40, 41))
DATASETS = (
    ("blobs", "Four blobs"),
    ("moons", "Two moons"),
    ("spirals", "Three spirals"),
    ("iris", "Iris"),
    ("wine", "Wine"),
    ("breast_cancer", "Breast cancer"),
    ("digits", "Digits 8×8"),
    ("segment", "Segment"),
    ("har", "HAR (motion)"),
    ("mnist_dct", "MNIST, 35 cosines"),
    ("own", "Your own CSV"),
)


@dataclass(frozen=True, kw_only=True)
class RelevanceParams(Params):
    """What to train, how private it is to be, and with which recipe.

    Every field is on a grid, so that equal questions have equal answers: ``epsilon`` in
    [0.05, 20], ``delta`` in [1e-8, 1e-3], ``clip_norm`` > 0, ``sample_rate`` in (0, 1],
    ``epochs`` ≥ 1, ``init_share`` in (0, 1), ``learning_rate`` > 0, ``prototypes_per_class`` ≥ 1.

    Examples
    --------
    >>> RelevanceParams(epsilon=2.5, dataset="iris").to_link()
    {'dataset': 'iris', 'epsilon': '2.5'}
    """

    dataset: str = control(
        "moons",
        choices=DATASETS,
        label="data set",
        help="Where the records come from. Bounds of every feature are public facts.",
    )
    epsilon: float = shared.epsilon(
        help="How much one person may change the odds of any result: by a factor of at most e^ε."
    )
    delta: float = shared.delta(
        help="By how much the probability of any set of results may exceed the bound by e^ε. Keep it far below 1/N."
    )
    clip_norm: float = control(
        0.5,
        grid=grids.CLIP_NORM_GRID,
        symbol="C",
        label="clipping norm",
        ends=("clip hard", "hardly clip"),
        help="Longest pull of one record on the prototypes in one step; noise scales with it.",
    )
    sample_rate: float = shared.sample_rate(
        0.01,
        grid=grids.SAMPLE_RATE_GRID,
        ends=("few records a step", "all records"),
        help="Chance that a record takes part in a step, by a coin of its own (Poisson sampling).",
    )
    lots: str = control(
        "poisson",
        choices=(("poisson", "Poisson"), ("fixed", "fixed size")),
        label="lots",
        advanced=True,
        help="How the records of a step are drawn: every record independently with chance q, or a random "
        "subset of exactly qN. On subsets of a fixed size the guarantee is about one record replaced by "
        "another, and needs more noise.",
    )
    epochs: int = control(
        50,
        grid=grids.EPOCHS_GRID,
        symbol="E",
        label="epochs",
        ends=("short", "long"),
        moves="local",
        help="How often each record is used on average; the steps are T = E/q.",
    )
    prototypes_per_class: int = control(
        3,
        grid=(1, 2, 3, 4, 6, 8),
        symbol="m",
        label="prototypes per class",
        ends=("one", "many"),
        help="More prototypes cost no privacy: the clipped pull of a record is just as long.",
    )
    recipe: str = control(
        "tight",
        choices=(("tight", "tight accountant"), ("paper", "paper's formula")),
        label="recipe",
        help="Noise from a tight accountant with a Gaussian start, or the paper's printed formula "
        "with its Laplace start.",
    )
    init_share: float = control(
        0.2,
        grid=grids.INIT_SHARE_GRID,
        symbol="ε₁/ε",
        label="share for the start",
        ends=("spend on steps", "spend on start"),
        advanced=True,
        help="Part of ε that pays for the noisy class means from which training starts.",
    )
    learning_rate: float = control(
        0.1,
        grid=grids.LEARNING_RATE_GRID,
        symbol="η",
        label="learning rate",
        ends=("small steps", "large steps"),
        advanced=True,
        help="Length of a step. Too small is bad too: the noisy start must be forgotten.",
    )
    project: bool = control(
        True,
        choices=((True, "yes"), (False, "no")),
        label="keep prototypes in the domain",
        advanced=True,
        help="Put prototypes that leave the public domain back on its edge after each step: free.",
    )
    person: int = shared.person(
        help="Whose record the two worlds differ in, ranked by distance from the class mean."
    )
    person_dx: float = control(0.0, grid=_MOVES, label="person moved across", advanced=True)
    person_dy: float = control(0.0, grid=_MOVES, label="person moved up", advanced=True)
    seed: int = shared.seed()


PAPER = {
    "recipe": "paper",
    "init_share": 0.2,
    "delta": 1e-5,
    "sample_rate": 0.01,
    "clip_norm": 0.5,
    "epochs": 50,
    "project": False,
}
"""The settings of Brinkrolf, Berger and Hammer (ESANN 2018), section 4."""
