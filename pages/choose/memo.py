"""The memo: one printable page that says what was chosen, what it costs, what it protects and what not."""

from __future__ import annotations

import html
import math
from collections.abc import Callable
from datetime import date
from urllib.parse import urlencode

import numpy as np
from numpy.typing import NDArray

import dpcore
from dpcore.datasets import RegressionDataset
from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams, Costs, People, Problem
from dpcore.grids import EPSILON_GRID
from pages.choose import backwards
from pages.choose.meaning import method_at
from pages.choose.reading import reading
from ui import guarantee as card
from ui.escape import tame
from ui.numbers_in_words import percent_at_most, round_step, short, show
from ui.odds import odds_sentence

__all__ = ["curve", "memo"]

_WIDE, _HIGH = 640, 180
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 12, 8, 34
_FEW = 4  # classes that are named in the question
_OWN = "own"
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
    promise = card.on_page(choose.guarantee(params, problem))
    link = f"{address}?{urlencode(_given(params))}"
    tries = "" if costs.whole else f" First look: {costs.draws} of {choose.N_DRAWS} tries."
    return _PAGE.format(
        question=html.escape(_question(problem)),
        choices="".join(_choice(problem, one, costs, name, len(choices)) for name, one in choices),
        figure=curve(problem, params, costs),
        enough=_enough(problem, choices, people),
        note=html.escape(
            f"Line: median of {costs.draws} tries; half of them do better. The best method at each ε, all at the "
            f"same guarantee (δ = {short(params.delta)}, one record replaced).{tries}"
        ),
        proof=html.escape(
            f"{card.PROOF[promise.status]}. {promise.argument} "
            + "".join(f"It assumes: {one.rstrip('.')}. " for one in promise.assumptions)
        ),
        public=_items(promise.public),
        open=_items(promise.not_protected),
        order=html.escape(_ORDER),
        date=today.isoformat(),
        link=html.escape(link),
        again="this choice again, once the table is given again"
        if params.dataset == _OWN
        else "this memo again",
        seed=params.seed,
        version=html.escape(dpcore.__version__),
    )


_ORDER = (
    "An ε that was found by looking at results of private data is itself a leak. The honest order: choose on "
    "public data or on made-up data that look alike, then run once on your own, with fresh noise."
)


def _given(params: ChooseParams) -> dict[str, str]:
    """Every parameter as a link says it: a session may have another ε in mind than the default."""
    fields = params.controls()
    every = {name: field.show(getattr(params, name)) for name, field in fields.items()}
    return {name: value for name, value in every.items() if value}


def _question(problem: Problem) -> str:
    data = problem.dataset
    if isinstance(data, RegressionDataset):
        what = data.target_name
    elif data.name == _OWN and len(data.classes) <= _FEW:  # its column's name is not known here
        what = f"the class ({' or '.join(tame(one, 40) for one in data.classes)})"
    else:
        what = "the class"
    n = show(problem.n_samples, "d")
    return f"Which ε for learning {what} from {n} {problem.records}? {data.title}"


def _choice(problem: Problem, params: ChooseParams, costs: Costs, name: str, n: int) -> str:
    at, told = EPSILON_GRID.index(params.epsilon), reading(problem, params)
    method = method_at(problem, params, costs, at)
    _, median, high = costs.quantiles(method)[:, at]
    groups = costs.by_group(problem, params.group, method)[:, at]
    worst = problem.groups(params.group)[int(groups.argmax())][0]
    most = float(choose.most_right(params.epsilon, params.delta))
    knows = float(choose.knows_all([params.epsilon], params.delta)[0])
    title = f"Choice {name}: " if n > 1 else "Our choice: "
    lines = {
        "Cost": f"{told.sentence.format(told.number(median))} (9 of 10 tries: at most {told.number(high)}). Without "
        f"privacy {told.number(costs.best)}; the same answer for all {told.number(costs.trivial)}.",
        "Worst-off group": f"{worst}: {told.number(groups.max())} ({told.note}).",
        "Risk": " ".join(
            odds_sentence(params.epsilon, 0.0, prior=prior, neighbouring="replace_one")
            for prior in (0.5, 0.01)
        ),
        "Attackers": f"No attacker guesses right in more than {percent_at_most(most)} of the cases at 50 to 50; "
        f"the best attack on one Gaussian release reaches {show(knows, 'in 100')}, because the proof holds "
        "for every kind of noise.",
    }  # fmt: skip
    rows = "".join(f"<dt>{html.escape(k)}</dt><dd>{html.escape(v)}</dd>" for k, v in lines.items())
    chosen = f"ε = {short(params.epsilon)}, δ = {short(params.delta)}, {problem.names[method]}"
    return f"<section><h2>{html.escape(title + chosen)}</h2><dl>{rows}</dl></section>"


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


_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Memo: which ε?</title><style>
@page {{size: A4; margin: 12mm}}
body {{font: 12px/1.38 system-ui, sans-serif; max-width: 186mm; margin: 1rem auto; color: #16202c; background: #fff}}
h1 {{font-size: 18px; margin: 0 0 4px}} h2 {{font-size: 13.5px; margin: 8px 0 2px}}
.two {{display: flex; gap: 18px}} .two > * {{flex: 1}} dl {{margin: 0}} dt {{font-weight: 600}} dd {{margin: 0 0 3px}}
ul {{margin: 0; padding-left: 16px}} p {{margin: 3px 0}} svg {{width: 100%; font: 11px system-ui, sans-serif}}
.order {{border-left: 4px solid #4f46e5; padding-left: 10px}} footer {{border-top: 1px solid #889; margin-top: 6px;
padding-top: 3px; font-size: 11px; overflow-wrap: anywhere}}
@media print {{body {{margin: 0}}}}
</style></head><body><h1>{question}</h1>
<div class="two">{choices}</div>
<figure style="margin:6px 0">{figure}<figcaption>{note}</figcaption></figure>
{enough}<p><b>The guarantee.</b> {proof}</p>
<div class="two"><section><h2>Declared public</h2><ul>{public}</ul></section>
<section><h2>Not protected</h2><ul>{open}</ul></section></div>
<p class="order">{order}</p>
<footer>{date} · DP Explorer {version} · seed {seed} (a release needs fresh noise) · {again}:
<a href="{link}">{link}</a></footer></body></html>"""
