"""The tabs of Gradient descent: accuracy, two worlds, noise on the finished model."""

from __future__ import annotations

from dpcore.experiments import descent
from dpcore.experiments.descent import DescentParams
from pages.descent.figure_arrays import PROGRESS
from ui.figure_kit.common import EPSILONS, epsilon_axis
from ui.figure_kit.histograms import both_worlds
from ui.frame.depth import Depth
from ui.live import Array, Axis, Panel, layers

__all__ = ["SQUARE", "accuracy", "perturbed", "worlds"]

SQUARE = (-1.0, 1.0, -1.0, 1.0)
_TICKS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)


def accuracy(made: dict[str, Array], params: DescentParams) -> list[Panel]:
    """Return the panels of accuracy against noise and through training."""
    noise = [float(s) for s in descent.levels(params)]
    ends = 0.925 * noise[0], 1.08 * noise[-1]
    ticks = tuple(tick for tick in _TICKS if ends[0] <= tick <= ends[1])
    noise_axis = Axis(range=ends, title="noise multiplier σ", log=True, ticks=ticks)
    side = Axis(range=(0.4, 1.0), title="test accuracy", format=".0%")
    band = (
        [
            layers.Band(
                x=noise,
                low="low",
                high="high",
                label="8 of 10 other outcomes",
                label_short="8 of 10",
            ),
            layers.Line(x=noise, y="middle", dash=True, width=1.5, label="middle outcome"),
        ]
        if "low" in made
        else []
    )
    whole = [layers.Line(x=noise, y="against", label="this outcome")] if "against" in made else []
    return [
        _through_training(side),
        Panel(
            key="against", depth=Depth.UNDERSTAND, title="Accuracy against noise", tab="Accuracy", height=340,
            x=noise_axis, y=side,
            caption="On average, more noise makes the model less accurate. Where the band is wide, luck decides "
            "how good the published model is.",
            alt="Test accuracy against the noise multiplier.",
            layers=[
                *band,
                layers.HLine(at="best", role="nonprivate", dash=True, width=1.2,
                         label="best without privacy", label_short="best, not private"),
                *whole,
                layers.VLine(at="noise_now", role="muted", width=1, label="your σ"),
                layers.Dot(x="noise_now", y="final"),
            ],
        ),
    ]  # fmt: skip


def _through_training(side: Axis) -> Panel:
    steps = [float(p) for p in PROGRESS]
    return Panel(
        key="training", depth=Depth.UNDERSTAND, title="Accuracy through training", tab="Accuracy", height=340,
        x=Axis(range=(0, 100), title="part of the training, in %"), y=side,
        caption="The gap between the two curves is the accuracy that clipping and noise take away.",
        alt="Test accuracy through training.",
        layers=[
            layers.HLine(at="best", role="nonprivate", dash=True, width=1.2,
                         label="best without privacy", label_short="best, not private"),
            layers.Line(x=steps, y="plain_curve", role="nonprivate",
                        label="same steps without privacy", label_short="without privacy"),
            layers.Line(x=steps, y="curve", label="with privacy"),
            layers.VLine(at="progress_now", role="muted", width=1),
            layers.Dot(x="progress_now", y="accuracy"),
        ],
    )  # fmt: skip


def worlds(made: dict[str, Array]) -> list[Panel]:
    """Return the panels of what is published in both worlds."""
    agreed = [layers.Field(values="agreement", extent=SQUARE)] if "agreement" in made else []
    return [Panel(
        key="agreement", depth=Depth.UNDERSTAND, kind="map", title="What forty trainings agree on", tab="Two worlds",
        height=380, x=Axis(range=(-1, 1)), y=Axis(range=(-1, 1)),
        caption="Forty trainings on the same people, each with its own noise: the shading is full where they "
        "agree on a class, and empty where they disagree.",
        alt="Agreement of forty private trainings over the square, at σ = {noise_now}.",
        layers=[
            *agreed,
            layers.Field(values="best_field", extent=SQUARE, line=True, role="nonprivate",
                         label="border without privacy", label_short="without privacy"),
            layers.Points(xy="points", labels="labels", size=2, alpha=0.5),
        ],
    ), Panel(
        key="worlds", depth=Depth.UNDERSTAND, title="What the model says about one person", tab="Two worlds",
        height=380,
        caption="We train forty times with the person and forty times without. The more the two histograms "
        "overlap, the less the published model tells about the person. Where the score is above 0, the model gets "
        "the person right. The last bars hold all scores beyond.",
        alt="Histograms of the released model's score at one record, in both worlds.",
        **both_worlds(made, "score_edges", "without_record", "with_record",
                      title="score of the person's class at their own record"),
    )]  # fmt: skip


_NO_LINE = (
    " It is always logistic regression with one straight border, and no line parts these corners: even without "
    "noise it guesses. Choose “Two blobs” or “Two moons” to see what the noise takes away."
)


def perturbed(params: DescentParams) -> Panel:
    """Return the panel of noise on the finished model."""
    return Panel(
        key="perturbed", depth=Depth.UNDERSTAND, title="The other way: noise on the finished model",
        tab="Output perturbation",
        height=360, x=epsilon_axis(), y=Axis(range=(0.4, 1.0), title="test accuracy", format=".0%"),
        caption="The model is trained without noise, and noise is added once, to its finished weights. One replaced "
        "person moves these by at most 2G/(nμ). G bounds the gradient of one person, n counts the people, and μ = 2λ "
        "comes from the penalty λ‖w‖². Bands hold 8 of 10 outcomes."
        + _NO_LINE * (params.dataset == "corners"),
        alt="Test accuracy of output perturbation against epsilon.",
        layers=[
            layers.Band(x=EPSILONS, low="printed_low", high="printed_high", role="other",
                        depth=Depth.CHECK),
            layers.Band(x=EPSILONS, low="proved_low", high="proved_high"),
            layers.HLine(at="exact", role="nonprivate", label="without noise"),
            layers.Line(x=EPSILONS, y="printed_middle", role="other", depth=Depth.CHECK,
                        label="Sarkar's 4G/(nλ)"),
            layers.Line(x=EPSILONS, y="proved_middle", label="with noise for 2G/(nμ), μ = 2λ",
                        label_short="with noise"),
        ],
    )  # fmt: skip
