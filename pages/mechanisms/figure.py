"""The mechanisms lab: two worlds of outputs, what a spy makes of them, and comparisons."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.experiments import mechanisms
from dpcore.experiments.mechanisms import MechanismsParams, Outputs, Query
from dpcore.experiments.mechanisms.compare import DIMENSIONS
from dpcore.experiments.mechanisms.outputs import ALPHA, REACH
from dpcore.experiments.mechanisms.params import GROUP_GRID, PEOPLE_GRID
from dpcore.grids import EPSILON_GRID
from pages.mechanisms import figure_choosing as choosing
from ui.figure_kit.common import EPSILONS, array, epsilon_axis
from ui.live import Array, Axis, Panel, Readout, layers

__all__ = ["arrays", "panels", "readouts"]

_DIMENSIONS = [float(n) for n in DIMENSIONS]
_PEOPLE = [float(n) for n in PEOPLE_GRID]
_ALPHA = [float(a) for a in ALPHA]
_TOP = 1.12
_CLAIM = np.array(EPSILON_GRID)[:, None, None, None]


def arrays(params: MechanismsParams, found: Outputs, asked: Query) -> dict[str, Array]:
    """Return the arrays of the lab, in the units of the question."""
    return {
        **_worlds(params, found, asked),
        **_numbers(found, asked),
        **_comparison(params),
        **choosing.arrays(params),
    }


def _dims(found: Outputs, *more: str) -> tuple[str, ...]:
    return ("epsilon", *(() if found.pure else ("delta",)), *more)


def _cut(found: Outputs, values: Any) -> Any:
    """Without the axis of δ where it has no effect."""
    return values[:, 0] if found.pure else values


def _worlds(params: MechanismsParams, found: Outputs, asked: Query) -> dict[str, Array]:
    unit, f = asked.sensitivity, asked.answer
    k = np.array(GROUP_GRID)
    axis, far = _noise_axis(params, found)
    place = f + unit * _spread(params, found, found.places, far)
    draws = f + unit * _spread(params, found, found.draws, far)
    height = np.random.default_rng(20_251).uniform(-0.16, -0.05, draws.shape[-1])
    dots = np.stack([draws, np.broadcast_to(height, draws.shape)], -1)
    there = np.stack(
        [draws[:, None] - unit * k[:, None],
         np.broadcast_to(height - 0.14, (len(draws), len(k), draws.shape[-1]))], -1,
    )  # fmt: skip
    grow = np.exp(np.minimum(EPSILON_GRID, 50.0))[:, None]
    return {
        "scale_of": array(_cut(found, found.scale / far), *_dims(found)),
        "x": array(place, axis),
        "x_other": array(place[:, None] - unit * k[:, None], axis, "group"),
        "density": array(found.density, "epsilon"),
        "band_high": array(np.minimum(grow * found.density, 3 * _TOP), "epsilon"),
        "band_low": array(found.density / grow, "epsilon"),
        "area_x": array(f + unit * _cut(found, found.area_x), *_dims(found, "group")),
        "area_low": array(_cut(found, found.area_low), *_dims(found, "group")),
        "area_high": array(_cut(found, found.area_high), *_dims(found, "group")),
        "draws": array(dots, axis),
        "draws_other": array(there, axis, "group"),
        "zeros": Array(np.zeros(draws.shape[-1], np.int32), (None,)),
        "loss_x": array(f + unit * found.loss_x, "group"),
        "loss": array(_cut(found, found.loss / (_CLAIM * k[:, None])), *_dims(found, "group")),
        "one_person": array(1 / k, "group"),
        "one_person_below": array(-1 / k, "group"),
        "miss": array(_cut(found, found.miss), *_dims(found, "group")),
        "miss_bound": array(_allowed(found, params), *_dims(found)),
        "truth": array(f),
        "truth_other": array(f - unit * k, "group"),
    }


def _noise_axis(params: MechanismsParams, found: Outputs) -> tuple[str, float]:
    """The axis of the noise, and the largest scale: places are linear in the scale of a family."""
    family = params.noise != "staircase"
    return ("s", float(found.scale.max())) if family else ("epsilon", 1.0)


def _spread(params: MechanismsParams, found: Outputs, values: Any, far: float) -> Any:
    """Places (2, n) without noise and with the most, or (E, n) for a staircase."""
    if params.noise == "staircase":
        return values[:, 0]
    return np.stack([0 * values[0, 0], values[0, 0] * far / found.scale[0, 0]])


def _allowed(found: Outputs, params: MechanismsParams) -> Any:
    """The smallest type II error that (ε, δ) allows at each α, for one record."""
    from dpcore.grids import DELTA_GRID

    eps = np.array(EPSILON_GRID)[:, None, None]
    delta = np.zeros(1) if found.pure else np.array(DELTA_GRID)
    d = delta[:, None]
    with np.errstate(over="ignore"):
        steep = 1 - d - np.exp(eps) * ALPHA
    flat = np.exp(-eps) * (1 - d - ALPHA)
    return _cut(found, np.maximum(np.maximum(steep, flat), 0))


def _numbers(found: Outputs, asked: Query) -> dict[str, Array]:
    error = found.error * asked.sensitivity
    return {
        "scale_now": array(_cut(found, found.scale * asked.sensitivity), *_dims(found)),
        "error_now": array(_cut(found, error), *_dims(found)),
        "real_epsilon": array(_cut(found, found.real_epsilon), *_dims(found)),
        "delta_now": array(_cut(found, found.delta_now), *_dims(found, "group")),
        "spy": array(_cut(found, found.spy), *_dims(found, "group")),
        "group_epsilon": array(np.outer(EPSILON_GRID, GROUP_GRID), "epsilon", "group"),
        "epsilon_now": array(EPSILONS, "epsilon"),
    }


def _comparison(params: MechanismsParams) -> dict[str, Array]:
    found = mechanisms.compare()
    unit = mechanisms.query(params).sensitivity
    people = PEOPLE_GRID.index(params.n_people)
    return {
        "error_laplace": array(unit * found.errors["laplace"]),
        "error_staircase": array(unit * found.errors["staircase"]),
        "error_gaussian": array((unit * found.errors["gaussian"]).T, "delta"),
        "error_classical": array((unit * found.errors["classical"]).T, "delta"),
        "spread_laplace": array(found.spread_laplace, "epsilon"),
        "spread_gaussian": array(found.spread_gaussian, "epsilon", "delta"),
        "spread_classical": array(found.spread_classical, "epsilon", "delta"),
        "crossing": array(found.crossing, "epsilon", "delta"),
        "crossing_classical": array(found.crossing_classical, "epsilon", "delta"),
        "central": array(found.central, "epsilon"),
        "local": array(found.local, "epsilon"),
        "response": array(found.response, "epsilon"),
        "central_now": array(found.central[:, people], "epsilon"),
        "local_now": array(found.local[:, people], "epsilon"),
    }


def panels(params: MechanismsParams, asked: Query) -> list[Panel]:
    """Return the panels."""
    return [
        _densities(asked),
        _loss(asked),
        *_spy(),
        *_errors(params, asked),
        choosing.response(),
        *choosing.panels(params),
    ]


def _span(asked: Query) -> tuple[float, float]:
    return (
        asked.answer + REACH[0] * asked.sensitivity,
        asked.answer + REACH[1] * asked.sensitivity,
    )


def _densities(asked: Query) -> Panel:
    unit = f" ({asked.unit})" if asked.unit else ""
    return Panel(
        key="worlds", title="What can come out, with and without", height=430,
        x=Axis(range=_span(asked), title=f"published answer{unit}"),
        y=Axis(range=(-0.32, _TOP), title="density, relative to its top", ticks=(0.0, 0.5, 1.0)),
        caption="Accent: the outputs of D; orange: of D′, the data without the people who differ. "
        "Band: where e^ε lets D′ lie around D. Red: what pokes out of it, the area δ. Dots: 80 draws "
        "of each world, the same noise at every ε.",
        alt="Densities of the answer in both worlds at ε = {epsilon} for {group} who differ; the "
        "best test guesses right with probability {spy}.",
        layers=[
            layers.Band(x="x", low="band_low", high="band_high", role="muted", alpha=0.16),
            layers.Band(x="area_x", low="area_low", high="area_high", role="danger", alpha=0.75),
            layers.Line(x="x_other", y="density", role="other"),
            layers.Line(x="x", y="density"),
            layers.Points(xy="draws", labels="zeros", role="private", size=2.6),
            layers.Points(xy="draws_other", labels="zeros", role="other", size=2.6),
            layers.VLine(at="truth", role="private", dash=True, width=1, label="f(D)"),
            layers.VLine(at="truth_other", role="other", dash=True, width=1),
        ],
    )  # fmt: skip


def _loss(asked: Query) -> Panel:
    unit = f" ({asked.unit})" if asked.unit else ""
    return Panel(
        key="loss", title="How much one output gives away", height=430,
        x=Axis(range=_span(asked), title=f"published answer{unit}"),
        y=Axis(range=(-4, 4), title="privacy loss ln(p of D / p of D′), in kε"),
        caption="What each possible output tells about k people, in units of kε. Laplace noise never crosses ±kε; "
        "Gaussian noise does, where outputs are rare, but not as rare as δ: 16 times as frequent for one person "
        "at ε = 1 and δ = 10⁻⁵.",
        alt="Privacy loss against the output, of {group} people, with the bounds plus and minus kε at ε = {epsilon}.",
        layers=[
            layers.HLine(at="one_person", role="muted", dash=True, width=1, label="+ε"),
            layers.HLine(at="one_person_below", role="muted", dash=True, width=1, label="−ε"),
            layers.HLine(at=1.0, role="danger", dash=True, width=1.5, label="+kε"),
            layers.HLine(at=-1.0, role="danger", dash=True, width=1.5, label="−kε"),
            layers.HLine(at=0.0, role="muted", width=1),
            layers.Line(x="loss_x", y="loss"),
        ],
    )  # fmt: skip


def _spy() -> list[Panel]:
    return [
        Panel(
            key="tradeoff", title="The best test a spy can make", tab="A spy's errors", height=380,
            x=Axis(range=(0, 1), title="false alarm α: says D′ when it was D"),
            y=Axis(range=(0, 1), title="miss β: says D when it was D′"),
            caption="No test of one output gets below the curve (Dong, Roth and Su 2022). Grey: a blind "
            "guess. Dashed: all that (ε, δ) for one person promises. The nearer the curve to the "
            "grey line, the more is hidden.",
            alt="Type II error of the best test against its type I error, at ε = {epsilon}.",
            layers=[
                layers.Line(x=[0.0, 1.0], y=[1.0, 0.0], role="nonprivate", width=1.5),
                layers.Line(x=_ALPHA, y="miss_bound", role="danger", dash=True, width=1.5),
                layers.Line(x=_ALPHA, y="miss"),
            ],
        )
    ]  # fmt: skip


def _errors(params: MechanismsParams, asked: Query) -> list[Panel]:
    unit = f" ({asked.unit})" if asked.unit else ""
    low, high = asked.sensitivity * 0.004, asked.sensitivity * 200
    current = {"laplace": "laplace", "gaussian": "gaussian", "classical": "classical"}
    own = f"error_{current.get(params.noise, 'staircase')}"
    others = ["laplace", "staircase", "gaussian", "classical"]
    return [
        Panel(
            key="errors", title="Mean error against its bound", tab="Error", height=380,
            x=epsilon_axis(),
            y=Axis(range=(low, high), log=True, title=f"mean |error|{unit}"),
            caption="Laplace errs by exactly Δ/ε on average: the slide's bound is its value. Staircase: "
            "the least of all pure mechanisms. Gaussian pays for δ > 0 in one dimension. Right of the "
            "line the slide's Gaussian formula is outside its proof (ε < 1).",
            alt="Mean error of all mechanisms against epsilon.",
            layers=[
                *(layers.Line(x=EPSILONS, y=f"error_{name}", role="muted", width=1.5,
                              dash=name == "classical") for name in others),
                layers.Line(x=EPSILONS, y=own),
                layers.VLine(at=1.0, role="danger", dash=True, width=1,
                             label="slide's σ: proved left of here"),
                layers.VLine(at="epsilon_now", role="muted", width=1),
                layers.Dot(x="epsilon_now", y="error_now"),
            ],
        ),
        Panel(
            key="dimensions", title="Many numbers: L1 or L2", tab="Many numbers", height=380,
            x=Axis(range=(1, 100), log=True, title="how many numbers, all moved by one record",
                   ticks=(1, 2, 5, 10, 20, 50, 100)),
            y=Axis(range=(0.1, 3000), log=True, title="standard deviation of each"),
            caption="Laplace noise grows with the L1 sensitivity k, Gaussian with the L2 sensitivity √k "
            "(dashed: the slide's σ). Gaussian noise is the smaller one only right of the crossing: "
            "not “in high dimensions” as such.",
            alt="Noise per coordinate against the number of coordinates, crossing at {crossing}.",
            layers=[
                layers.Line(x=_DIMENSIONS, y="spread_laplace", role="other"),
                layers.Line(x=_DIMENSIONS, y="spread_classical", dash=True, width=1.5),
                layers.Line(x=_DIMENSIONS, y="spread_gaussian"),
                layers.VLine(at="crossing", role="danger", width=1.2, label="crossing"),
            ],
        ),
        Panel(
            key="local", title="Noise at home or at the server", tab="Local or central", height=380,
            x=Axis(range=(10, 10_000), log=True, title="people n",
                   ticks=(10, 100, 1000, 10_000)),
            y=Axis(range=(0.05, 20_000), log=True, title="standard deviation of the sum's error"),
            caption="Orange: everybody adds Laplace noise before sending (local): √n times the error "
            "remains. Accent: one noise at a server that is trusted. Dashed: yes-or-no answers by "
            "randomized response. Local noise protects one use of the phone, not a person with many.",
            alt="Error of a sum under local and central noise against the number of people.",
            layers=[
                layers.Line(x=_PEOPLE, y="local", role="other"),
                layers.Line(x=_PEOPLE, y="response", role="other", dash=True, width=1.5),
                layers.Line(x=_PEOPLE, y="central"),
                layers.VLine(at=float(params.n_people), role="muted", width=1,
                             label=f"n = {params.n_people}"),
            ],
        ),
    ]  # fmt: skip


def readouts(params: MechanismsParams, asked: Query) -> list[Readout]:
    """Return the numbers under the figure."""
    gaussian = params.noise in ("gaussian", "classical")
    unit = asked.unit or "of the range"
    found = [
        Readout(label="sensitivity Δ", value="sensitivity", format=".3g", note=unit,
                help=asked.why),
        Readout(label="noise σ" if gaussian else "noise scale b", value="scale_now", format=".3g",
                role="private", note=unit),
        Readout(label="mean error", value="error_now", format=".3g", note=unit,
                help="Laplace errs by exactly the slide's bound Δ/ε on average."),
        Readout(label="spy's guesses right", value="spy", format=".1%", note="best test, 50 : 50 start",
                help="One minus half the sum of false alarms and misses of the best test."),
        Readout(label="ε for the group", value="group_epsilon", format=".3g", note="kε"),
        Readout(label="δ at the claimed ε", value="delta_now", format=".2g",
                note="the red area", role="danger" if gaussian else ""),
        Readout(label="Gaussian wins from", value="crossing", format=".1f", note="numbers at once"),
        Readout(label="printed choice costs", value="real_printed", format=".3g",
                note="ε, exponential mechanism"),
    ]  # fmt: skip
    if params.noise == "classical":
        found.pop()
        found.insert(0, Readout(label="ε it really costs", value="real_epsilon", format=".3g",
                                role="danger", note="exact account"))  # fmt: skip
    return found
