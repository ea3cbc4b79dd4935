"""One ε in the memo: of the guarantee of the method it names, with all planned results and in the link."""

import html
import re
from dataclasses import replace
from datetime import date
from functools import lru_cache

import pytest

from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams
from pages.choose.memo import memo, promised
from tests.pages.test_one_epsilon import random_states
from ui.words.numbers import short, show
from ui.words.odds import odds_sentence


@pytest.fixture(scope="module")
def first_tries():
    """What the methods of a data set cost at first sight; the memo's guarantee does not depend on it."""
    return lru_cache(
        lambda dataset: next(choose.grow(choose.named_problem(dataset), ChooseParams()))
    )


def check_memo(params, costs):
    """Compare the memo with the guarantee of the method it names, with all planned results and the link."""
    problem = choose.named_problem(params.dataset)
    text = html.unescape(memo(problem, params, costs, "https://a.example/choose", date.today()))
    found = promised(problem, params, costs)
    nominal = found.status == "nominal"
    mark = " (nominal)" if nominal else ""
    assert f"ε = {short(found.epsilon)}{mark}, δ = {short(params.delta)}, " in text
    assert (odds_sentence(found) in text) is not nominal
    assert ("(nominal: nothing is proved)" in text) is nominal
    if params.n_releases > 1:
        every = found.repeated(params.n_releases)
        said = re.search(r"ε (?:is|would be) (\S+) at δ", text)[1]
        assert said == show(every.epsilon, ".4g")
    assert f"epsilon={params.epsilon:g}&" in text


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("k", range(40))
def test_the_memo_says_the_epsilon_of_its_method(k, first_tries):
    params = random_states(ChooseParams, 40, seed=28)[k]
    costs = first_tries(params.dataset)
    if params.method not in costs.tried:  # the page offers no memo before a method was tried
        params = replace(params, method="best")
    check_memo(params, costs)
