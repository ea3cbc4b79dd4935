"""The gradient-descent lab: a border that trains, gradients as arrows, outcomes in two worlds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpcore.accounting.surfaces import NOISE_GRID
from dpcore.experiments import descent
from dpcore.experiments.descent import DescentParams, OutputSweep
from dpcore.experiments.descent.params import CLIP_GRID
from dpcore.experiments.descent.sweep import field
from pages.descent.pipeline import Answer
from ui import live
from ui.figure_kit.common import EPSILONS, array, epsilon_axis
from ui.live import Array, Axis, Panel, Readout, layers

__all__ = ["PROGRESS", "arrays", "extra_controls", "panels", "readouts", "shares"]

PROGRESS = tuple(range(0, 101, 5))
_SQUARE = (-1.0, 1.0, -1.0, 1.0)
_NOISE = [float(s) for s in NOISE_GRID]
_NOISE_AXIS = Axis(
    range=(0.37, 54.0), title="noise multiplier σ", log=True, ticks=(0.5, 1, 2, 5, 10, 20, 50)
)
SCORES = np.linspace(-8, 8, 33)
_TURN = np.linspace(0, 2 * np.pi, 73)


def extra_controls() -> list[Any]:
    """Return the training axis; buttons come from the page."""
    return [
        live.Slider(
            name="progress", label="training", grid=PROGRESS, mode="local", play=True, unit=" %",
            ends=("first step", "released model"),
            help="Follow the training: the border, and the gradients of the step taken there.",
        )
    ]  # fmt: skip


def shares(p: Any, *dims: str | None) -> Array:
    """Return shares between 0 and 1 as bytes over ``dims``; the rest is payload."""
    made = np.rint(255 * np.asarray(p)).astype(np.uint8)
    return Array(made, (*dims, *[None] * (made.ndim - len(dims))), scale=(0.0, 1.0))


def arrays(params: DescentParams, answer: Answer, output: OutputSweep) -> dict[str, Array]:
    """Return the arrays of the lab; ``u`` is the noise level, whatever levels were trained."""
    sweep, problem = answer.sweep, answer.problem
    whole = len(sweep.noise) > 1
    level = np.arange(len(NOISE_GRID)) if whole else np.zeros(len(NOISE_GRID))
    epsilon = descent.epsilon_table(params)
    large = math.sqrt(params.sample_rate * descent.N_TRAIN)  # else the mean is too short to be seen
    made = {
        "u_of": array(level, "noise_multiplier"),
        "field": shares(sweep.fields, "u", "progress"),
        "best_field": shares(field(problem, problem.best[None])[0]),
        "points": array(problem.X[:, :2]),
        "person": array(problem.X[descent.chosen_person(problem, params), :2][None, None]),
        "ring_x": array(np.outer(CLIP_GRID, np.cos(_TURN)), "clip_norm"),
        "ring_y": array(np.outer(CLIP_GRID, np.sin(_TURN)), "clip_norm"),
        "zero": Array(np.zeros(1, np.int32), (None,)),
        "labels": Array(problem.y.astype(np.int32), (None,)),
        "accuracy": array(sweep.accuracy, "u", "progress"),
        "plain": array(sweep.plain_accuracy, "progress"),
        "curve": array(sweep.accuracy, "u"),
        "plain_curve": array(sweep.plain_accuracy),
        "best": array(problem.best_accuracy),
        "raw": array(sweep.raw, "u", "progress"),
        "short": array(sweep.clipped, "u", "progress"),
        "mean": array(large * sweep.mean[:, :, None], "u", "progress"),
        "noisy": array(large * sweep.noisy[:, :, None], "u", "progress"),
        "clipped_now": array(sweep.share_clipped, "u", "progress"),
        "noise_to_signal": array(sweep.noise_to_signal, "u", "progress"),
        "epsilon": array(epsilon, "noise_multiplier", "delta"),
        "noise_now": array(_NOISE, "noise_multiplier"),
        "sigma_c": array(params.clip_norm * np.array(_NOISE), "noise_multiplier"),
        "step_now": array(params.n_steps * np.array(PROGRESS) / 100, "progress"),
        "progress_now": array(PROGRESS, "progress"),
        "final": array(sweep.accuracy[:, -1], "u"),
        **_output(output),
    }
    if whole:
        made["against"] = array(sweep.accuracy[:, -1])
        made["against_epsilon"] = array(epsilon.T, "delta")
    if answer.outcomes is not None:
        made |= _outcomes(answer.outcomes)
    return made


def _output(found: OutputSweep) -> dict[str, Array]:
    names = ("low", "middle", "high")
    proved = {f"proved_{n}": array(v) for n, v in zip(names, found.proved, strict=True)}
    printed = {f"printed_{n}": array(v) for n, v in zip(names, found.printed, strict=True)}
    return proved | printed | {"exact": array(found.exact)}


def _outcomes(found: descent.Outcomes) -> dict[str, Array]:
    low, middle, high = np.quantile(found.accuracy, [0.1, 0.5, 0.9], axis=0)

    def histograms(scores: Any) -> Any:
        held = np.clip(scores, SCORES[0], SCORES[-1])
        return np.array([np.histogram(row, SCORES)[0] for row in held.T]) / len(scores)

    return {
        "low": array(low),
        "middle": array(middle),
        "high": array(high),
        "present": array(histograms(found.present), "noise_multiplier"),
        "absent": array(histograms(found.absent), "noise_multiplier"),
        "agreement": shares(found.agreement, "noise_multiplier"),
    }


def panels(params: DescentParams, answer: Answer, made: dict[str, Array]) -> list[Panel]:
    """Return the panels for the arrays that are there."""
    return [
        _border(),
        _gradients(params),
        *_accuracy(made),
        *_worlds(made),
        _perturbed(params),
    ]


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
    steps = [float(p) for p in PROGRESS]
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
        Panel(
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
        ),
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
            layers.Bars(edges=edges, heights="absent", role="other", alpha=0.55),
            layers.Bars(edges=edges, heights="present", role="private", alpha=0.55),
        ]
        if "present" in made
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


def _perturbed(params: DescentParams) -> Panel:
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


def readouts(params: DescentParams) -> list[Readout]:
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
