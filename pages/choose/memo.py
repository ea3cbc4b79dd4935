"""Printable memo that documents a choice of ε: the error, the protection, and the limits of the protection."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date
from pathlib import Path
from string import Template
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
from ui.words import text
from ui.words.escape import tame
from ui.words.guarantees import PROOF, on_page
from ui.words.numbers import percent_at_most, round_step, short
from ui.words.odds import odds_sentence
from ui.words.units import one_record, whose_records

__all__ = ["curve", "memo", "records", "unit_and_period"]

T = text.load_text(__file__)
_PAGE = Template(Path(__file__).with_name("memo.html").read_text("utf-8"))
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
    """Return the memo as HTML for one printed page.

    Parameters
    ----------
    problem : Problem
        The learning problem.
    params : ChooseParams
        The choice to document. The field ``pinned`` may hold a second choice, for comparison.
    costs : Costs
        Errors of the methods at every ε.
    address : str
        URL of the page, from which the memo's link is built.
    today : date
        The date of the memo.
    people : People, optional
        Errors against the number of people, if they have been computed.
    """
    choices = [("A", params)] + ([("B", params.other)] if params.other else [])
    promise = on_page(promised(problem, params, costs))
    nominal = "_nominal" * (promise.status == "nominal")
    plain = {
        "title": T(f"memo.title{nominal}"),
        "question": _question(problem, nominal),
        "note": _note(problem, params, costs),
        "guarantee": T(f"memo.guarantee{nominal}"),
        "proof": _proof(promise),
        "public_title": T("memo.public"),
        "open_title": T("memo.not_protected"),
        "order": f"{T('memo.order')} {T('memo.nist')}",
        "foot": _foot(problem, params, today),
        "link": f"{address}?{urlencode(_link_values(params))}",
    }
    return _PAGE.substitute(
        {name: html.escape(words) for name, words in plain.items()},
        choices="".join(_choice(problem, one, costs, name, len(choices)) for name, one in choices),
        about=_defined(facts(problem, params)),
        figure=curve(problem, params, costs),
        enough=_enough(problem, choices, people),
        public=_items(promise.public),
        open=_items(promise.not_protected),
    )


def promised(problem: Problem, params: ChooseParams, costs: Costs) -> Guarantee:
    """Return the guarantee that one result of the selected method has at the ε of ``params``."""
    at = EPSILON_GRID.index(params.epsilon)
    return choose.guarantee(params, problem, choose.methods_at(params, problem, costs)[at])


def _note(problem: Problem, params: ChooseParams, costs: Costs) -> str:
    """Return the caption of the plot of errors, which states the number of runs."""
    note = T(
        "memo.note_made_up" if problem.is_own else "memo.note",
        draws=costs.draws,
        delta=params.delta,
    )
    if costs.whole:
        return note
    return f"{note} {T('memo.first_look', draws=costs.draws, n_draws=choose.N_DRAWS)}"


def _proof(promise: Guarantee) -> str:
    """Return sentences on a guarantee: whether it is proved, by which argument, and under which assumptions."""
    assumed = [T("memo.assumption", assumption=one.rstrip(".")) for one in promise.assumptions]
    proof = T("memo.proof", proof=PROOF[promise.status], argument=promise.argument)
    return " ".join([proof, *assumed])


def _foot(problem: Problem, params: ChooseParams, today: date) -> str:
    return T(
        "memo.foot_own" if problem.is_own else "memo.foot", date=today.isoformat(),
        version=dpcore.__version__, seed=params.seed,
    )  # fmt: skip


def _link_values(params: ChooseParams) -> dict[str, str]:
    """Return all parameters as texts for the memo's link.

    The link also states default values, so that it keeps its meaning if a later version changes a default.
    """
    fields = params.controls()
    every = {name: field.show(getattr(params, name)) for name, field in fields.items()}
    return {name: value for name, value in every.items() if value}


def _question(problem: Problem, nominal: str) -> str:
    return T(
        f"memo.question{nominal}", target=_target(problem), n=problem.n_samples, records=problem.records,
        data=problem.dataset.title,
    )  # fmt: skip


def _target(problem: Problem) -> str:
    """Return a phrase that names the predicted column, for the memo.

    For a user's own table with few classes, the phrase lists the classes too.
    """
    data = problem.dataset
    if isinstance(data, RegressionDataset):
        return tame(data.target_name, 60)
    named, of = "_named" * bool(problem.own), problem.is_own and len(data.classes) <= _FEW
    fields = {"name": tame(problem.own.choices.target, 40)} if problem.own else {}
    if of:
        fields["classes"] = T("memo.target.or").join(tame(one, 40) for one in data.classes)
    return T(f"memo.target.class{named}{'_of' * of}", **fields)


def facts(problem: Problem, params: ChooseParams) -> list[tuple[str, str]]:
    """Return the facts that a reader of the memo can check, as pairs (name, text).

    The facts are the predicted column and the bounds of all columns, the number of records, the method, the
    unit of privacy and the period.
    """
    learned = T("memo.columns.sentence", target=_target(problem), columns=_columns(problem))
    return [
        (T("memo.facts.learned"), learned),
        (T("memo.facts.records"), records(problem)),
        (T("memo.facts.method"), _fixed(problem, params)),
        (T("memo.facts.unit"), unit_and_period(problem, params)),
    ]


def _fixed(problem: Problem, params: ChooseParams) -> str:
    """Return a sentence on how the method was chosen, and on whether ε covers this choice."""
    if problem.is_synthetic or not problem.is_own:
        return T("memo.method.made_up" if problem.is_synthetic else "memo.method.public")
    if params.chosen(problem.methods) == "best":
        return T("memo.method.best", n=choose.N_LOOKALIKES)
    return T("memo.method.beforehand" if params.beforehand == "yes" else "memo.method.unknown")


def _columns(problem: Problem) -> str:
    """Return a phrase with the names and bounds of the columns; if there are many, the last columns are left out."""
    data = problem.dataset
    status = data.bounds_status if data.bounds_status in ("estimated", "declared") else "public"
    ends = zip(data.feature_names, data.low, data.high, strict=True)
    columns = [
        T("memo.columns.column", name=tame(name, 30), low=low, high=high)
        for name, low, high in ends
    ]
    if isinstance(data, RegressionDataset):
        columns.insert(0, T("memo.columns.target", low=data.target_low, high=data.target_high))
    named = "; ".join(columns[:_MANY])
    if len(columns) > _MANY:
        named = T("memo.columns.more", named=named, more=len(columns) - _MANY)
    fields = {"bounds": T(f"memo.columns.{status}"), "named": named}
    if problem.n_features == 1:
        return T("memo.columns.one", **fields)
    return T("memo.columns.many", n=problem.n_features, **fields)


def records(problem: Problem) -> str:
    """Return a phrase with the numbers of training and of test records.

    For a user's own table, the phrase also states the number of rows and how gaps were treated.
    """
    learned, tested, own = problem.n_samples, len(problem.y_test), problem.own
    fields = {"learned": learned, "tested": tested, "records": problem.records}
    if own is None or problem.is_synthetic:
        return T(
            "memo.records.made_up" if problem.is_synthetic else "memo.records.public", **fields
        )
    kind = "classes" if problem.classifies else "numbers"
    counts = T(f"memo.records.{kind}", rows=own.n_rows, used=own.n_used, **fields)
    used = learned + tested
    fewer = [T("memo.records.fewer", used=used)] if used < own.n_used else []
    return " ".join([counts, own.gaps, *fewer])


def unit_and_period(problem: Problem, params: ChooseParams) -> str:
    """Return sentences on the unit of privacy, on the number of planned results, and on their period."""
    counts = T("memo.unit.counts", record=one_record(problem.unit))
    plan = T("memo.unit.planned", planned=planned(params), n=params.n_releases)
    return " ".join(filter(None, [counts, _several(problem), plan]))


def _several(problem: Problem) -> str:
    """Return a phrase with the largest number of records that one person may have."""
    unit = problem.unit
    if problem.own is None:
        return whose_records(unit)
    if unit.is_person:
        return T("memo.unit.person")
    return T("memo.unit.several", k=unit.records_per_person, records=unit.plural)


def _choice(problem: Problem, params: ChooseParams, costs: Costs, name: str, n: int) -> str:
    at = EPSILON_GRID.index(params.epsilon)
    method = str(choose.methods_at(params, problem, costs)[at])
    promise = promised(problem, params, costs)
    group = [worst_off(problem, params, costs, method, at), untold(problem, params)]
    rows = [
        (T("memo.rows.cost"), _cost(problem, params, costs, method)),
        (T("memo.rows.groups"), " ".join(filter(None, group))),
        (T("memo.rows.risk"), _risk(promise)),
        (T("memo.rows.attackers"), _attackers(problem, params, promise, method)),
        (T("memo.rows.together", n=params.n_releases), _together(problem, params, promise)),
        (T("memo.rows.person"), _person(problem, promise)),
    ]
    kind = "what_nominal" if promise.status == "nominal" else "what"
    choice = T(
        f"memo.choice.{kind}",
        epsilon=params.epsilon,
        delta=params.delta,
        method=problem.names[method],
    )
    title = (
        T("memo.choice.named", name=name, choice=choice)
        if n > 1
        else T("memo.choice.only", choice=choice)
    )
    return f"<section><h2>{html.escape(title)}</h2><dl>{_defined(rows)}</dl></section>"


def _cost(problem: Problem, params: ChooseParams, costs: Costs, method: str) -> str:
    """Return a sentence with the method's error and its spread, the error without privacy, and that of guessing."""
    display, error = (
        reading(problem, params),
        cost(problem, params, costs, method, EPSILON_GRID.index(params.epsilon)),
    )
    return T(
        "memo.cost.sentence", sentence=display.sentence.format(display.number(error.value)), n_draws=error.n_draws,
        low=display.number(error.low), high=display.number(error.high), plain=display.number(costs.best),
        trivial=display.number(costs.trivial),
    )  # fmt: skip


def _risk(promise: Guarantee) -> str:
    """Return sentences on an attacker's odds after one result, for a prior of 50 % and for a prior of 1 %.

    If the guarantee is only nominal, the sentence says that no limit holds.
    """
    if promise.status == "nominal":
        return T("memo.risk.nominal")
    rare = odds_sentence(replace(promise, delta=0.0), 0.01)  # what δ means has been said
    return f"{odds_sentence(promise)} {rare}"


def _attackers(problem: Problem, params: ChooseParams, promise: Guarantee, method: str) -> str:
    """Return sentences with the bound on any attacker's success, and with the success of the best known attack.

    If the guarantee is only nominal, the sentence says that no bound holds.
    """
    if promise.status == "nominal":
        return T("memo.attackers.nominal")
    most = percent_at_most(promise.accuracy_bound())
    methods: list[str | None] = [method] * len(EPSILON_GRID)
    best = choose.best_attack(problem, methods, params.delta)[EPSILON_GRID.index(params.epsilon)]
    known = (
        T("memo.attackers.known", noise=choose.noise_of(method), best=best)
        if np.isfinite(best)
        else T("memo.attackers.unknown")
    )
    return f"{T('memo.attackers.bound', most=most)} {known}"


def _person(problem: Problem, promise: Guarantee) -> str:
    """Return a sentence with the ε that group privacy gives one result for a person who has several records.

    The sentence is "" if a person has one record.
    """
    k = problem.unit.records_per_person
    if k == 1:
        return ""
    group = promise.for_group(k)
    kind = "nominal" if group.status == "nominal" else "proved"
    return T(
        f"memo.person.{kind}",
        k=k,
        records=problem.unit.plural,
        epsilon=group.epsilon,
        delta=group.delta,
    )


def _together(problem: Problem, params: ChooseParams, promise: Guarantee) -> str:
    """Return sentences with the total ε of all planned results, and with an attacker's odds after all of them."""
    if params.n_releases == 1:
        return T("memo.together.one")
    every = promise.repeated(params.n_releases)
    nominal = every.status == "nominal"
    together = T(
        f"memo.together.{'nominal' if nominal else 'proved'}", planned=planned(params), epsilon=every.epsilon,
        delta=every.delta, record=one_record(problem.unit),
    )  # fmt: skip
    if nominal:
        return together
    return f"{together} {odds_sentence(replace(every, delta=0.0))}"  # what δ means has been said


def _enough(
    problem: Problem, choices: list[tuple[str, ChooseParams]], people: People | None
) -> str:
    """Return an HTML paragraph with the number of people that each choice needs to keep to its error limit.

    The result is "" if ``people`` is None.
    """
    if people is None:
        return ""
    answers = dict.fromkeys(backwards.people(problem, params, people) for _, params in choices)
    title = T("memo.how_many", records=problem.records)
    return f"<p><b>{title}</b> {html.escape(' '.join(answers))}</p>"


def curve(problem: Problem, params: ChooseParams, costs: Costs) -> str:
    """Return an SVG plot of the best method's error against ε.

    A band covers the middle 80 % of the runs, and marks show the documented choices of ε.
    """
    display = reading(problem, params)
    low, middle, high = costs.quantiles() * display.factor
    top = 1.1 * max(float(high.max()), display.factor * costs.trivial) or 1.0

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
        *_levels(costs, display.factor, y),
        *_marks(params, x),
        *_axes(top, x, y, display.axis),
    ]
    label = T("memo.curve.title", axis=display.axis)
    return (
        f'<svg viewBox="0 0 {_WIDE} {_HIGH}" role="img" aria-label="{html.escape(label)}">'
        + "".join(parts) + "</svg>"
    )  # fmt: skip


def _levels(costs: Costs, factor: float, y: _Place) -> list[str]:
    """Return two horizontal SVG lines, at the error without privacy and at the error of guessing.

    The lines may be close together, so one label is at the left end and one at the right end.
    """
    ends, marks = f'x1="{_LEFT}" x2="{_WIDE - _RIGHT}"', []
    for error, words in (
        (costs.best, f'x="{_LEFT + 4}" text-anchor="start">{T("labels.plain")}'),
        (costs.trivial, f'x="{_WIDE - _RIGHT}" text-anchor="end">{T("labels.trivial_short")}'),
    ):
        at = y(factor * error)
        marks.append(f'<line {ends} y1="{at}" y2="{at}" stroke="#666" stroke-dasharray="5 4"/>')
        marks.append(f'<text y="{at - 3}" {words}</text>')
    return marks


def _marks(params: ChooseParams, x: _Place) -> list[str]:
    both = [("A" if params.other else T("memo.curve.mark"), params.epsilon)]
    both += [("B", params.other.epsilon)] if params.other else []
    return [
        f'<line x1="{x(e)}" x2="{x(e)}" y1="{_TOP}" y2="{_HIGH - _BOTTOM}" stroke="#111"/>'
        f'<text x="{x(e) + 3}" y="{_TOP + 10}" font-weight="600">{name}</text>'
        for name, e in both
    ]


def _axes(top: float, x: _Place, y: _Place, title: str) -> list[str]:
    floor = _HIGH - _BOTTOM
    marks = [f'<path d="M{_LEFT} {_TOP}V{floor}H{_WIDE - _RIGHT}" fill="none" stroke="#111"/>']
    marks += [
        f'<text x="{x(e)}" y="{floor + 14}" text-anchor="middle">{short(e)}</text>'
        for e in (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20)
    ]
    marks += [
        f'<text x="{_LEFT - 5}" y="{y(level) + 4}" text-anchor="end">{short(level)}</text>'
        for level in _levels_of(top)
    ]
    words = html.escape(T("memo.curve.axes", axis=title))
    return [*marks, f'<text x="{_LEFT}" y="{_HIGH - 3}">{words}</text>']


def _levels_of(top: float) -> list[float]:
    """Return at most six round tick values for an axis that runs from 0 to ``top``."""
    step = round_step(top, 6)
    return [step * k for k in range(math.ceil(top / step))]


def _defined(rows: Iterable[tuple[str, str]]) -> str:
    """Return an HTML definition list of (name, text) pairs.

    Pairs with an empty text are left out.
    """
    return "".join(
        f"<dt>{html.escape(name)}</dt><dd>{html.escape(words)}</dd>"
        for name, words in rows
        if words
    )


def _items(lines: tuple[str, ...]) -> str:
    return "".join(f"<li>{html.escape(line)}</li>" for line in lines)
