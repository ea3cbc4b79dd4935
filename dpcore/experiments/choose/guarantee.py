"""What one result of Choose ε promises."""

from __future__ import annotations

from typing import Any

from dpcore.datasets.dataset import mismatch
from dpcore.experiments.choose.events import method_event
from dpcore.experiments.choose.params import ChooseParams
from dpcore.experiments.choose.problem import Problem
from dpcore.guarantee import Guarantee, from_event

__all__ = ["guarantee"]


_STEPS = "Gaussian noise on the clipped sum of every step"
_MECHANISMS = {
    "softmax": _STEPS,
    "network": _STEPS,
    "glvq": _STEPS,
    "gmlvq": _STEPS,
    "generator": "Gaussian noise on sizes, sums and moments of the classes",
    "hulls": "Laplace noise on every value of every record",
    "joint": "Laplace noise on all numbers of the objective together",
    "gaussian": "Gaussian noise on the sums that regression depends on",
    "adassp": "Gaussian noise on the sums and on their smallest eigenvalue",
    "output": "Gaussian noise on the coefficients of ridge regression",
    "descent": _STEPS,
}
_COMPARED = "Gaussian or Laplace noise, as the method has it"


def guarantee(params: ChooseParams, problem: Problem, method: str | None = None) -> Guarantee:
    """Return the guarantee of one result: that of a method's own event, at the ε and δ that are asked for.

    Nominal where something that is declared public here was read from the records.

    Parameters
    ----------
    params : ChooseParams
        ε and δ.
    problem : Problem
        Whose data, and what of them was declared.
    method : str or None
        The method whose noise it is. None: that of any method here; of its repetitions nothing is then known
        but their sum.
    """
    data = problem.dataset
    estimated = data.estimated
    facts = {
        "n": "the number of records",
        "classes": "the list of classes" if problem.classifies else "",
        "bounds": "the smallest and largest value of each column"
        + " and of what is predicted" * (not problem.classifies),
    }
    public = tuple(words for key, words in facts.items() if words and key not in estimated)
    hulls = method in (None, "hulls") and problem.classifies
    found: dict[str, Any] = {
        "neighbouring": "replace_one",
        "status": "proved",
        "argument": f"{_MECHANISMS.get(method or '', _COMPARED)}, as much as its account asks for at this ε and "
        "δ where one record is replaced by any other."
        + " The method was chosen on made-up data with the declared facts." * _is_chosen(params, problem),
        "public": (*data.public, *public, *(("everybody's class, with affine hulls",) if hulls else ())),
        "not_protected": (
            *_unprotected(params, problem),
            "what can be learned about everybody in general, whether or not one record is there",
        ),
        "unit": problem.unit,
        "n_records": None if "n" in estimated else problem.n_declared,
    }  # fmt: skip
    if method is None:
        made = Guarantee(epsilon=params.epsilon, delta=params.delta, **found)
    else:
        event = method_event(problem, method, params.epsilon, params.delta)
        made = from_event(event, params.delta, at_most=params.epsilon, **found)
    read = (facts[key] for key in estimated if facts[key])
    made = made.having_read(*read, *mismatch(data, "replace_one"))
    named = params.chosen(problem.methods) != "best"
    if problem.is_own and named and params.beforehand == "yes":
        return made.assuming("the method was fixed before any result on this table was seen")
    return made


def _is_chosen(params: ChooseParams, problem: Problem) -> bool:
    return problem.is_own and params.chosen(problem.methods) == "best"


def _unprotected(params: ChooseParams, problem: Problem) -> tuple[str, ...]:
    if problem.is_made_up:
        return ("nothing yet: no record of the table has been used, beyond what is declared",)
    if not problem.is_own:
        return ("the curves of this page: they are drawn from the data, again and again",)
    named = params.chosen(problem.methods) != "best" and params.beforehand == "no"
    return (
        "the curves of this page: they are drawn from your table, again and again, for your eyes alone",
        "an ε that was chosen by looking at these curves",
        *(
            ("the choice of the method, if it was made by looking at these curves",)
            if named
            else ()
        ),
    )
