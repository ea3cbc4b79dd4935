"""What the figures of private prototypes share: places on the map, accuracy against ε, two worlds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.relevance import Outcomes, Problem, RelevanceParams
from ui import live
from ui.figure_kit.common import EPSILONS, array, epsilon_axis
from ui.figure_kit.estimates import (
    difference_readout,
    median_readout,
    rate_arrays,
    rate_readout,
)
from ui.figure_kit.histograms import both_worlds, score_edges, shares
from ui.frame.depth import Depth
from ui.live import Axis, Panel, Readout, layers

__all__ = [
    "PAPER_BUTTON",
    "PROGRESS",
    "accuracy_curve",
    "clouds",
    "on_plane",
    "other_outcomes",
    "other_world",
    "readouts",
    "separability",
    "spy",
    "training_slider",
]

PROGRESS = tuple(2.5 * k for k in range(41))  # per cent of the training
PAPER_BUTTON = (
    "paper",
    "The 2018 paper's settings",
    "Noise, start, δ, q, C and E of Brinkrolf, Berger and Hammer (2018)",
)
Floats = NDArray[np.float64]
_FEWEST_DRAWS = 8  # below, a test trained on half of them says nothing


def other_world(params: RelevanceParams) -> str:
    """Return what the second of the two worlds is, as the end of a sentence."""
    return "without" if params.lots == "poisson" else "with somebody else's record in its place"


def training_slider(start: str, help: str) -> live.Slider:
    """Return the axis of the training, from ``start`` to the released model."""
    return live.Slider(
        name="progress", label="training", grid=PROGRESS, mode="local", play=True, unit=" %",
        ends=(start, "released model"), help=help, depth=Depth.UNDERSTAND,
    )  # fmt: skip


def on_plane(problem: Problem, prototypes: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return prototypes on the map, (..., P, d) -> (..., P, 3): two places and the squared rest.

    |x - w|² = |z - z_w|² + r² for every x = m + B z on the map's plane, so the regions drawn are
    exactly where the plane meets the classifier's regions.
    """
    origin, axes = problem.plane
    centred = prototypes - origin.astype(np.float32)
    places = centred @ axes.astype(np.float32)
    rest = np.square(centred).sum(-1) - np.square(places).sum(-1)
    return np.concatenate([places, np.maximum(rest, 0)[..., None]], axis=-1).astype(np.float32)


def separability(outcomes: Outcomes) -> dict[str, live.Array]:
    """Histogram both worlds along the line that parts them best (Fisher), at every noise node."""
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
    """Cross-fitted scores along the difference of means, in units of the spread, centred between."""
    half = len(with_record) // 2
    found = []
    for fit, use in ((slice(0, half), slice(half, None)), (slice(half, None), slice(0, half))):
        means = with_record[fit].mean(0), without_record[fit].mean(0)
        spread = (
            np.concatenate([with_record[fit] - means[0], without_record[fit] - means[1]]).std(0)
            + 1e-9
        )
        direction = (means[0] - means[1]) / spread**2
        middle = (means[0] + means[1]) / 2
        scale = np.linalg.norm(direction * spread) + 1e-12
        found.append(
            [(world[use] - middle) @ direction / scale for world in (with_record, without_record)]
        )
    return np.concatenate([f[0] for f in found]), np.concatenate([f[1] for f in found])


def other_outcomes(xy: str, *, alpha: float) -> layers.Cloud:
    """Return where the prototypes could have ended up with other noise."""
    return layers.Cloud(
        xy=xy, labels="labels", alpha=alpha, size=2.6, label="other possible outcomes",
        label_short="other outcomes",
    )  # fmt: skip


def clouds(arrays: Mapping[str, live.Array]) -> list[layers.Layer]:
    """Return the released prototypes of both worlds, once they are drawn."""
    if "with_record" not in arrays:
        return []
    return [
        layers.Cloud(
            xy="without_record",
            labels="labels",
            role="other",
            alpha=0.9,
            size=4.4,
            label="without the person",
            label_short="without",
        ),
        layers.Cloud(
            xy="with_record",
            labels="labels",
            role="private",
            alpha=0.75,
            size=2.8,
            label="with the person",
            label_short="with",
        ),
    ]


def spy(arrays: Mapping[str, live.Array], height: int, on: str = "") -> Panel:
    """Return the panel of an attacker's scores in both worlds; ``on``: what the test looks at."""
    return Panel(
        key="separability", title="What an attacker sees", tab="Two worlds", height=height,
        depth=Depth.UNDERSTAND,
        caption=f"An [[adversary|attacker]] tests{on} whether the person took part. The more the two histograms "
        "overlap, the less the test can tell. The last bars hold all scores beyond.",
        alt="Histograms of an attacker's score, with the person and without.",
        **both_worlds(arrays, "separability_edges", "without_record_counts", "with_record_counts",
                      title="score of the best straight line between the two"),
    )  # fmt: skip


def accuracy_curve(arrays: Mapping[str, live.Array]) -> Panel:
    """Return the panel of test accuracy against ε with its band and references."""
    curve = [
        layers.Line(x=EPSILONS, y="curve", label="private, this draw", label_short="this draw")
    ]
    bands = [
        layers.Band(
            x=EPSILONS,
            low="band_low",
            high="band_high",
            label="middle 80 % of draws",
            label_short="80 % of draws",
        ),
        layers.Line(x=EPSILONS, y="band_middle", dash=True, width=1.5, label="median"),
    ]
    return Panel(
        key="curve", title="Accuracy against ε", tab="Privacy against accuracy", height=360,
        depth=Depth.UNDERSTAND,
        x=epsilon_axis(), y=Axis(range=(0.0, 1.09), title="test accuracy", format=".0%"),  # room for names
        caption="Read from right to left: accuracy stays near the dashed “no noise” line until ε becomes small. "
        "Two lines show training without privacy: one on all records at once (by L-BFGS), one in the same small "
        "steps.",
        alt="Test accuracy, from the smallest epsilon to the largest, {trend:curve}.",
        layers=[
            *(bands if "band_low" in arrays else []),
            layers.HLine(at="best_accuracy", role="nonprivate",
                         label="without privacy, all at once", label_short="all at once"),
            layers.HLine(at="plain", role="nonprivate", dash=True,
                         label="same steps without privacy", label_short="same steps"),
            layers.HLine(at="method", role="private", dash=True, width=1.2,
                         label="clipped, no noise", label_short="no noise"),
            *(curve if "curve" in arrays else []),
            layers.VLine(at="epsilon_now", role="muted", width=1, label="your ε"),
            layers.Dot(x="epsilon_now", y="accuracy"),
        ],
    )  # fmt: skip


def readouts(
    params: RelevanceParams, arrays: Mapping[str, live.Array], n_draws: int, note: str = ""
) -> list[Readout]:
    """Return the numbers that matter, for the arrays that are there; ``n_draws`` behind the medians.

    ``note`` stands at what this draw gets right, where nothing else is known.
    """
    right = median_readout(
        "the private classifier gets right", "right", code="in 100", n_draws=n_draws, draw="accuracy",
        role="private",
        help="Of the test part, which the training never saw. Each training has noise and lots of its own; the "
        "picture shows one of them, this draw.",
    )  # fmt: skip
    found = [
        replace(right, alone=note) if note else right,
        Readout(label="without privacy it would be", value="best_accuracy", format="in 100",
                note="trained on all records at once",
                help="Found by a method that looks at all records in every step (L-BFGS). Training in small steps "
                "can end a little better."),
        *_costs(n_draws),
        Readout(label="noise multiplier σ", value="sigma", format=".3g", note="noise / C",
                depth=Depth.UNDERSTAND),
        Readout(label="noise / signal", value="noise_to_pull", format=".2g", depth=Depth.UNDERSTAND,
                note="in one step", help="Standard deviation of the noise in one step, divided by the longest "
                "possible gradient of a full lot: σ / (qN)."),
        Readout(label="records clipped", value="clipped", format=".0%", depth=Depth.UNDERSTAND,
                note="their gradient is longer than C"),
    ]  # fmt: skip
    if params.recipe == "paper":
        found.insert(0, Readout(
            label="ε it really costs", value="real_epsilon", format=".3g", role="danger",
            note="where the formula claims your ε", depth=Depth.CHECK,
            help="By the privacy loss distribution, start and steps added up."))  # fmt: skip
    if "guessed" in arrays:
        found.append(rate_readout(
            "an attacker guesses right", "guessed", tries=2 * n_draws, depth=Depth.UNDERSTAND,
            note="guessing blindly: 50 in 100",
            help="We train with the person and without, and let a linear test tell which it was. The range is a "
            "95 % interval (Clopper and Pearson) for this test."))  # fmt: skip
    return found


def _costs(n_draws: int) -> list[Readout]:
    """What noise, clipping and small steps cost, each against the same training without it."""
    return [
        difference_readout(
            "clipping and noise together", "privacy_cost", code="points", n_draws=n_draws,
            help="Against the same steps on the same records, neither clipped nor noised. The sentence under the "
            "figure names both apart. A number is told where a 95 % interval of the median leaves out 0."),
        difference_readout(
            "the noise", "noise_cost", code="points", n_draws=n_draws, depth=Depth.UNDERSTAND,
            help="Against the same steps on the same records, clipped but without noise."),
        difference_readout(
            "the clipping", "clipping_cost", code="points", n_draws=n_draws, depth=Depth.UNDERSTAND,
            help="The same steps without noise, once clipped and once not."),
        difference_readout(
            "training in small steps", "steps_cost", code="points", n_draws=n_draws, depth=Depth.UNDERSTAND,
            help="The same steps, neither clipped nor noised, against the training on all records at once "
            "(L-BFGS)."),
    ]  # fmt: skip
