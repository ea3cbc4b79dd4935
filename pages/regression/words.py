"""Texts of the page Linear regression: a summary sentence, the guarantee, the opening example, the program."""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import streamlit as st

from dpcore import regression as estimators
from dpcore.datasets import own_code
from dpcore.estimate import Difference, Estimate
from dpcore.experiments import regression
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.regression import N_DRAWS, Problem, RegressionParams
from dpcore.experiments.regression.attacks import ATTACKED, TABLE, difference, difference_right
from pages.regression.arrays import arrays
from pages.regression.figure import feature_of, figure
from pages.regression.formulas import derivation, formula, printed
from ui.export import from_figure
from ui.figure_kit.estimates import causes, estimate_in_words
from ui.frame.explanation import Explanation
from ui.live import Array, Text
from ui.program import filled
from ui.runner import PageState
from ui.words import text
from ui.words.numbers import percent_at_most

__all__ = ["error_sentence", "fits_table", "meaning", "program", "words"]

T = text.beside(__file__)
State = PageState[RegressionParams]
_LIMITS = {"same": 0.03, "off": 0.3, "much": 1.0, "worse": math.inf}
"""Up to which share of the way from the best line's error to the mean's a sentence holds."""


def meaning(state: State) -> Text:
    """Return the sentence that summarizes the figure, for every ε and every value of a slider with a preview."""
    fits, problem = state["fits"], state.problem
    if fits is None or problem is None:
        return Text(strings=[T("meaning.later")])
    setting = problem.setting(state.params)
    numbers = arrays(state.params, setting, {"fits": fits})
    names = {"feature": feature_of(problem, setting), "target": problem.dataset.target_name}
    strings = [
        _sentence_at(state.params, numbers, at, names, len(fits.test))
        for at in range(len(EPSILON_GRID))
    ]
    return Text(strings=strings, dims=("epsilon",), along=_along(state, names))


def error_sentence(private: float, best: float, guess: float) -> str:
    """Return a sentence that compares a private line's typical error with two other errors.

    These are the errors of the best line and of a constant.
    """
    if best >= guess:
        return T("meaning.lost")
    share = (private - best) / (guess - best)
    kind = next(name for name, limit in _LIMITS.items() if share < limit)
    return T(f"meaning.{kind}")


def _along(state: State, names: Mapping[str, str]) -> dict[str, Text]:
    """Return the summary sentences for every value of each slider with a preview, at the current ε."""
    at, controls = EPSILON_GRID.index(state.params.epsilon), state.params.controls()
    return {
        name: Text(
            strings=[
                _sentence_at(
                    state.params.but(**{name: value}), nodes.get(value), at, names, N_DRAWS
                )
                for value in controls[name].grid or ()
            ],
            dims=(name,),
        )
        for name, nodes in state.previews("page").items()
    }


def _sentence_at(
    params: RegressionParams,
    numbers: Mapping[str, Array] | None,
    at: int,
    names: Mapping[str, str],
    n_draws: int,
) -> str:
    """Return the sentence on a line's error at the ε with index ``at``.

    If the line is clearly worse than the best line, a second sentence says how much noise and method contribute.
    """
    if numbers is None:
        return T("meaning.later")

    def number(name: str) -> float:
        values = numbers[name].values
        return float(values[at] if values.ndim else values)

    rise = [number(f"claim{end}") for end in ("", "_low", "_high")]
    claim = _claim(rise, number("claim_best"), names, n_draws)
    off, best, guess = (number(f"{name}_off") for name in ("private", "best", "guess"))
    sentence = f"{claim}{error_sentence(off, best, guess)}"
    if best >= guess or _is_same(off, best, guess):
        return sentence
    method = number("method_off")
    noise = _difference(
        number("noise_off"), number("noise_off_low"), number("noise_off_high"), n_draws
    )
    costs = [(T(f"causes.{_noise_of(params)}"), noise)]
    if method:
        costs.append((T("causes.method"), _difference(method, method, method, n_draws)))
    return f"{sentence} {causes(costs, code='cost', what=T('draws.lines'))}"


def _is_same(private: float, best: float, guess: float) -> bool:
    """Return whether the summary sentence says that private and best line have about the same error."""
    return error_sentence(private, best, guess) == T("meaning.same")


def _claim(rise: Sequence[float], best: float, names: Mapping[str, str], n_draws: int) -> str:
    """Return a sentence with the slope that a published line states, as the median over draws; "" while unknown."""
    value, low, high = rise
    if math.isnan(value):
        return ""
    estimate = Estimate(value=value, low=low, high=high, n_draws=n_draws, over="noise")
    words = estimate_in_words(estimate, "+.2g", T("draws.lines"))
    return T("meaning.claim", rise=words, best=best, **names) + " "


def _noise_of(params: RegressionParams) -> str:
    """Return the key of the phrase for the randomness of a fit: noise alone, or noise and sampling."""
    return "noise_sampled" if params.stepwise and params.sample_rate < 1 else "noise"


def _difference(value: float, low: float, high: float, n_draws: int) -> Difference:
    return Difference(
        value=value,
        low=low,
        high=high,
        n_draws=n_draws,
        coverage=0.95,
        over="noise",
        direction="lower",
    )


def words(state: State) -> Explanation | None:
    """Return the explanatory text below the figure; None while the data are loading."""
    params, problem = state.params, state.problem
    if problem is None:
        st.caption(T("words.reading"))
        return None
    setting = problem.setting(params)
    return Explanation(
        shown=_shown(params),
        formula=lambda: formula(params, setting),
        sections={
            T("words.opening.title"): lambda: _opening_example(params),
            T("words.derivation.title"): lambda: derivation(setting.n_features),
        },
        checks={T("words.printed.title"): lambda: printed(setting)},
        bundle=from_figure.taken(
            figure,
            state,
            draws="loss_test",
            panels=("loss_test", "loss_train"),
            whole=("fits", "comparison"),
            tables={"fits": fits_table},
            name="regression",
            title=T("words.name", dataset=problem.dataset.title),
            guarantee=regression.guarantee(params, problem),
            code=lambda chosen: program(chosen, problem),
        ),
        tasks=T("words.tasks"),
    )


def _shown(params: RegressionParams) -> str:
    """Return a sentence with the joint privacy cost of all fits in the figure."""
    together = regression.shown_epsilon(params)
    numbers = {"n_fits": N_DRAWS, "epsilon": params.epsilon, "together": together}
    if params.pure:
        return T("words.shown", **numbers)
    return T("words.shown_delta", **numbers, delta=params.delta)


def fits_table(state: State) -> pd.DataFrame:
    """Return a table of the private coefficients at ε and their errors, one draw per row, for data scaled to [-1,
    1].
    """
    problem, params = state.problem, state.params
    fits, setting = state["fits"], problem.setting(params)
    names = ["intercept", *(problem.dataset.feature_names[i] for i in setting.columns)]
    at = EPSILON_GRID.index(params.epsilon)
    table = pd.DataFrame(fits.coefficients[:, at], columns=names)
    table = table.assign(train_mse=fits.train[:, at], test_mse=fits.test[:, at])
    table.attrs["note"] = _table_note(params, len(table))
    return table


def _table_note(params: RegressionParams, n_fits: int) -> str:
    together = regression.shown_epsilon(params, n_fits)
    numbers = {
        "n_fits": n_fits, "epsilon": f"{params.epsilon:g}", "together": f"{together:.3g}"
    }  # fmt: skip
    if params.pure:
        return T("words.table_note", **numbers)
    return T("words.table_note_delta", **numbers, delta=f"{params.delta:g}")


def _opening_example(params: RegressionParams) -> None:
    """Draw the two neighbouring tables and the difference attack on them, without and with noise."""
    head = T("words.opening.head")
    rows = (f"| {name} | {ill} | {0 if name == ATTACKED else ill} |" for name, ill in TABLE)
    st.markdown(f"| {head} |\n|---|---|---|\n" + "\n".join(rows))
    ill = [value for _, value in TABLE]
    st.markdown(
        T("words.opening.attack", name=ATTACKED, five=sum(ill), four=sum(ill[:-1]), entry=ill[-1])
    )
    first, second = difference(params.epsilon, params.seed)
    apart = first - second
    st.markdown(
        T(
            "words.opening.noise",
            name=ATTACKED,
            epsilon=params.epsilon,
            first=first,
            second=second,
            apart=apart,
            verdict=T("words.opening.ill" if apart > 0.5 else "words.opening.well"),
            right=difference_right(params.epsilon),
            bound=percent_at_most(1 / (1 + math.exp(-params.epsilon))),
            both=2 * params.epsilon,
        )
    )


def program(params: RegressionParams, problem: Problem) -> str:
    """Return the source code of the downloadable program with these parameters; for a user's table, with the code
    that reads it.
    """
    file = Path(__file__).with_name("program.py")
    values = {"params": f"regression.{params.to_code()}", "model": _estimator(params)}
    if params.dataset != "own":
        return filled(file, **values)
    code = filled(file, **values, problem="regression.Problem(data)")
    return code.replace("\nproblem = ", f"\n{_own_table(problem)}problem = ", 1)


def _literal(value: object) -> str:
    """Return a value as Python source code; strings have double quotes."""
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _estimator(params: RegressionParams) -> str:
    """Return Python source that constructs the estimator with its ε and all arguments that differ from the
    defaults.
    """
    name, arguments = regression.estimator_call(params)
    usual = inspect.signature(getattr(estimators, name)).parameters
    given_here = {k: v for k, v in arguments.items() if k == "epsilon" or v != usual[k].default}
    keywords = ", ".join(f"{key}={_literal(value)}" for key, value in given_here.items())
    expression = f"estimators.{name}({keywords})"
    is_short = len(f"model = {expression}") <= 100
    return expression if is_short else f"estimators.{name}(\n    {keywords}\n)"


def _own_table(problem: Problem) -> str:
    """Return Python source that reads the user's CSV file as ``data``."""
    data = problem.dataset
    return (
        "from dpcore.datasets import own_regression, read_csv\n\n"
        f"{own_code.remark(data)}"
        "data = own_regression(\n"
        f"    read_csv('your.csv'), {data.target_name!r}, {list(data.feature_names)!r},\n"
        f"    {own_code.options(data)},\n"
        ")\n"
    )
