"""Texts of the Linear regression page: a summary sentence, the guarantee, the opening example, and the program."""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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

__all__ = ["error_kind", "fits_table", "meaning", "program", "words"]

T = text.load_text(__file__)
State = PageState[RegressionParams]
_MUCH = 0.3
"""Share (private - best)/(guess - best) from which privacy is said to cost much, with errors as in `error_kind`."""


def meaning(state: State) -> Text:
    """Return the summary sentence for every ε, and for every value of a slider that has a preview."""
    fits, problem = state["fits"], state.problem
    if fits is None or problem is None:
        return Text(strings=[T("meaning.later")])
    setting = problem.setting(state.params)
    numbers = arrays(state.params, setting, {"fits": fits})
    about = _About(
        feature=feature_of(problem, setting), target=problem.dataset.target_name,
        n_draws=len(fits.test), n_test=setting.test.n_samples,
    )  # fmt: skip
    places = range(len(EPSILON_GRID))
    return Text(
        strings=[_sentence_at(state.params, numbers, at, about) for at in places],
        brief=[_headline(numbers, at, about) for at in places],
        dims=("epsilon",),
        along=_along(state, replace(about, n_draws=N_DRAWS)),
    )


@dataclass(frozen=True, kw_only=True)
class _About:
    """Subjects of the summary sentence: the names of feature and target, the numbers of lines and test records."""

    feature: str
    target: str
    n_draws: int
    n_test: int


def _number(numbers: Mapping[str, Array], name: str, at: int) -> float:
    """Return the value ``name`` of ``numbers`` at the ε with index ``at``.

    A value is an array over ε, or a single number for all ε.
    """
    values = numbers[name].values
    return float(values[at] if values.ndim else values)


def error_kind(private: float, best: float, guess: float, cost: tuple[float, float]) -> str:
    """Return the key in ``text.toml`` of the sentence that compares typical errors.

    Parameters
    ----------
    private, best, guess : float
        Typical errors of private lines (the median), of the line without privacy, and of a constant.
    cost : tuple of float
        Ends of the 95 % confidence interval of the median error of private lines minus ``best``.

    Returns
    -------
    str
        The first key whose condition holds:

        - "lost": the line without privacy is not better than the constant.
        - "worse": private lines are not better than the constant.
        - "less": the interval is below 0, so private lines are better than the line without privacy.
        - "same": the interval contains 0.
        - "off": ``private`` is less than 30 % of the way from ``best`` to ``guess``.
        - "much": it is farther.
    """
    low, high = cost
    if best >= guess:
        return "lost"
    if private >= guess:
        return "worse"
    if high < 0:
        return "less"
    if low <= 0:
        return "same"
    return "off" if (private - best) / (guess - best) < _MUCH else "much"


def _error_sentence(numbers: Mapping[str, Array], at: int, about: _About) -> tuple[str, str]:
    """Return the key (`error_kind`) and the text of the sentence that compares errors at the ε with index ``at``."""
    private, best, guess, *cost = (
        _number(numbers, name, at)
        for name in ("private_off", "best_off", "guess_off", "cost_off_low", "cost_off_high")
    )
    kind = error_kind(private, best, guess, (cost[0], cost[1]))
    fields = {"same": {"n_draws": about.n_draws}, "less": {"n_test": about.n_test}}
    return kind, T(f"meaning.{kind}", **fields.get(kind, {}))


def _headline(numbers: Mapping[str, Array], at: int, about: _About) -> str:
    """Return a short sentence on the slopes of published lines at the ε with index ``at``.

    If privacy increases the errors much, a sentence on the errors follows.
    """
    low, high, best = (
        _number(numbers, name, at) for name in ("claim_low", "claim_high", "claim_best")
    )
    kind, error = _error_sentence(numbers, at, about)
    if math.isnan(low):
        return error
    claim = T("meaning.claim_brief", low=low, high=high, best=best, feature=about.feature)
    return f"{claim} {error}" if kind in ("lost", "worse", "much") else claim


def _along(state: State, about: _About) -> dict[str, Text]:
    """Return the summary sentence at every value of each slider that has a preview, at the current ε."""
    at, controls = EPSILON_GRID.index(state.params.epsilon), state.params.controls()
    return {
        name: Text(
            strings=[
                _sentence_at(state.params.but(**{name: value}), nodes.get(value), at, about)
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
    about: _About,
) -> str:
    """Return the summary sentence at the ε with index ``at``: slope and error of a private line.

    If the error is clearly larger than that of the best line, a further sentence states how much of it is due to the
    noise and to the method.
    """
    if numbers is None:
        return T("meaning.later")

    def number(name: str) -> float:
        return _number(numbers, name, at)

    rise = [number(f"claim{end}") for end in ("", "_low", "_high")]
    claim = _claim(rise, number("claim_best"), about)
    kind, error = _error_sentence(numbers, at, about)
    sentence = f"{claim}{error}"
    if kind in ("lost", "same", "less"):
        return sentence
    method = number("method_off")
    noise = _difference(
        number("noise_off"), number("noise_off_low"), number("noise_off_high"), about.n_draws
    )
    costs = [(T(f"causes.{_noise_of(params)}"), noise)]
    if method:
        costs.append((T("causes.method"), _difference(method, method, method, about.n_draws)))
    return f"{sentence} {causes(costs, code='cost', what=T('draws.lines'))}"


def _claim(rise: Sequence[float], best: float, about: _About) -> str:
    """Return a sentence with the median slope of a published line over noise draws, or "" if it is unknown."""
    value, low, high = rise
    if math.isnan(value):
        return ""
    estimate = Estimate(value=value, low=low, high=high, n_draws=about.n_draws, over="noise")
    words = estimate_in_words(estimate, "+.2g", T("draws.lines"))
    return (
        T("meaning.claim", rise=words, best=best, feature=about.feature, target=about.target) + " "
    )


def _noise_of(params: RegressionParams) -> str:
    """Return the key in ``text.toml`` of the words for the randomness of a fit: noise, or noise and sampling."""
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
    """Return the explanatory text below the figure.

    Return None while the data are loading.
    """
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
    """Return a sentence with the total ε of all fits in the figure."""
    together = regression.shown_epsilon(params)
    numbers = {"n_fits": N_DRAWS, "epsilon": params.epsilon, "together": together}
    if params.pure:
        return T("words.shown", **numbers)
    return T("words.shown_delta", **numbers, delta=params.delta)


def fits_table(state: State) -> pd.DataFrame:
    """Return a table of private fits at the current ε, with coefficients and errors; a row has one noise draw.

    Coefficients and errors are for data scaled to [-1, 1].
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
    """Display two neighbouring tables, and an attack that subtracts their counts, for exact and for noisy counts."""
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
    """Return the source code of the downloadable program with these parameters.

    For a user's own table, the program starts with code that reads this table.
    """
    file = Path(__file__).with_name("program.py")
    values = {"params": f"regression.{params.to_code()}", "model": _estimator(params)}
    if params.dataset != "own":
        return filled(file, **values)
    code = filled(file, **values, problem="regression.Problem(data)")
    return code.replace("\nproblem = ", f"\n{_own_table(problem)}problem = ", 1)


def _literal(value: object) -> str:
    """Return the Python source code of a value, with double quotes around strings."""
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _estimator(params: RegressionParams) -> str:
    """Return Python source code that constructs the estimator, with ε and the arguments that differ from defaults."""
    name, arguments = regression.estimator_call(params)
    usual = inspect.signature(getattr(estimators, name)).parameters
    given_here = {k: v for k, v in arguments.items() if k == "epsilon" or v != usual[k].default}
    keywords = ", ".join(f"{key}={_literal(value)}" for key, value in given_here.items())
    expression = f"estimators.{name}({keywords})"
    is_short = len(f"model = {expression}") <= 100
    return expression if is_short else f"estimators.{name}(\n    {keywords}\n)"


def _own_table(problem: Problem) -> str:
    """Return Python source code that reads the user's CSV file into the variable ``data``."""
    data = problem.dataset
    return (
        "from dpcore.datasets import own_regression, read_csv\n\n"
        f"{own_code.remark(data)}"
        "data = own_regression(\n"
        f"    read_csv('your.csv'), {data.target_name!r}, features={list(data.feature_names)!r},\n"
        f"    {own_code.options(data)},\n"
        ")\n"
    )
