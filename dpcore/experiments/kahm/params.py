"""The parameters of the affine hull experiment."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.experiments import shared
from dpcore.experiments.params import Params, control

__all__ = ["PARTIES_GRID", "SHIFT_GRID", "SHOWN_ROUNDS", "SKEW_GRID", "STAGE_GRID", "KahmParams"]

SHOWN_ROUNDS = 5
STAGE_GRID: tuple[float, ...] = tuple(i / 4 for i in range(4 * (SHOWN_ROUNDS + 1) + 1))
SHIFT_GRID: tuple[float, ...] = tuple(round(i / 40, 3) for i in range(-40, 41))
PARTIES_GRID: tuple[int, ...] = (1, 2, 3, 5, 10, 20)
SKEW_GRID: tuple[float, ...] = (0.0, 0.5, 1.0, 2.0, 4.0, 10.0, 100.0)
"""How unequal the parties are; the last value stands for "every class at one party"."""


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

    epsilon: float = shared.epsilon(
        8.0,
        label="privacy loss of ONE VALUE",
        help="Every value of the table gets noise of scale 1/ε of its range. A record of p values "
        "has p times this loss: it stands beside the figure.",
    )
    stage: float = control(
        4.0,
        grid=STAGE_GRID,
        label="stage",
        ends=("original", "smoothed"),
        moves="local",
        help="0: the original data. 1: with noise. Then one more round of smoothing each.",
    )
    n_components: int = control(
        2,
        grid=(1, 2),
        symbol="n",
        label="dimensions of the image",
        ends=("a curve", "a surface"),
        help="How many principal directions of a class its machine looks at.",
    )
    ridge: float = control(
        2.0,
        grid=(0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0),
        symbol="τ",
        label="stiffness, in mean squares",
        ends=("follows the points", "stiff"),
        advanced=True,
        help="The paper takes τ = 2 mean squares. More of it pulls the image towards the class mean.",
    )
    n_records: int = control(
        200,
        grid=(40, 100, 200),
        symbol="N",
        label="records in the picture",
        ends=("few", "many"),
        help="Smoothing averages over the records of a class: more of them, more shape is left.",
    )
    shape: str = control(
        "moons",
        choices=(("moons", "Two moons"), ("spirals", "Three spirals"), ("blobs", "Four blobs")),
        label="picture",
        help="Two-dimensional data, to see what happens. Use the digits for claims.",
    )
    n_parties: int = control(
        5,
        grid=PARTIES_GRID,
        symbol="Q",
        label="parties",
        ends=("one", "many"),
        moves="local",
        help="Who keep their own records and only answer distances (tab Federated).",
    )
    skew: float = control(
        0.0,
        grid=SKEW_GRID,
        label="skew of the parties",
        ends=("all alike", "each class at one party"),
        help="How unequally the classes are spread: Dirichlet shares of concentration 1/skew.",
    )
    delta: float = shared.delta(
        help="By how much the probability of any set of results may exceed the bound by the tight ε of a whole "
        "record, and of its rival. No exact values are published for it.",
        moves="server",
    )
    table: str = control(
        "digits",
        choices=(
            ("digits", "Digits 8×8"),
            ("iris", "Iris"),
            ("wine", "Wine"),
            ("breast_cancer", "Breast cancer"),
            ("own", "Your own data (below)"),
        ),
        label="table measured in the tabs",
        help="Accuracy, membership, parties: measured on these records.",
    )
    rounds: int = control(
        3,
        grid=(0, 1, 2, 3, 4, 5),
        symbol="T",
        label="rounds that are published",
        ends=("noisy only", "smooth"),
        advanced=True,
        help="A fixed, public number of rounds. Used in all tabs.",
    )
    stop: str = control(
        "rounds",
        choices=(
            ("rounds", "after T rounds (public)"),
            ("paper", "the paper's: reads the original"),
        ),
        label="when smoothing stops",
        advanced=True,
        help="The paper stops at the error of the original data: another look that nothing pays for.",
    )
    noise: str = control(
        "laplace",
        choices=(("laplace", "Laplace (the paper's)"), ("staircase", "Staircase (less noise)")),
        label="noise",
        advanced=True,
        help="Both give every value the same ε.",
    )
    atom: float = control(
        0.0,
        grid=(0.0, 1e-5, 1e-4, 1e-3, 1e-2, 0.1),
        symbol="δ₀",
        label="share published unchanged",
        ends=("none", "every tenth"),
        advanced=True,
        help="The paper's δ > 0: with this chance a value is published exactly as it is.",
    )
    operator: str = control(
        "fixed",
        choices=(
            ("fixed", "one machine, repeated"),
            ("rebuild", "a new machine each round"),
            ("centred", "one machine, centred (error falls for sure)"),
        ),
        label="smoothing",
        advanced=True,
        help="The introduction leaves open how the map is repeated: two readings and a proved one.",
    )
    block_size: int = control(
        1000,
        grid=(25, 50, 1000),
        label="records per block",
        ends=("many machines", "one machine"),
        advanced=True,
        help="A large class is shared by several machines; the nearest one counts.",
    )
    n_layers: int = control(
        1,
        grid=(1, 2, 3),
        symbol="L",
        label="depth",
        ends=("one layer", "deep"),
        advanced=True,
        help="Machines that hand on their image. More than one changed no accuracy we measured.",
    )
    table_components: int = control(
        20,
        grid=(2, 5, 10, 20, 40),
        symbol="n",
        label="dimensions, in the tabs",
        ends=("few", "many"),
        advanced=True,
        help="The same n for the table; never more than it has features.",
    )
    person: int = control(
        0,
        low=0,
        high=39,
        label="which record is Ada",
        advanced=True,
        help="The record that differs between the two worlds.",
    )
    person_dx: float = control(
        0.25,
        grid=SHIFT_GRID,
        label="Ada's other place, across",
        advanced=True,
        moves="local",
        help="How far to the right Ada's record lies in the other world.",
    )
    person_dy: float = control(
        0.3,
        grid=SHIFT_GRID,
        label="Ada's other place, up",
        advanced=True,
        moves="local",
        help="How far up Ada's record lies in the other world.",
    )
    seed: int = shared.seed()
