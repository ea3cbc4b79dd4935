"""The memo: one printable page that says what was chosen, what it costs, what it protects and what not."""

from __future__ import annotations

import html
import math
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from urllib.parse import urlencode

import numpy as np
from numpy.typing import NDArray

import dpcore
from dpcore.datasets import RegressionDataset
from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams, Costs, People, Problem
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.guarantee import Guarantee
from pages.choose import backwards
from pages.choose.figure import planned
from pages.choose.figure_panels import untold
from pages.choose.meaning import cost, worst_off
from pages.choose.reading import reading
from ui.frame import guarantee_card as card
from ui.words.escape import tame
from ui.words.numbers import percent_at_most, round_step, short, show
from ui.words.units import one_record, whose_records

__all__ = ["curve", "memo", "records", "unit_and_period"]

_WIDE, _HIGH = 640, 150
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 12, 8, 34
_FEW = 4  # classes that are named in the question
_MANY = 8  # columns whose bounds are printed
_Place = Callable[[float], float]


def memo(
    problem: Problem,
    params: ChooseParams,
    costs: Costs,
    address: str,
    today: date,
    people: People | None = None,
) -> str:
    """Return the memo as HTML that prints on one page.

    Parameters
    ----------
    problem : Problem
        Whose data.
    params : ChooseParams
        The choice, and with ``pinned`` the other one.
    costs : Costs
        What every ε costs.
    address : str
        Where the page stands: the link is made of it.
    today : date
        The date of the memo.
    people : People, optional
        How mistakes fall with the number of people, where that is known.
    """
    choices = [("A", params)] + ([("B", params.other)] if params.other else [])
    promise = card.on_page(promised(problem, params, costs))
    link = f"{address}?{urlencode(_given(params))}"
    tries = "" if costs.whole else f" First look: {costs.draws} of {choose.N_DRAWS} tries."
    assumed = "".join(f"It assumes: {one.rstrip('.')}. " for one in promise.assumptions)
    return _PAGE.format(
        nominal=" (nominal: nothing is proved)" * (promise.status == "nominal"),
        question=html.escape(_question(problem, promise)),
        choices="".join(_choice(problem, one, costs, name, len(choices)) for name, one in choices),
        about="".join(
            f"<dt>{name}</dt><dd>{html.escape(words)}</dd>" for name, words in facts(problem, params)
        ),
        figure=curve(problem, params, costs),
        enough=_enough(problem, choices, people),
        note=html.escape(
            f"Line: median of {costs.draws} tries; 8 of 10 lie inside the band. {_best(problem)} at each ε, all at "
            f"δ = {short(params.delta)}, one record replaced.{tries}"
        ),
        proof=html.escape(f"{card.PROOF[promise.status]}. {promise.argument} {assumed}"),
        public=_items(promise.public),
        open=_items(promise.not_protected),
        order=html.escape(f"{_ORDER} {_NIST}"),
        date=today.isoformat(),
        link=html.escape(link),
        again="this choice again, once the table is given again" if problem.is_own else "this memo again",
        seed=params.seed,
        version=html.escape(dpcore.__version__),
    )  # fmt: skip


def promised(problem: Problem, params: ChooseParams, costs: Costs) -> Guarantee:
    """Return the guarantee of one result by the method that is shown at the ε of the parameters."""
    at = EPSILON_GRID.index(params.epsilon)
    return choose.guarantee(params, problem, choose.methods_at(params, problem, costs)[at])


_ORDER = (
    "An ε that was found by looking at results of private data is itself a leak. The honest order: choose on "
    "public data or on made-up data that look alike, then run once on your own, with fresh noise."
)
_NIST = (
    "NIST SP 800-226 (2025, Guidelines for Evaluating Differential Privacy Guarantees) asks for ε together with δ, "
    "the unit of privacy and the trust model, and sets no value of ε."
)


def _given(params: ChooseParams) -> dict[str, str]:
    """Every parameter as a link says it: a session may have another ε in mind than the default."""
    fields = params.controls()
    every = {name: field.show(getattr(params, name)) for name, field in fields.items()}
    return {name: value for name, value in every.items() if value}


def _question(problem: Problem, promise: Guarantee) -> str:
    n = show(problem.n_samples, "d")
    nominal = " (nominal: nothing is proved)" * (promise.status == "nominal")
    return f"Which ε{nominal} for learning {_target(problem)} from {n} {problem.records}? {problem.dataset.title}"


def _target(problem: Problem) -> str:
    data = problem.dataset
    if isinstance(data, RegressionDataset):
        return tame(data.target_name, 60)
    name = f" “{tame(problem.own.choices.target, 40)}”" if problem.own else ""
    if problem.is_own and len(data.classes) <= _FEW:
        return f"the class{name} ({' or '.join(tame(one, 40) for one in data.classes)})"
    return f"the class{name}"


def facts(problem: Problem, params: ChooseParams) -> list[tuple[str, str]]:
    """Return what a reader needs to check the memo: target, columns, bounds, records, unit and period."""
    return [
        ("Learned", f"{_target(problem)}, from {_columns(problem)}."),
        ("Records", records(problem)),
        ("Method", _fixed(problem, params)),
        ("Unit and period", unit_and_period(problem, params)),
    ]


def _best(problem: Problem) -> str:
    return "The method that is best on made-up data" if problem.is_own else "The best method"


def _fixed(problem: Problem, params: ChooseParams) -> str:
    """How the method was chosen, and what of that is covered."""
    if problem.is_made_up or not problem.is_own:
        what = "made-up" if problem.is_made_up else "public"
        return f"compared on {what} data: choosing a method on them costs nothing."
    if params.chosen(problem.methods) == "best":
        return f"the best one on {choose.N_LOOKALIKES} made-up tables with the declared facts; it read no row."
    if params.beforehand == "yes":
        return "named, and said to be fixed before any result on the table was seen."
    return "named. If results on the table led to it, that choice is not covered by ε."


def _columns(problem: Problem) -> str:
    """The columns with their bounds, the first few of many."""
    data = problem.dataset
    status = {"estimated": "bounds read from the data", "declared": "declared bounds"}.get(
        data.bounds_status, "public bounds"
    )
    ends = zip(data.feature_names, data.low, data.high, strict=True)
    named = [
        f"{tame(name, 30)} {short(float(low))} to {short(float(high))}" for name, low, high in ends
    ]
    if isinstance(data, RegressionDataset):
        named.insert(
            0, f"target {short(float(data.target_low))} to {short(float(data.target_high))}"
        )
    more = f"; and {len(named) - _MANY} more" * (len(named) > _MANY)
    count = "one column" if problem.n_features == 1 else f"{show(problem.n_features, 'd')} columns"
    return f"{count} ({status}: {'; '.join(named[:_MANY])}{more})"


def records(problem: Problem) -> str:
    """Return how many records there are, how many are used, learned from and tested, and how they were divided."""
    learned, tested = problem.n_samples, len(problem.y_test)
    used = learned + tested
    start = f"{show(learned, 'd')} {problem.records} are learned from, {show(tested, 'd')} others are the test part"
    own = problem.own
    if problem.is_made_up:
        return (
            f"{start}; all are made up from the declared facts, and no row of the table was read."
        )
    if own is None:
        return f"{start}; the division is public."
    part = "two thirds" if problem.classifies else "four fifths"
    fewer = f" At most {show(used, 'd')} of them are computed with." if used < own.n_used else ""
    return (
        f"{start}. The table has {show(own.n_rows, 'd')} rows, {show(own.n_used, 'd')} of them are used, about "
        f"{part} for training, by their places. {own.gaps}{fewer}"
    )


def unit_and_period(problem: Problem, params: ChooseParams) -> str:
    """Return the line of the table of deployments: unit, model, period, number of results."""
    unit = problem.unit
    several = whose_records(unit)
    if problem.own and unit.is_person:
        several = "At most one row of a person."
    elif problem.own:
        several = f"One person may have up to {unit.records_per_person} {unit.plural}; ε counts one of them."
    return (
        f"ε counts one {one_record(unit)}. {several} A trusted curator adds the noise. Planned: {planned(params)}, "
        f"{show(params.n_releases, 'd')} in all."
    ).replace("  ", " ")


def _choice(problem: Problem, params: ChooseParams, costs: Costs, name: str, n: int) -> str:
    at, told = EPSILON_GRID.index(params.epsilon), reading(problem, params)
    method = str(choose.methods_at(params, problem, costs)[at])
    promise = promised(problem, params, costs)
    nominal = promise.status == "nominal"
    found = cost(problem, params, costs, method, at)
    lines = {
        "Cost": f"{told.sentence.format(told.number(found.value))}: median of {found.n_draws} tries with other "
        f"noise, 8 of 10 lie between {told.number(found.low)} and {told.number(found.high)}. Without privacy "
        f"{told.number(costs.best)}; the same answer for all {told.number(costs.trivial)}.",
        "Groups": worst_off(problem, params, costs, method)[at] + " " + untold(problem, params),
        "Risk of one result": _risk(promise),
        "Attackers": _attackers(problem, params, promise, method),
        f"All {show(params.n_releases, 'd')} results": _together(problem, params, promise),
        "One person with several": _person(problem, promise),
    }  # fmt: skip
    rows = "".join(
        f"<dt>{html.escape(k)}</dt><dd>{html.escape(v)}</dd>" for k, v in lines.items() if v.strip()
    )
    title = f"Choice {name}: " if n > 1 else "Our choice: "
    mark = " (nominal)" * nominal
    chosen = (
        f"ε = {short(params.epsilon)}{mark}, δ = {short(params.delta)}, {problem.names[method]}"
    )
    return f"<section><h2>{html.escape(title + chosen)}</h2><dl>{rows}</dl></section>"


def _risk(promise: Guarantee) -> str:
    """What one result lets somebody believe, at two priors; nothing of a nominal ε."""
    if promise.status == "nominal":
        return "Nothing is proved: no limit holds for what somebody may believe after seeing the result."
    rare = card.plain(replace(promise, delta=0.0), 0.01)  # what δ means has been said
    return f"{card.plain(promise)} {rare}"


def _attackers(problem: Problem, params: ChooseParams, promise: Guarantee, method: str) -> str:
    """What ε and δ allow any attacker, and what the best attack reaches; nothing of a nominal ε."""
    if promise.status == "nominal":
        return "No bound holds for any attacker, because nothing is proved."
    most = percent_at_most(float(choose.most_right(params.epsilon, params.delta)))
    methods: list[str | None] = [method] * len(EPSILON_GRID)
    best = choose.best_attack(problem, methods, params.delta)[EPSILON_GRID.index(params.epsilon)]
    known = (
        f"The best attack that we know on {choose.noise_of(method)} is right in {show(best, '.1%')} (computed)."
        if np.isfinite(best)
        else "No attack on this method is known that comes near."
    )
    return f"At 50 to 50, ε and δ allow any attacker to be right in at most {most} of the cases. {known}"


def _person(problem: Problem, promise: Guarantee) -> str:
    """What one result costs for all the records that one person may have: group privacy."""
    k = problem.unit.records_per_person
    if k == 1:
        return ""
    group = promise.for_group(k)
    verb = "would be" if group.status == "nominal" else "is"
    return (
        f"For all {show(k, 'd')} {problem.unit.plural} that one person may have, ε {verb} "
        f"{show(group.epsilon, '.4g')} at δ = {short(group.delta)}."
    )


def _together(problem: Problem, params: ChooseParams, promise: Guarantee) -> str:
    """What all planned results cost by the composition of the method's own event, and what that means."""
    if params.n_releases == 1:
        return "One result is planned: a second one costs more."
    every = promise.repeated(params.n_releases)
    start = (
        f"{planned(params)}: ε {'would be' if every.status == 'nominal' else 'is'} {show(every.epsilon, '.4g')} at "
        f"δ = {short(every.delta)} for a {one_record(problem.unit)} in all of them."
    )
    if every.status == "nominal":
        return start
    return f"{start} {card.plain(replace(every, delta=0.0))}"  # what δ means has been said


def _enough(problem: Problem, choices: list[tuple[str, ChooseParams]], found: People | None) -> str:
    """With how many people each choice would be good enough, "" where that is not known."""
    if found is None:
        return ""
    said = [backwards.people(problem, params, found) for _, params in choices]
    return f"<p><b>How many {problem.records}?</b> {html.escape(' '.join(dict.fromkeys(said)))}</p>"


def curve(problem: Problem, params: ChooseParams, costs: Costs) -> str:
    """Return the best method's error against ε as SVG, with the band of 8 of 10 tries and the choices."""
    told = reading(problem, params)
    low, middle, high = costs.quantiles() * told.factor
    top = 1.1 * max(float(high.max()), told.factor * costs.trivial) or 1.0

    def x(epsilon: float) -> float:
        share = math.log(epsilon / EPSILON_GRID[0]) / math.log(EPSILON_GRID[-1] / EPSILON_GRID[0])
        return round(_LEFT + share * (_WIDE - _LEFT - _RIGHT), 1)

    def y(error: float) -> float:
        return round(_TOP + (1 - error / top) * (_HIGH - _TOP - _BOTTOM), 1)

    def path(errors: NDArray[np.float64]) -> str:
        return " ".join(f"{x(e)},{y(v)}" for e, v in zip(EPSILON_GRID, errors, strict=True))

    around = f"{path(low)} " + " ".join(
        f"{x(e)},{y(v)}" for e, v in zip(EPSILON_GRID[::-1], high[::-1], strict=True)
    )
    parts = [
        f'<polygon points="{around}" fill="#4f46e5" opacity="0.18"/>',
        f'<polyline points="{path(middle)}" fill="none" stroke="#4f46e5" stroke-width="2.5"/>',
        *_levels(costs, told.factor, y),
        *_marks(params, x),
        *_axes(top, x, y, told.axis),
    ]
    label = f"{told.axis} against ε"
    return (
        f'<svg viewBox="0 0 {_WIDE} {_HIGH}" role="img" aria-label="{html.escape(label)}">'
        + "".join(parts) + "</svg>"
    )  # fmt: skip


def _levels(costs: Costs, factor: float, y: _Place) -> list[str]:
    """Both yardsticks, each named at another end: they may lie close together."""
    ends, found = f'x1="{_LEFT}" x2="{_WIDE - _RIGHT}"', []
    for error, words in (
        (costs.best, f'x="{_LEFT + 4}" text-anchor="start">without privacy'),
        (costs.trivial, f'x="{_WIDE - _RIGHT}" text-anchor="end">same for all'),
    ):
        at = y(factor * error)
        found.append(f'<line {ends} y1="{at}" y2="{at}" stroke="#666" stroke-dasharray="5 4"/>')
        found.append(f'<text y="{at - 3}" {words}</text>')
    return found


def _marks(params: ChooseParams, x: _Place) -> list[str]:
    both = [("A" if params.other else "our ε", params.epsilon)]
    both += [("B", params.other.epsilon)] if params.other else []
    return [
        f'<line x1="{x(e)}" x2="{x(e)}" y1="{_TOP}" y2="{_HIGH - _BOTTOM}" stroke="#111"/>'
        f'<text x="{x(e) + 3}" y="{_TOP + 10}" font-weight="600">{name}</text>'
        for name, e in both
    ]


def _axes(top: float, x: _Place, y: _Place, title: str) -> list[str]:
    floor = _HIGH - _BOTTOM
    found = [f'<path d="M{_LEFT} {_TOP}V{floor}H{_WIDE - _RIGHT}" fill="none" stroke="#111"/>']
    found += [
        f'<text x="{x(e)}" y="{floor + 14}" text-anchor="middle">{short(e)}</text>'
        for e in (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20)
    ]
    found += [
        f'<text x="{_LEFT - 5}" y="{y(level) + 4}" text-anchor="end">{short(level)}</text>'
        for level in _levels_of(top)
    ]
    return [
        *found,
        f'<text x="{_LEFT}" y="{_HIGH - 3}">ε, less private to the right; upwards: {html.escape(title)}</text>',
    ]


def _levels_of(top: float) -> list[float]:
    """Round numbers from 0 to below the top, at most six."""
    step = round_step(top, 6)
    return [step * k for k in range(math.ceil(top / step))]


def _items(lines: tuple[str, ...]) -> str:
    return "".join(f"<li>{html.escape(line)}</li>" for line in lines)


_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Memo: which ε?{nominal}</title><style>
@page {{size: A4; margin: 8mm 11mm}}
body {{font: 10.5px/1.28 system-ui, sans-serif; max-width: 188mm; margin: 1rem auto; color: #16202c;
background: #fff}}
h1 {{font-size: 16px; margin: 0 0 4px}} h2 {{font-size: 12.5px; margin: 5px 0 2px}}
dl.about {{margin: 2px 0 6px}}
.two {{display: flex; gap: 18px}} .two > * {{flex: 1}} dl {{margin: 0}}
dt {{font-weight: 600; float: left; margin-right: 6px}} dd {{margin: 0 0 3px}}
ul {{margin: 0; padding-left: 16px}} p {{margin: 3px 0}} svg {{width: 100%; font: 11px system-ui, sans-serif}}
.order {{border-left: 4px solid #4f46e5; padding-left: 10px}} footer {{border-top: 1px solid #889; margin-top: 6px;
padding-top: 3px; font-size: 11px; overflow-wrap: anywhere}}
@media print {{body {{margin: 0}}}}
</style></head><body><h1>{question}</h1>
<dl class="about">{about}</dl>
<div class="two">{choices}</div>
<figure style="margin:6px 0">{figure}<figcaption>{note}</figcaption></figure>
{enough}<p><b>The guarantee{nominal}.</b> {proof}</p>
<div class="two"><section><h2>Declared public</h2><ul>{public}</ul></section>
<section><h2>Not protected</h2><ul>{open}</ul></section></div>
<p class="order">{order}</p>
<footer>{date} · DP Explorer {version} · seed {seed} (a release needs fresh noise) · {again}:
<a href="{link}">{link}</a></footer></body></html>"""
