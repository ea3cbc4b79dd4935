"""Parts common to the figures of the prototype pages: maps, accuracy against ε, attacks, readouts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpcore.datasets.flu import SHIFTS
from dpcore.experiments import relevance
from dpcore.experiments.relevance import Outcomes, Problem, RelevanceParams, lot_size
from ui import live
from ui.figure_kit import common
from ui.figure_kit.common import EPSILONS, array, epsilon_axis
from ui.figure_kit.controls import PageControl, live_controls
from ui.figure_kit.estimates import (
    difference_readout,
    median_readout,
    rate_arrays,
    rate_readout,
)
from ui.figure_kit.histograms import both_worlds, score_edges, shares
from ui.figure_kit.odds_pictogram import people
from ui.live import Axis, Panel, Readout, layers
from ui.live.depth import Depth
from ui.words import text
from ui.words.text import FieldText

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = [
    "PROGRESS",
    "accuracy_curve",
    "attack_panel",
    "clouds",
    "data_texts",
    "lots_texts",
    "on_plane",
    "other_outcomes",
    "prototype_figure",
    "readouts",
    "separability",
]

T = text.load_text(__file__)
PROGRESS = tuple(2.5 * k for k in range(41))  # per cent of the training
Floats = NDArray[np.float64]
_FEWEST_DRAWS = 8  # below, a test trained on half of them says nothing


def prototype_figure(
    state: PageState[Any],
    controls: Sequence[PageControl],
    training: FieldText,
    *,
    whose: str,
    actions: Sequence[tuple[str, str, str]] = (),
    **parts: Any,
) -> live.Figure:
    """Return the figure of a prototype page from its own ``parts``.

    Controls and sentences that both prototype pages have are added.

    - ``training``: words of the slider for the progress of the training.
    - ``whose``: words for the record that can be removed.
    - ``actions``: the page's own buttons.
    """
    params, problem = state.params, state.problem
    paper = ("paper", T("buttons.paper.label"), T("buttons.paper.help"))
    return live.Figure(
        controls=[
            *live_controls(controls, params),
            _training_slider(training),
            common.buttons(*actions),
            live.Buttons(name="paper", actions=[paper], depth=Depth.UNDERSTAND),
        ],
        values=common.values(params, progress=PROGRESS[-1]),
        texts=[
            people(relevance.guarantees(params, problem), whose=whose),
            *lots_texts(params, len(problem.y)),
            *data_texts(problem),
        ],
        busy=state.busy,
        **parts,
    )


def _training_slider(words: FieldText) -> live.Slider:
    return live.Slider(
        name="progress", label=words.label, grid=PROGRESS, mode="local", play=True, unit=words.unit,
        ends=words.ends, help=words.help, depth=Depth.UNDERSTAND,
    )  # fmt: skip


def lots_texts(params: RelevanceParams, n_records: int) -> list[live.Text]:
    """Return the text on lots (batches) of a fixed size, or no text for Poisson sampling."""
    if params.lots == "poisson":
        return []
    size = lot_size(params, n_records)
    if not size:
        sentence = T("lots.empty", size=params.sample_rate * n_records, n=n_records)
    else:
        sentence = T("lots.fixed", size=size, n=n_records)
    return [live.Text(strings=[sentence])]


def data_texts(problem: Problem) -> list[live.Text]:
    """Return the text on a data set with made-up records, or with facts that were read from the records.

    ε does not cover such facts. For all other data sets the list is empty.
    """
    if problem.dataset.name == "flu":
        telling = [name for name in problem.dataset.feature_names if name in SHIFTS]
        words = f"{', '.join(telling[:-1])} and {telling[-1]}"
        others = len(problem.dataset.feature_names) - len(telling)
        sentence = T("data.flu", n=len(problem.y), telling=words, others=others)
        return [live.Text(strings=[sentence])]
    if problem.dataset.name != "mnist_pca":
        return []
    sentence = T(
        "data.unpaid", n=len(problem.y), n_test=len(problem.dataset.y_test), d=problem.X.shape[1]
    )
    return [live.Text(strings=[sentence])]


def on_plane(problem: Problem, prototypes: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return coordinates and squared distance from the map's plane for P prototypes, (..., P, 3).

    Let a prototype w (of ``prototypes`` (..., P, d)) have the coordinates z_w and the squared
    distance r² from the plane. Then |x - w|² = |z - z_w|² + r² for every point x of the plane with
    coordinates z. Thus the drawn regions are exactly the intersections of the plane with the
    classifier's regions.
    """
    origin, axes = problem.plane
    centred = prototypes - origin.astype(np.float32)
    places = centred @ axes.astype(np.float32)
    rest = np.square(centred).sum(-1) - np.square(places).sum(-1)
    return np.concatenate([places, np.maximum(rest, 0)[..., None]], axis=-1).astype(np.float32)


def separability(outcomes: Outcomes) -> dict[str, live.Array]:
    """Return histograms of an attack's scores on both neighbouring data sets, at every noise level."""
    n_draws, n_nodes = outcomes.with_record.shape[:2]
    if n_draws < _FEWEST_DRAWS:
        unknown = np.full((n_nodes, 1), np.nan)
        return _histograms(unknown, unknown, np.array([-1.0, 1.0]), unknown[:, 0], 1)
    scores = np.array(
        [
            _scores(
                *(
                    w[:, k].reshape(n_draws, -1)
                    for w in (outcomes.with_record, outcomes.without_record)
                )
            )
            for k in range(n_nodes)
        ]
    )  # (V, 2, n)
    guess = 0.5 * ((scores[:, 0] > 0).mean(-1) + (scores[:, 1] <= 0).mean(-1))
    edges = score_edges(*scores.transpose(1, 2, 0))
    return _histograms(
        shares(scores[:, 0], edges), shares(scores[:, 1], edges), edges, guess, 2 * n_draws
    )


def _histograms(
    here: Floats, there: Floats, edges: Floats, guess: Floats, tries: int
) -> dict[str, live.Array]:
    return {
        "separability_edges": array(edges),
        "with_record_counts": array(here, "v"),
        "without_record_counts": array(there, "v"),
        **rate_arrays("guessed", guess, tries, "v"),
    }


def _scores(
    with_record: NDArray[np.float32], without_record: NDArray[np.float32]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return an attack's scores for draws with a record and for draws without it.

    A score is the position of a draw along Fisher's discriminant direction, which is fitted on other draws. Scores
    are centred, and in units of the standard deviation.
    """
    half = len(with_record) // 2
    halves = []
    for fit, use in ((slice(0, half), slice(half, None)), (slice(half, None), slice(0, half))):
        means = with_record[fit].mean(0), without_record[fit].mean(0)
        spread = (
            np.concatenate([with_record[fit] - means[0], without_record[fit] - means[1]]).std(0)
            + 1e-9
        )
        direction = (means[0] - means[1]) / spread**2
        middle = (means[0] + means[1]) / 2
        scale = np.linalg.norm(direction * spread) + 1e-12
        halves.append(
            [(world[use] - middle) @ direction / scale for world in (with_record, without_record)]
        )
    return np.concatenate([f[0] for f in halves]), np.concatenate([f[1] for f in halves])


def other_outcomes(xy: str, *, alpha: float) -> layers.Cloud:
    """Return the layer with the prototypes of other noise draws."""
    return layers.Cloud(
        xy=xy, labels="labels", alpha=alpha, size=2.6, label=T("marks.outcomes"),
        label_short=T("marks.outcomes_short"),
    )  # fmt: skip


def clouds(arrays: Mapping[str, live.Array]) -> list[layers.Layer]:
    """Return the layers of prototypes released from both neighbouring data sets.

    The list is empty until the prototypes are computed.
    """
    if "with_record" not in arrays:
        return []
    return [
        layers.Cloud(xy="without_record", labels="labels", role="other", alpha=0.9, size=4.4,
                     label=T("marks.without"), label_short=T("marks.without_short")),
        layers.Cloud(xy="with_record", labels="labels", role="private", alpha=0.75, size=2.8,
                     label=T("marks.with"), label_short=T("marks.with_short")),
    ]  # fmt: skip


def attack_panel(arrays: Mapping[str, live.Array], height: int, *, matrix: bool = False) -> Panel:
    """Return the panel of an attack's scores on both neighbouring data sets.

    ``matrix``: the attack sees the prototypes and the matrix.
    """
    panel = Panel(
        key="separability", height=height, depth=Depth.UNDERSTAND,
        **both_worlds(arrays, "separability_edges", "without_record_counts", "with_record_counts", title=""),
    )  # fmt: skip
    return T.panel(panel, "matrix" if matrix else "")


def accuracy_curve(arrays: Mapping[str, live.Array]) -> Panel:
    """Return the panel of the test accuracy against ε, with its band and its non-private references."""
    curve = layers.Line(
        x=EPSILONS, y="curve", label=T("panels.curve.private"), label_short=T("panels.curve.private_short")
    )  # fmt: skip
    bands = [
        layers.Band(x=EPSILONS, low="band_low", high="band_high", label=T("panels.curve.band"),
                    label_short=T("panels.curve.band_short")),
        layers.Line(x=EPSILONS, y="band_middle", dash=True, width=1.5, label=T("panels.curve.median")),
    ]  # fmt: skip
    panel = Panel(
        key="curve", height=360, depth=Depth.UNDERSTAND,
        x=epsilon_axis(), y=Axis(range=(0.0, 1.09), format=".0%"),  # room for names
        layers=[
            *(bands if "band_low" in arrays else []),
            layers.HLine(at="best_accuracy", role="nonprivate", label=T("panels.curve.best"),
                         label_short=T("panels.curve.best_short")),
            layers.HLine(at="plain", role="nonprivate", dash=True, label=T("panels.curve.plain"),
                         label_short=T("panels.curve.plain_short")),
            layers.HLine(at="method", role="private", dash=True, width=1.2, label=T("panels.curve.method"),
                         label_short=T("panels.curve.method_short")),
            *([curve] if "curve" in arrays else []),
            layers.VLine(at="epsilon_now", role="muted", width=1, label=T("marks.epsilon")),
            layers.Dot(x="epsilon_now", y="accuracy"),
        ],
    )  # fmt: skip
    return T.panel(panel)


def readouts(
    params: RelevanceParams,
    arrays: Mapping[str, live.Array],
    n_draws: int,
    upto: float | None = None,
) -> list[Readout]:
    """Return the readouts (numbers below the figure) whose arrays are among ``arrays``.

    ``n_draws``: number of random draws behind the medians. ``upto``: number of epochs trained so
    far, if fewer than requested.
    """
    right = median_readout(
        "", "right", code="in 100", n_draws=n_draws, draw="accuracy", role="private"
    )
    items = [
        T.readout(right) if upto is None else T.readout(right, "part", upto=upto, epochs=params.epochs),
        T.readout(Readout(value="best_accuracy", format="in 100")),
        *_costs(n_draws),
        T.readout(Readout(value="sigma", about="private", format=".3g", depth=Depth.UNDERSTAND)),
        T.readout(Readout(value="noise_to_pull", about="private", format=".2g", depth=Depth.UNDERSTAND)),
        T.readout(Readout(value="clipped", about="private", format=".0%", depth=Depth.UNDERSTAND)),
    ]  # fmt: skip
    if params.recipe == "paper":
        real = Readout(
            value="real_epsilon", about="private", format=".3g", role="danger", depth=Depth.CHECK
        )
        items.insert(0, T.readout(real))
    if "guessed" in arrays:
        rate = rate_readout(
            "", "guessed", tries=2 * n_draws, note=T("readouts.guessed.blindly"), depth=Depth.UNDERSTAND,
            about="private",
        )  # fmt: skip
        items.append(T.readout(rate))
    return items


def _costs(n_draws: int) -> list[Readout]:
    """Return readouts of the accuracy lost to noise, clipping and small steps."""
    deeper = dict.fromkeys(("noise_cost", "clipping_cost", "steps_cost"), Depth.UNDERSTAND)
    return [
        T.readout(
            difference_readout(
                "", name, code="points", n_draws=n_draws, draw=f"{name}_draw", depth=depth
            )
        )
        for name, depth in {"privacy_cost": Depth.LOOK, **deeper}.items()
    ]
