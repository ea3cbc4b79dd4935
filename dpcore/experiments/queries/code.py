"""The program that draws the figure of each way of asking."""

from __future__ import annotations

from collections.abc import Callable

from dpcore.experiments.grids import DELTA_GRID
from dpcore.experiments.queries.params import QueriesParams

__all__ = ["code"]

_HEAD = "import numpy as np\nimport plotly.graph_objects as go\n"


def code(params: QueriesParams) -> str:
    """Return the program of the chosen way of asking; it runs as it stands."""
    return _HEAD + _CODES[params.topic](params)


def _again(params: QueriesParams) -> str:
    return f"""\
from dpcore.experiments.queries import PLACES, hit_rate
from dpcore.mechanisms import Laplace

count = Laplace(epsilon={params.epsilon!r})
answers = count.sample(np.full(1000, 100.0), np.random.default_rng({params.seed}))
mean = np.cumsum(answers) / np.arange(1, 1001)

figure = go.Figure()
figure.add_scatter(x=PLACES, y=answers[PLACES - 1], name="single answers", mode="markers")
figure.add_scatter(x=PLACES, y=mean[PLACES - 1], name="average of all answers so far")
figure.add_scatter(x=[1, 1000], y=[answers[0]] * 2, name="the same answer every time")
figure.update_xaxes(title="answers", type="log")
figure.update_yaxes(title="people")
figure.show()
print("an attacker guesses right:", hit_rate({params.epsilon!r}, {params.n_answers}))
"""


def _group(params: QueriesParams) -> str:
    return f"""\
from dpcore.experiments.queries import for_group, for_one

one = for_one({params.noise!r}, {params.epsilon!r}, {params.delta!r})
many = for_group({params.noise!r}, {params.epsilon!r}, {params.delta!r}, {params.group})
x = np.linspace(100 - 15 * many.scale, 100 + 10 * many.scale, 800)

figure = go.Figure()
for name, noise in (("noise for one", one), ("noise for the group", many)):
    figure.add_scatter(x=x, y=noise.density(x, 100.0), name=name + ": with them")
    figure.add_scatter(x=x, y=noise.density(x, 100.0 - {params.group}), name=name + ": without")
figure.update_xaxes(title="published count")
figure.update_yaxes(title="density")
figure.show()
print([(1 + made.delta_at(0.0, {params.group})) / 2 for made in (one, many)])
"""


def _table(params: QueriesParams, call: str, lines: str, title: str) -> str:
    return f"""\
from dpcore.experiments import queries
from dpcore.experiments.grids import EPSILON_GRID

params = queries.{params.to_code()}
found = queries.run(params)

figure = go.Figure()
{lines}
figure.update_xaxes(title="ε", type="log")
figure.update_yaxes(title={title!r})
figure.show()
print({call})
"""


def _line(y: str, name: str) -> str:
    return f'figure.add_scatter(x=EPSILON_GRID, y={y}, name="{name}")'


def _bars(params: QueriesParams) -> str:
    return f"""\
from dpcore.experiments import queries

params = queries.{params.to_code()}
found = queries.run(params)

figure = go.Figure()
figure.add_bar(x=queries.ASKED, y=found.table[0], name="added or removed")
figure.add_bar(x=queries.ASKED, y=found.table[1], name="replaced")
figure.update_yaxes(title="sensitivity")
figure.show()
print(queries.guarantee(params))
"""


def _people(params: QueriesParams) -> str:
    return f"""\
from dpcore.experiments import queries

n = np.arange(1, 1001)
one = {params.how == "one"!r}
chance = [queries.somebody({params.chance!r}, k, one=one) for k in n]

figure = go.Figure()
figure.add_scatter(x=n, y=chance, name="somebody is published")
figure.update_xaxes(title="people", type="log")
figure.update_yaxes(title="probability")
figure.show()
made = queries.Publishing(n_people={params.n_people}, chance=None if one else {params.chance!r})
print(made.sample(np.random.default_rng({params.seed})), made.privacy)
"""


_PRINTED = "queries.guarantee(params)"
_CODES: dict[str, Callable[[QueriesParams], str]] = {
    "again": _again,
    "group": _group,
    "neighbours": _bars,
    "numbers": lambda params: _table(
        params, _PRINTED,
        f'k = {params.controls()["n_numbers"].grid!r}.index({params.n_numbers})\n'
        + _line("found.laplace[:, k]", "Laplace") + "\n"
        + _line(f"found.gaussian[:, {DELTA_GRID.index(params.delta)}, k]", f"Gaussian, δ = {params.delta!r}"),
        "standard deviation of each number",
    ),
    "processing": lambda params: _table(
        params, _PRINTED,
        _line("found.hits_raw", "before") + "\n" + _line("found.hits", "after"), "right guesses",
    ),
    "choosing": lambda params: _table(
        params, _PRINTED,
        "for k, name in enumerate(found.options.names):\n"
        "    figure.add_scatter(x=EPSILON_GRID, y=found.chosen[:, k], name=name)",
        "probability of being chosen",
    ),
    "bounds": lambda params: _table(
        params, _PRINTED,
        _line("found.shown", "shown by an attack") + "\n" + _line("EPSILON_GRID", "claimed"), "ε",
    ),
    "publish": _people,
}  # fmt: skip
