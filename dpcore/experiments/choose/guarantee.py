"""What one result of Choose ε promises, and the program that draws the curves again."""

from __future__ import annotations

from dpcore.experiments.choose.params import ChooseParams
from dpcore.experiments.choose.problem import Problem
from dpcore.guarantee import Guarantee, Part

__all__ = ["code", "guarantee"]


def guarantee(params: ChooseParams, problem: Problem) -> Guarantee:
    """Return the guarantee that all methods are compared at: (ε, δ), one record replaced.

    Nominal where something that is declared public here was read from the records.
    """
    estimated = bool(problem.dataset.estimated)
    return Guarantee(
        epsilon=params.epsilon,
        delta=params.delta,
        neighbouring="replace_one",
        status="nominal" if estimated else "proved",
        argument="Every method gets the noise that its own account asks for at this ε and δ, for one "
        "record replaced by any other: the Gaussian mechanism for noisy sums, steps and class sums, Laplace "
        "noise for the objective and the single values of affine hulls."
        + " But some of what is called public below was read from these records, which leaks." * estimated,
        public=(
            "the number of people",
            "the list of classes, or the range of what is predicted",
            "the smallest and largest value that each column may have",
            "with affine hulls: everybody's class",
        ),
        not_protected=(
            "the curves of this page: they are drawn from the data, again and again",
            "an ε that was chosen by looking at such curves of private data",
            "what can be learned about people in general, whether or not Ada takes part",
        ),
        parts=(
            Part(
                name="one result by one method", epsilon=params.epsilon, delta=params.delta,
                mechanism="Gaussian or Laplace noise",
            ),
        ),
    )  # fmt: skip


def code(params: ChooseParams, problem: Problem | None = None) -> str:
    """Return the program that draws the error of every method against ε."""
    make = "problem = choose.named_problem(params.dataset)"
    if params.dataset == "own":
        number = problem is not None and not problem.classifies
        read = "own_regression(table, ...)" if number else "table.to_dataset(...)"
        make = f"problem = choose.Problem(...)  # {read}, table = datasets.read_csv('your.csv')"
    return f"""\
import plotly.graph_objects as go
from dpcore.experiments import choose
from dpcore.grids import EPSILON_GRID
from dpcore.plots import name_curves

params = choose.{params.to_code()}
{make}
found = choose.run(params, problem)  # every method at the same guarantee

figure = go.Figure()
for name, one in found.tried.items():
    low, median, high = one.quantiles()
    figure.add_scatter(x=EPSILON_GRID, y=median, name=problem.names[name])
for name, error in {{"without privacy": found.best, "one answer for all": found.trivial}}.items():
    figure.add_scatter(x=EPSILON_GRID, y=[error] * len(EPSILON_GRID), name=name, line_dash="dash")
figure.update_xaxes(type="log", title="ε")
figure.update_yaxes(title="share of mistakes, or error in the target's unit (median)")
name_curves(figure).show()
"""
