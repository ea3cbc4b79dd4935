"""The parameters of the affine hull experiment."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.experiments import shared
from dpcore.experiments.params import Params, control

__all__ = [
    "LAMBDA_STEPS", "PARTIES_GRID", "QUERY_GRID", "SHIFT_GRID", "SHOWN_ROUNDS", "SKEW_GRID", "STAGE_GRID",
    "TURN_GRID", "KahmParams",
]  # fmt: skip

SHOWN_ROUNDS = 5
STAGE_GRID: tuple[float, ...] = tuple(i / 4 for i in range(4 * (SHOWN_ROUNDS + 1) + 1))
SHIFT_GRID: tuple[float, ...] = tuple(round(i / 40, 3) for i in range(-40, 41))
PARTIES_GRID: tuple[int, ...] = (1, 2, 3, 5, 10, 20)
SKEW_GRID: tuple[float, ...] = (0.0, 0.5, 1.0, 2.0, 4.0, 10.0, 100.0)
"""How unequal the parties are; the last value stands for "every class at one party"."""
QUERY_GRID: tuple[float, ...] = tuple(round(i / 20, 2) for i in range(-12, 13))
LAMBDA_STEPS: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6)
TURN_GRID: tuple[int, ...] = tuple(range(0, 361, 10))


@dataclass(frozen=True, kw_only=True)
class KahmParams(Params):
    """Which picture and table, which machine, how much noise on every value.

    ``epsilon`` in [0.05, 20] is that of ONE VALUE (an element of the data matrix); ``delta`` in
    [1e-8, 1e-3] is the slack at which a record's tight ε is stated; ``atom`` in [0, 0.1] is the
    paper's δ; ``stage`` 0 original, 1 noisy, 1 + t after round t.

    Examples
    --------
    >>> KahmParams(epsilon=4.0, n_components=1).to_link()
    {'epsilon': '4', 'n_components': '1'}
    """

    epsilon: float = shared.epsilon(8.0)
    stage: float = control(4.0, grid=STAGE_GRID)
    n_components: int = control(2, grid=(1, 2), symbol="n")
    ridge: float = control(
        2.0,
        grid=(0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0),
        symbol="τ",
    )
    n_records: int = control(200, grid=(40, 100, 200), symbol="N")
    shape: str = control(
        "moons",
        choices=("moons", "spirals", "blobs"),
    )
    n_parties: int = control(5, grid=PARTIES_GRID, symbol="Q")
    skew: float = control(0.0, grid=SKEW_GRID)
    delta: float = shared.delta()
    table: str = control(
        "digits",
        choices=("digits", "iris", "wine", "breast_cancer", "mnist", "own"),
    )
    rounds: int = control(3, grid=(0, 1, 2, 3, 4, 5), symbol="T")
    stop: str = control(
        "rounds",
        choices=("rounds", "paper"),
    )
    noise: str = control(
        "laplace",
        choices=("laplace", "staircase"),
    )
    atom: float = control(
        0.0,
        grid=(0.0, 1e-5, 1e-4, 1e-3, 1e-2, 0.1),
        symbol="δ₀",
    )
    operator: str = control(
        "fixed",
        choices=("fixed", "rebuild", "centred"),
    )
    block_size: int = control(1000, grid=(25, 50, 1000))
    n_layers: int = control(1, grid=(1, 2, 3), symbol="L")
    table_components: int = control(
        20,
        grid=(2, 5, 10, 20, 40),
        symbol="n",
    )
    person: int = control(0, low=0, high=39)
    person_dx: float = control(0.25, grid=SHIFT_GRID)
    person_dy: float = control(0.3, grid=SHIFT_GRID)
    lambda_step: int = control(1, grid=LAMBDA_STEPS)
    query_x: float = control(-0.2, grid=QUERY_GRID)
    query_y: float = control(0.1, grid=QUERY_GRID)
    turn: int = control(30, grid=TURN_GRID)
    seed: int = shared.seed()
