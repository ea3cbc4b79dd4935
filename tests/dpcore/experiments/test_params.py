"""One declaration drives links, code and validation: they must agree with each other."""

from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.experiments.audit import AuditParams
from dpcore.experiments.budget import BudgetParams
from dpcore.experiments.descent import DescentParams
from dpcore.experiments.matrix import MatrixParams
from dpcore.experiments.queries import QueriesParams
from dpcore.experiments.relevance.params import PAPER, RelevanceParams

CONTROLS = RelevanceParams.controls()


def legal(item):
    if item.choices is not None:
        return st.sampled_from(list(item.choices))
    if item.grid is not None:
        return st.sampled_from(item.grid)
    return st.integers(item.low, item.high)


any_params = st.fixed_dictionaries({n: legal(c) for n, c in CONTROLS.items()}).map(
    lambda values: RelevanceParams(**values)
)


@given(any_params)
def test_link_restores_the_parameters(params):
    assert RelevanceParams.from_link(params.to_link()) == (params, [])


@given(any_params)
def test_code_restores_the_parameters(params):
    assert eval(params.to_code(), {"RelevanceParams": RelevanceParams}) == params


@given(st.dictionaries(st.sampled_from(list(CONTROLS)), st.text(max_size=60)))
def test_any_link_gives_parameters_or_a_sentence_per_bad_value(link):
    params, problems = RelevanceParams.from_link(link)
    for name, text in link.items():
        accepted = CONTROLS[name].show(getattr(params, name)) == text
        named = any(p.startswith(f"The link sets “{name}") for p in problems)
        assert accepted or named or float(text) == float(getattr(params, name))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("epsilon", "-1"),
        ("epsilon", "abc"),
        ("epsilon", "nan"),
        ("epsilon", "inf"),
        ("epsilon", "1e400"),
        ("epsilon", ""),
        ("epsilon", "0.77"),
        ("delta", "0.5"),
        ("dataset", "nope"),
        ("epochs", "50.5"),
        ("project", "True"),
        ("seed", "-3"),
        ("seed", "1e99"),
        ("seed", "10000000"),
    ],
)
def test_bad_link_value_is_named_with_range_and_default(name, text):
    params, problems = RelevanceParams.from_link({name: text})
    assert params == RelevanceParams()
    (problem,) = problems
    item = CONTROLS[name]
    named = f"{name} {item.symbol}".strip()
    assert problem.startswith(f"The link sets “{named}” to “{text}”. ")
    assert " It can be " in problem
    assert problem.endswith(f"; we use {item.show(item.default)}.")


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        (
            "sample_rate",
            "x",
            "to “x”. It can be any step of the slider, from 0.001 to 1; we use 0.01.",
        ),
        ("epsilon", "0.77", "from 0.05 to 20 (the nearest is 0.75); we use 1."),
        ("project", "True", "to “True”. It can be yes or no; we use "),
        ("seed", "1.5", "any whole number from 0 to 999999; we use 0."),
    ],
)
def test_a_refused_link_is_told_in_words_that_a_link_takes(name, text, told):
    assert told in RelevanceParams.from_link({name: text})[1][0]


def test_free_text_that_is_refused_says_what_is_used():
    from dpcore.experiments.budget import BudgetParams

    (problem,) = BudgetParams.from_link({"ledger": "L1.2.3"})[1]
    assert problem.endswith(" We use what the page begins with.")


def test_off_grid_number_names_its_neighbour():
    with pytest.raises(ValueError, match=r"The nearest is 0\.75\."):
        RelevanceParams(epsilon=0.77)


@pytest.mark.parametrize("value", [True, "1", None, 0.77, -1, float("nan")])
def test_constructor_refuses_what_the_grid_does_not_hold(value):
    with pytest.raises(ValueError, match="epsilon="):
        RelevanceParams(epsilon=value)


def test_numbers_equal_to_a_grid_value_become_that_value():
    params = RelevanceParams(epsilon=2, delta=1.0000000000001e-5, sample_rate=1)
    assert (params.epsilon, params.delta, params.sample_rate) == (2.0, 1e-5, 1.0)


def test_parameters_are_frozen_and_hashable():
    params = RelevanceParams()
    with pytest.raises(FrozenInstanceError):
        params.epsilon = 2.0
    assert {params: 1}[RelevanceParams()] == 1


def test_paper_settings_are_on_the_grids():
    assert RelevanceParams(**PAPER, epsilon=0.75).recipe == "paper"


def test_documents_values_are_on_the_epsilon_grid():
    wanted = "0.1 0.2 0.5 0.75 0.8 1 1.5 1.6 2 2.4 2.5 3.2 4 5 6 8 10"
    for text in wanted.split():
        assert RelevanceParams.from_link({"epsilon": text})[1] == []


@pytest.mark.parametrize("name", ["epsilon", "epochs", "dataset", "seed", "project"])
def test_any_value_of_an_event_is_allowed_or_refused_in_a_short_sentence(name):
    item = CONTROLS[name]
    odd = [
        10**400,
        -(10**6000),
        float("nan"),
        float("inf"),
        None,
        [1],
        {"a": [[]]},
        "x" * 10**5,
        "1",
    ]
    for value in [*odd, *([True] if name != "project" else [])]:
        with pytest.raises(ValueError, match=f"^{name}=") as refused:
            item.check(value)
        assert len(str(refused.value)) < 400


def test_free_text_of_an_event_has_to_be_text():
    from dpcore.experiments.budget import BudgetParams

    for value in (10**6000, ["L1"], None):
        with pytest.raises(ValueError, match="ledger="):
            BudgetParams.controls()["ledger"].check(value)


def test_an_older_link_means_the_field_of_today():
    params = MatrixParams(matrix_noise_std=0.1, rank="2")
    assert MatrixParams.from_link({"touch": "0.1", "rank": "2"}) == (params, [])
    assert params.to_link() == {"matrix_noise_std": "0.1", "rank": "2"}
    both = {"touch": "0.1", "matrix_noise_std": "0.05"}
    assert MatrixParams.from_link(both)[0].matrix_noise_std == 0.05
    (problem,) = MatrixParams.from_link({"touch": "7"})[1]
    assert " to “7”. " in problem


def test_former_names_are_those_of_fields_and_nobody_elses():
    controls, former = MatrixParams.controls(), MatrixParams.former
    assert set(former) <= set(controls)
    assert not set(former.values()) & set(controls)


def test_what_an_older_link_leaves_out_is_what_it_was_then():
    older, today = AuditParams.from_link({"v": "1"})[0], AuditParams.from_link({"v": "2"})[0]
    assert (older.target, today) == ("laplace", AuditParams())
    assert AuditParams.from_link({"v": "1", "target": "bug7"})[0].target == "bug7"


@pytest.mark.parametrize("params", [AuditParams, BudgetParams, DescentParams, QueriesParams])
def test_former_defaults_are_values_of_today_and_not_the_defaults(params):
    assert params.former_defaults
    for values in params.former_defaults.values():
        assert params.from_link(values)[0].to_link() == dict(values)
