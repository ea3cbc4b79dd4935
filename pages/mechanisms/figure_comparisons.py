"""Comparisons of mechanisms: their errors, one number or many, noise at home or at a server."""

from __future__ import annotations

from dpcore.experiments import mechanisms
from dpcore.experiments.mechanisms import MechanismsParams, Query
from dpcore.experiments.mechanisms.compare import DIMENSIONS
from dpcore.experiments.mechanisms.params import PEOPLE_GRID
from ui.figure_kit.common import EPSILONS, epsilon_axis
from ui.frame.depth import Depth
from ui.live import Axis, Panel, layers
from ui.words.numbers import show

__all__ = ["panels"]

_DIMENSIONS = [float(n) for n in DIMENSIONS]
_NAMES = {
    "laplace": "Laplace",
    "staircase": "staircase",
    "geometric": "geometric, whole numbers",
    "gaussian": "Gaussian",
    "classical": "classical Gaussian",
}
_PEOPLE = [float(n) for n in PEOPLE_GRID]


def panels(params: MechanismsParams, asked: Query) -> list[Panel]:
    """Return the panels."""
    return [_errors(params, asked), _dimensions(), _local(params)]


def _errors(params: MechanismsParams, asked: Query) -> Panel:
    unit = f" ({asked.unit})" if asked.unit else ""
    low, high = asked.sensitivity * 0.004, asked.sensitivity * 200
    current = {"laplace": "laplace", "gaussian": "gaussian", "classical": "classical"}
    own = current.get(params.noise, "staircase")
    others = ["laplace", "staircase", "gaussian", "classical"]
    others += ["geometric"] if _is_count(asked) else []
    return Panel(
        key="errors", title="Mean error against ε", tab="Error", height=380, depth=Depth.UNDERSTAND,
        x=epsilon_axis(),
        y=Axis(range=(low, high), log=True, title=f"mean |error|{unit}"),
        caption="The lower a curve, the closer the published answer is to the truth at the same ε. "
        f"{_closest(asked)} The classical formula for Gaussian noise is proved for ε < 1 only.",
        alt="Mean error of all mechanisms against epsilon.",
        layers=[
            layers.VLine(at=1.0, role="danger", dash=True, width=1,
                         label="classical σ: proved left of here", label_short="classical σ ends"),
            layers.VLine(at="epsilon_now", role="muted", width=1, label="your ε"),
            *(layers.Line(x=EPSILONS, y=f"error_{name}", role="muted", width=1.5,
                          dash=name == "classical", label=_NAMES[name])
              for name in others if name != own),
            layers.Line(x=EPSILONS, y=f"error_{own}", label=f"{_NAMES[own]}, chosen",
                        label_short=_NAMES[own]),
            layers.Dot(x="epsilon_now", y="error_now"),
        ],
    )  # fmt: skip


def _is_count(asked: Query) -> bool:
    """Whether the answer is a whole number that one record moves by 1."""
    return asked.unit == "people" and asked.sensitivity == 1


def _closest(asked: Query) -> str:
    """Which noise comes closest to the truth with δ = 0, for answers of this kind."""
    theorem = "For answers that are real numbers, no added noise with δ = 0 comes closer than staircase noise."
    if not _is_count(asked):
        return theorem
    errors, at = mechanisms.compare().errors, EPSILONS.index(1.0)
    geometric, stairs = (
        show(float(errors[name][at]), ".3f") for name in ("geometric", "staircase")
    )
    return (
        f"{theorem} For a count like this one, geometric noise on whole numbers does: at ε = 1 it is off by "
        f"{geometric}, staircase noise by {stairs}."
    )


def _dimensions() -> Panel:
    return Panel(
        key="dimensions", title="Many numbers at once: Laplace or Gaussian", tab="Many numbers", height=380,
        depth=Depth.UNDERSTAND,
        x=Axis(range=(1, 100), log=True, title="how many numbers, all moved by one record",
               ticks=(1, 2, 5, 10, 20, 50, 100)),
        y=Axis(range=(0.1, 3000), log=True, title="standard deviation of each"),
        caption="With Laplace noise each number needs noise that grows with how many there are. With Gaussian noise "
        "it grows with the square root only, so the Gaussian is better right of the crossing.",
        alt="Noise per coordinate against the number of coordinates, crossing at {crossing}.",
        layers=[
            layers.Line(x=_DIMENSIONS, y="spread_laplace", role="other", label="Laplace"),
            layers.Line(x=_DIMENSIONS, y="spread_classical", dash=True, width=1.5,
                        label="classical Gaussian"),
            layers.Line(x=_DIMENSIONS, y="spread_gaussian", label="Gaussian"),
            layers.VLine(at="crossing", role="danger", width=1.2, label="crossing"),
        ],
    )  # fmt: skip


def _local(params: MechanismsParams) -> Panel:
    return Panel(
        key="local", title="Noise at home or at the server", tab="Local or central", height=380,
        depth=Depth.UNDERSTAND,
        x=Axis(range=(10, 10_000), log=True, title="people n",
               ticks=(10, 100, 1000, 10_000)),
        y=Axis(range=(0.05, 20_000), log=True, title="standard deviation of the sum's error"),
        caption="With [[local privacy]] everybody adds noise before sending, and the error of the sum grows like √n. "
        "With [[central privacy]] a trusted server adds noise once, so the error stays the same, however many "
        "take part.",
        alt="Error of a sum under local and central noise against the number of people.",
        layers=[
            layers.Line(x=_PEOPLE, y="local", role="other", label="local, Laplace"),
            layers.Line(x=_PEOPLE, y="response", role="other", dash=True, width=1.5,
                        label="local, randomized response", label_short="local, coin"),
            layers.Line(x=_PEOPLE, y="central", label="central"),
            layers.VLine(at=float(params.n_people), role="muted", width=1,
                         label=f"n = {params.n_people}"),
        ],
    )  # fmt: skip
