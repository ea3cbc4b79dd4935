"""Interactive figure of the Mechanisms page: outputs on two neighbouring data sets, attacks, and comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dpcore.experiments import mechanisms
from dpcore.experiments.mechanisms import MechanismsParams, Query
from dpcore.experiments.mechanisms.additive import ALPHA, DIMENSIONS, REACH
from dpcore.experiments.mechanisms.params import PEOPLE_GRID
from pages.mechanisms.arrays import arrays
from pages.mechanisms.controls import CONTROLS
from ui import live
from ui.figure_kit import common
from ui.figure_kit.bets import on_draws
from ui.figure_kit.common import EPSILONS, epsilon_axis
from ui.figure_kit.odds_pictogram import people
from ui.live import Axis, Panel, Readout, layers
from ui.live.depth import Depth
from ui.words import text
from ui.words.numbers import show
from ui.words.units import one_record

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure"]

T = text.load_text(__file__)

_ALPHA = [float(a) for a in ALPHA]
_DIMENSIONS = [float(n) for n in DIMENSIONS]
_FLOORS = (-0.44, -0.9)  # where the answers of the two worlds pile up
_PEOPLE = [float(n) for n in PEOPLE_GRID]


def figure(state: PageState[MechanismsParams]) -> live.Figure:
    """Return the page's interactive figure for the current parameters."""
    params, outputs = state.params, mechanisms.displayed_outputs(state.params, state["outputs"])
    query = mechanisms.query(params)
    return common.figure(
        state,
        CONTROLS,
        arrays=arrays(params, outputs, query),
        coords={} if params.noise == "staircase" else {"s": "scale_of"},
        panels=[
            _densities(params, query),
            _loss(query),
            _tradeoff(),
            _errors(params, query),
            _dimensions(),
            _local(params),
            _response(),
            _right(params),
            _printed(params),
        ],
        readouts=_readouts(params, query),
        texts=[people(mechanisms.guarantees(params))],
    )


def _worlds(query: Query, group: int) -> dict[str, str]:
    """Return the texts that name the neighbouring data sets, which differ in one record or in several."""
    k, record = query.differing(group), one_record(query.whose)
    counted = {"person": "people", "team": "teams"}
    key = f"worlds.{record if k == 1 else counted[record]}.{query.neighbouring}"
    names = ("mine", "other", "whom", "question")
    fields = {} if k == 1 else {"k": k}
    return {name: T(f"{key}.{name}", **fields) for name in names} | {"without": T(f"{key}.without")}


def _answers(query: Query) -> Axis:
    """Return the horizontal axis of released answers, in the unit of the question."""
    low, high = (query.answer + end * query.sensitivity for end in REACH)
    unit = query.unit
    return Axis(
        range=(low, high), title=T("axes.answer_unit", unit=unit) if unit else T("axes.answer")
    )


def _densities(params: MechanismsParams, query: Query) -> Panel:
    worlds = _worlds(query, params.group)
    panel = Panel(
        key="worlds", height=430, x=_answers(query), y=common.density_axis(_FLOORS[1] - 0.04),
        bets=on_draws(
            T("panels.worlds.bet", question=worlds["question"]),
            inside="draws", outside="draws_other", best="guesses",
        ),
        layers=[
            layers.Band(x="x", low="band_low", high="band_high", role="muted", alpha=0.16,
                        label=T("panels.worlds.band")),
            layers.Band(x="area_x", low="area_low", high="area_high", role="danger", alpha=0.75,
                        **_named("panels.worlds.beyond")),
            layers.Line(x="x_other", y="density", role="other", label=worlds["other"]),
            layers.Line(x="x", y="density", label=worlds["mine"]),
            layers.HLine(at=_FLOORS[0], role="muted", width=1),
            layers.HLine(at=_FLOORS[1], role="muted", width=1),
            layers.Rain(xy="draws", upto="fallen", floor=_FLOORS[0], top=-0.03, role="private"),
            layers.Rain(xy="draws_other", upto="fallen", floor=_FLOORS[1], top=_FLOORS[0] - 0.03, role="other"),
            layers.VLine(at="truth", role="private", dash=True, width=1, label=T("panels.worlds.truth")),
            layers.VLine(at="truth_other", role="other", dash=True, width=1),
        ],
    )  # fmt: skip
    return T.panel(panel, **worlds)


def _named(path: str) -> dict[str, Any]:
    """Return the label and the short label of a curve, as keyword arguments of a layer.

    ``path`` is the key of the label in ``text.toml``.
    """
    return {"label": T(path), "label_short": T(f"{path}_short")}


def _loss(query: Query) -> Panel:
    panel = Panel(
        key="loss", height=430, depth=Depth.UNDERSTAND, x=_answers(query), y=Axis(range=(-4, 4)),
        layers=[
            layers.HLine(at="one_person", role="muted", dash=True, width=1, label="+ε"),
            layers.HLine(at="one_person_below", role="muted", dash=True, width=1, label="−ε"),
            layers.HLine(at=1.0, role="danger", dash=True, width=1.5, label="+kε"),
            layers.HLine(at=-1.0, role="danger", dash=True, width=1.5, label="−kε"),
            layers.HLine(at=0.0, role="muted", width=1),
            layers.Line(x="loss_x", y="loss", label=T("panels.loss.loss")),
        ],
    )  # fmt: skip
    return T.panel(panel, "replace_one" if query.neighbouring == "replace_one" else "add_remove")


def _tradeoff() -> Panel:
    return T.panel(Panel(
        key="tradeoff", height=380, depth=Depth.UNDERSTAND, x=Axis(range=(0, 1)), y=Axis(range=(0, 1)),
        layers=[
            layers.Line(x=[0.0, 1.0], y=[1.0, 0.0], role="nonprivate", width=1.5,
                        label=T("panels.tradeoff.guessing")),
            layers.Line(x=_ALPHA, y="miss_bound", role="danger", dash=True, width=1.5,
                        **_named("panels.tradeoff.bound")),
            layers.Line(x=_ALPHA, y="miss", **_named("panels.tradeoff.miss")),
        ],
    ))  # fmt: skip


def _errors(params: MechanismsParams, query: Query) -> Panel:
    low, high = query.sensitivity * 0.004, query.sensitivity * 200
    title = T("axes.error_unit", unit=query.unit) if query.unit else T("axes.error")
    counts = query.unit == "people" and query.sensitivity == 1  # whole numbers, moved by 1
    others = ["laplace", "staircase", "gaussian", "classical", *(["geometric"] if counts else [])]
    panel = Panel(
        key="errors", height=380, depth=Depth.UNDERSTAND,
        x=epsilon_axis(), y=Axis(range=(low, high), log=True, title=title),
        layers=[
            layers.VLine(at=1.0, role="danger", dash=True, width=1, **_named("panels.errors.ends")),
            layers.VLine(at="epsilon_now", role="muted", width=1, label=T("panels.errors.epsilon")),
            *(layers.Line(x=EPSILONS, y=f"error_{name}", role="muted", width=1.5,
                          dash=name == "classical", label=T(f"panels.errors.noise.{name}"))
              for name in others if name != params.noise),
            layers.Line(x=EPSILONS, y=f"error_{params.noise}", label=T(f"panels.errors.chosen.{params.noise}"),
                        label_short=T(f"panels.errors.noise.{params.noise}")),
            layers.Dot(x="epsilon_now", y="error_now"),
        ],
    )  # fmt: skip
    errors, at = mechanisms.compare().errors, EPSILONS.index(1.0)
    off = {name: float(errors[name][at]) for name in ("geometric", "staircase")}
    return T.panel(panel, "count" if counts else "", **off)


def _dimensions() -> Panel:
    return T.panel(Panel(
        key="dimensions", height=380, depth=Depth.UNDERSTAND,
        x=Axis(range=(1, 100), log=True, ticks=(1, 2, 5, 10, 20, 50, 100)),
        y=Axis(range=(0.1, 3000), log=True),
        layers=[
            layers.Line(x=_DIMENSIONS, y="spread_laplace", role="other",
                        label=T("panels.dimensions.laplace")),
            layers.Line(x=_DIMENSIONS, y="spread_classical", dash=True, width=1.5,
                        label=T("panels.dimensions.classical")),
            layers.Line(x=_DIMENSIONS, y="spread_gaussian", label=T("panels.dimensions.gaussian")),
            layers.VLine(at="crossing", role="danger", width=1.2, label=T("panels.dimensions.crossing")),
        ],
    ))  # fmt: skip


def _local(params: MechanismsParams) -> Panel:
    return T.panel(Panel(
        key="local", height=380, depth=Depth.UNDERSTAND,
        x=Axis(range=(10, 10_000), log=True, ticks=(10, 100, 1000, 10_000)),
        y=Axis(range=(0.05, 20_000), log=True),
        layers=[
            layers.Line(x=_PEOPLE, y="local", role="other", label=T("panels.local.laplace")),
            layers.Line(x=_PEOPLE, y="response", role="other", dash=True, width=1.5,
                        **_named("panels.local.response")),
            layers.Line(x=_PEOPLE, y="central", label=T("panels.local.central")),
            layers.VLine(at=float(params.n_people), role="muted", width=1,
                         label=T("panels.local.people", n_people=params.n_people)),
        ],
    ))  # fmt: skip


def _response() -> Panel:
    """Return the panel of randomized response: the probability of each reported answer, given the true answer."""
    truths = T.lines("choosing.truths")
    return T.panel(Panel(
        key="response", depth=Depth.UNDERSTAND, height=380,
        x=Axis(range=(0.0, 2.0), ticks=(0.5, 1.5), words=truths, title=""),
        y=Axis(range=(0.0, 1.0), format=".0%"),
        layers=[
            layers.Bars(edges=_edges(2, 0.12), heights="says_yes", role="private",
                        label=T("panels.response.yes")),
            layers.Bars(edges=_edges(2, 0.5), heights="says_no", role="other", label=T("panels.response.no")),
        ],
    ))  # fmt: skip


def _right(params: MechanismsParams) -> Panel:
    """Return the panel of the correct exponential mechanism: the probability of each option."""
    example = mechanisms.EXAMPLES[params.example]
    pairs = zip(example.options, example.change, strict=True)
    raised = T("choosing.and").join(name for name, more in pairs if more > 0)
    panel = _chosen(params, "right", Depth.UNDERSTAND)
    return T.panel(panel, scores=T(f"choosing.scores.{params.example}"), raised=raised)


def _printed(params: MechanismsParams) -> Panel:
    """Return the panel of the exponential mechanism that Sarkar's lecture prints: the probability of each option."""
    monotone = mechanisms.EXAMPLES[params.example].monotone
    return T.panel(_chosen(params, "printed", Depth.CHECK), "monotone" if monotone else "")


def _chosen(params: MechanismsParams, key: str, depth: Depth) -> Panel:
    """Return a panel with two bars per option: its probability on each of the two neighbouring data sets.

    ``key`` is the name of the panel and of the array of probabilities.
    """
    example = mechanisms.EXAMPLES[params.example]
    n = len(example.options)
    options = tuple(
        f"{name} ({show(score, '.6g')})"
        for name, score in zip(example.options, example.scores, strict=True)
    )
    return Panel(
        key=key, height=340, depth=depth,
        x=Axis(range=(0.0, float(n)), ticks=tuple(k + 0.5 for k in range(n)), words=options),
        y=Axis(range=(0.0, 1.0), format=".0%"),
        layers=[
            layers.Bars(edges=_edges(n, 0.12), heights=key, role="private", label=T("choosing.with")),
            layers.Bars(edges=_edges(n, 0.5), heights=f"{key}_other", role="other",
                        **_named("choosing.other")),
        ],
    )  # fmt: skip


def _edges(n: int, start: float) -> list[float]:
    return [k + start + part for k in range(n) for part in (0.0, 0.38)] + [n + start]


def _readouts(params: MechanismsParams, query: Query) -> list[Readout]:
    """Return the labelled numbers (readouts) below the figure, starting with those of the first level of detail."""
    unit, record = query.unit or T("unit.range"), one_record(query.whose)
    whose = "team" if record == "team" else "person"
    off = Readout(value="error_now", format=".3g", role="private")
    newest = Readout(value="newest", format=".1f" if query.unit else ".4f", role="private")
    return [
        T.readout(newest, "" if query.unit else "range", unit=unit, truth=query.answer),
        T.readout(Readout(value="guesses", about="private", format="in 100"), whose),
        T.readout(off, "" if query.unit else "range", unit=unit),
        T.readout(Readout(value="sensitivity", about="private", format=".3g", depth=Depth.UNDERSTAND), whose,
                  unit=query.unit_of(query.sensitivity) or unit, why=query.why),
        *_more_readouts(params, unit),
    ]  # fmt: skip


def _more_readouts(params: MechanismsParams, unit: str) -> list[Readout]:
    gaussian = params.noise in ("gaussian", "classical")
    look: dict[str, Any] = {"format": ".3g", "depth": Depth.UNDERSTAND}
    scale = Readout(value="scale_now", about="private", role="private", **look)
    beyond = Readout(
        value="delta_now",
        about="private",
        role="danger" if gaussian else "",
        format=".2g",
        depth=Depth.UNDERSTAND,
    )
    more = [
        T.readout(scale, "gaussian" if gaussian else "", unit=unit),
        T.readout(Readout(value="group_epsilon", about="private", **look)),
        T.readout(beyond),
        T.readout(Readout(value="crossing_whole", format="d", depth=Depth.UNDERSTAND)),
    ]
    if params.noise == "classical":
        return [
            T.readout(Readout(value="real_epsilon", about="private", role="danger", **look)),
            *more,
        ]
    return [
        *more,
        T.readout(Readout(value="real_printed", about="private", format=".3g", depth=Depth.CHECK)),
    ]
