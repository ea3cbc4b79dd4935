"""The figure of Gradient descent: a border that trains, gradients as arrows, outcomes in two worlds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dpcore.accounting.surfaces import NOISE_GRID
from dpcore.experiments import descent
from dpcore.experiments.descent import DescentParams
from dpcore.grids import DELTA_GRID
from pages.descent.figure_arrays import PROGRESS, SCORES, arrays
from pages.descent.figure_previews import preview_arrays
from ui import live
from ui.figure_kit import common
from ui.figure_kit.common import EPSILONS, epsilon_axis
from ui.live import Array, Axis, Panel, Readout, layers
from ui.odds import odds_sentence

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure"]

_SQUARE = (-1.0, 1.0, -1.0, 1.0)
_NOISE = [float(s) for s in NOISE_GRID]
_NOISE_AXIS = Axis(
    range=(0.37, 54.0), title="noise multiplier σ", log=True, ticks=(0.5, 1, 2, 5, 10, 20, 50)
)


def figure(state: PageState[DescentParams]) -> live.Figure:
    """Return the live figure of what is known."""
    params = state.params
    asked = common.controls_of(params)
    made = arrays(state.problem, params, state["sweep"], state["outcomes"])
    along, previews = preview_arrays(params, state.previews())
    return live.Figure(
        controls=[*asked[:2], _training(), *asked[2:], common.buttons()],
        values=common.values(params, progress=PROGRESS[-1]),
        arrays=made | along,
        coords={"u": "u_of"},
        previews=previews,
        panels=[_border(), _gradients(params), *_accuracy(made), *_worlds(made), _perturbed()],
        readouts=_readouts(params),
        texts=[_odds(params)],
        busy=state.busy,
    )


def _training() -> live.Slider:
    return live.Slider(
        name="progress", label="training", grid=PROGRESS, mode="local", play=True, unit=" %",
        ends=("first step", "released model"),
        help="Follow the training: the border, and the gradients of the step taken there.",
    )  # fmt: skip


def _odds(params: DescentParams) -> live.Text:
    table = descent.epsilon_table(params)
    return live.Text(
        strings=[
            odds_sentence(float(table[i, j]), delta if math.isfinite(table[i, j]) else 0.0)
            for i in range(len(NOISE_GRID))
            for j, delta in enumerate(DELTA_GRID)
        ],
        dims=("noise_multiplier", "delta"),
    )


def _border() -> Panel:
    return Panel(
        key="border", kind="map", title="The border that is learned", height=430,
        x=Axis(range=(-1, 1)), y=Axis(range=(-1, 1)),
        caption="Shading: how sure the private model is. Grey line: the border without privacy. Red: the "
        "person of the tab Two worlds.",
        alt="Decision border after {progress} of the training at σ = {noise_multiplier}: accuracy "
        "{accuracy}.",
        layers=[
            layers.Field(values="field", extent=_SQUARE),
            layers.Field(values="best_field", extent=_SQUARE, line=True, role="nonprivate"),
            layers.Points(xy="points", labels="labels", size=2.6),
            layers.Cloud(xy="person", labels="zero", role="danger", size=6, alpha=0.9),
        ],
    )  # fmt: skip


def _gradients(params: DescentParams) -> Panel:
    clips = params.parts in ("both", "clip") and params.clipping == "example"
    ring = (
        [
            layers.Line(
                x="ring_x",
                y="ring_y",
                role="danger",
                dash=True,
                width=1.4,
            )
        ]
        if clips
        else []
    )
    return Panel(
        key="gradients", kind="map", title="The gradients of this step", height=430,
        x=Axis(range=(-1.3, 1.3)), y=Axis(range=(-1.3, 1.3)),
        caption="Grey: what each record of the lot asks for (the two directions that show most). Accent: "
        + ("shortened to C (circle). " if clips else "not shortened. ")
        + "Thick: their mean, and in orange with the noise: the step taken, both drawn √lot times longer.",
        alt="Gradient arrows: {clipped_now} of the records are clipped, noise over signal "
        "{noise_to_signal}.",
        layers=[
            *ring,
            layers.Arrows(xy="raw", role="nonprivate", width=1, alpha=0.55),
            layers.Arrows(xy="short", role="private", width=1.4, alpha=0.8),
            layers.Arrows(xy="noisy", role="other", width=3.5),
            layers.Arrows(xy="mean", role="text", width=3),
        ],
    )  # fmt: skip


def _accuracy(made: dict[str, Array]) -> list[Panel]:
    side = Axis(range=(0.4, 1.0), title="test accuracy", format=".0%")
    band = (
        [
            layers.Band(x=_NOISE, low="low", high="high"),
            layers.Line(x=_NOISE, y="middle", dash=True, width=1.5),
        ]
        if "low" in made
        else []
    )
    whole = [layers.Line(x=_NOISE, y="against")] if "against" in made else []
    return [
        _through_training(side),
        Panel(
            key="against", title="Accuracy against noise", tab="Accuracy", height=340,
            x=_NOISE_AXIS, y=side,
            caption="Solid: this draw at every σ. Band: the middle 80 % of other draws of lots and noise; "
            "dashed: their median.",
            alt="Test accuracy against the noise multiplier.",
            layers=[
                *band,
                layers.HLine(at="best", role="nonprivate", dash=True, width=1.2),
                *whole,
                layers.VLine(at="noise_now", role="muted", width=1),
                layers.Dot(x="noise_now", y="final"),
            ],
        ),
    ]  # fmt: skip


def _worlds(made: dict[str, Array]) -> list[Panel]:
    edges = [float(s) for s in SCORES]
    bars = (
        [
            layers.Bars(edges=edges, heights="without_record", role="other", alpha=0.55),
            layers.Bars(edges=edges, heights="with_record", role="private", alpha=0.55),
        ]
        if "with_record" in made
        else []
    )
    agreed = [layers.Field(values="agreement", extent=_SQUARE)] if "agreement" in made else []
    return [Panel(
        key="agreement", kind="map", title="What forty trainings agree on", tab="Two worlds",
        height=380, x=Axis(range=(-1, 1)), y=Axis(range=(-1, 1)),
        caption="Shading: the share of the draws that give each class there; white where they disagree. "
        "Grey line: the border without privacy.",
        alt="Agreement of forty private trainings over the square, at σ = {noise_multiplier}.",
        layers=[
            *agreed,
            layers.Field(values="best_field", extent=_SQUARE, line=True, role="nonprivate"),
            layers.Points(xy="points", labels="labels", size=2, alpha=0.5),
        ],
    ), Panel(
        key="worlds", title="What the model says about one person", tab="Two worlds", height=380,
        x=Axis(range=(-8, 8), title="score of the person's own class at their own record"),
        y=Axis(range=(0, 0.6), title="share of the draws", format=".0%"),
        caption="Accent: trained with the person; orange: without; everybody else's coins are the same. "
        "Forty trainings each. The bars at the ends hold everything beyond. Privacy is the overlap.",
        alt="Histograms of the released model's score at one record, in both worlds.",
        layers=bars,
    )]  # fmt: skip


def _perturbed() -> Panel:
    return Panel(
        key="perturbed", title="The other way: noise on the finished model", tab="Output perturbation",
        height=360, x=epsilon_axis(), y=Axis(range=(0.4, 1.0), title="test accuracy", format=".0%"),
        caption="Logistic regression with λ‖w‖², solved exactly, then Gaussian noise once. Accent: by the "
        "sensitivity 2G/(nμ), μ = 2λ, which is tight. Orange: by the slide's 4G/(nλ): four times "
        "too much when its λ is that of λ‖w‖², as drawn here, and twice when it is meant as the strong convexity μ. "
        "Bands: the middle 80 % of 100 draws. Grey: no noise. δ and λ as chosen.",
        alt="Test accuracy of output perturbation against epsilon for both sensitivities.",
        layers=[
            layers.Band(x=EPSILONS, low="printed_low", high="printed_high", role="other"),
            layers.Band(x=EPSILONS, low="proved_low", high="proved_high"),
            layers.HLine(at="exact", role="nonprivate"),
            layers.Line(x=EPSILONS, y="printed_middle", role="other"),
            layers.Line(x=EPSILONS, y="proved_middle"),
        ],
    )  # fmt: skip


def _readouts(params: DescentParams) -> list[Readout]:
    """Return the numbers under the figure."""
    private = params.parts == "both"
    sure = private and params.noise == "lot"
    return [
        Readout(label="ε of the training" if private else "no guarantee", value="epsilon",
                format=".3g", role="private" if sure else "danger",
                note="at δ, by PLD" if sure else "see the card"),
        Readout(label="accuracy, private", value="accuracy", format=".1%", role="private"),
        Readout(label="same steps, plain", value="plain", format=".1%", note="no clip, no noise"),
        Readout(label="best without privacy", value="best", format=".1%", note="long training"),
        Readout(label="noise σ·C", value="sigma_c", format=".3g", note="on the sum of a lot"),
        Readout(label="noise ÷ signal", value="noise_to_signal", format=".2g", note="of this step"),
        Readout(label="records clipped", value="clipped_now", format=".0%", note="of this lot"),
        Readout(label="step", value="step_now", format="d", note="of the T of the training"),
    ]  # fmt: skip


def _through_training(side: Axis) -> Panel:
    steps = [float(p) for p in PROGRESS]
    return Panel(
        key="training", title="Accuracy through training", tab="Accuracy", height=340,
        x=Axis(range=(0, 100), title="training, % of its T steps"), y=side,
        caption="Accent: this training. Grey: the same lots without clipping or noise; dashed: long "
        "plain training.",
        alt="Test accuracy through training.",
        layers=[
            layers.HLine(at="best", role="nonprivate", dash=True, width=1.2),
            layers.Line(x=steps, y="plain_curve", role="nonprivate"),
            layers.Line(x=steps, y="curve"),
            layers.VLine(at="progress_now", role="muted", width=1),
            layers.Dot(x="progress_now", y="accuracy"),
        ],
    )  # fmt: skip
