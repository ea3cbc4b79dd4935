"""The memo: says what it has to, prints on one page, and its link brings the choice back."""

import re
from datetime import date
from urllib.parse import parse_qsl, urlsplit

import pytest

from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams
from pages.choose.memo import memo

TODAY = date(2026, 11, 22)


@pytest.fixture(scope="module")
def made():
    params = ChooseParams(dataset="iris", epsilon=2.0, method="glvq", seed=3).kept()
    params = params.but(epsilon=5.0, method="best")
    problem = choose.named_problem("iris")
    costs = next(choose.grow(problem, params))
    found = choose.enough_people(problem, params, "softmax")
    return params, memo(problem, params, costs, "http://here/choose", TODAY, found)


def test_it_says_the_choice_its_cost_the_risk_and_what_is_open(made):
    _, text = made
    for part in (
        "Choice A: ε = 5", "Choice B: ε = 2", "DP-GLVQ", "of 1000 flowers get a wrong answer", "Worst-off group",
        "Suppose somebody thinks it is 50 to 50", "is 1 % sure", "Declared public", "Not protected",
        "is itself a leak", "2026-11-22", "seed 3", "DP Explorer 0.1.0", "First look", "<svg",
        "How many flowers", "At ε = 5 and at most 100 (of 1000 flowers), with DP-SGD, logistic: ",
    ):  # fmt: skip
        assert part in text, part


def test_its_link_brings_everything_back(made):
    params, text = made
    link = re.search(r'<a href="([^"]+)"', text)[1].replace("&amp;", "&")
    assert link.startswith("http://here/choose?")
    given = dict(parse_qsl(urlsplit(link).query))
    fields = ChooseParams.controls()
    assert (
        ChooseParams(**{name: fields[name].parse(value) for name, value in given.items()}) == params
    )


def test_the_memo_of_an_own_table_names_its_classes_and_what_its_link_lacks(made):
    from dataclasses import replace

    iris = choose.named_problem("iris")
    own = choose.Problem(replace(iris.dataset, name="own", classes=("no", "<b>", "maybe")))
    params = ChooseParams(dataset="own")
    text = memo(own, params, next(choose.grow(iris, params)), "", TODAY)
    assert "Which ε for learning the class (no or &lt;b&gt; or maybe) from" in text
    assert "this choice again, once the table is given again:" in text
    assert "this memo again:" in made[1]


def test_hostile_names_stay_text():
    from dataclasses import replace

    iris = choose.named_problem("iris")
    evil = choose.Problem(replace(iris.dataset, title="<script>x</script>"))
    costs = next(choose.grow(iris, ChooseParams(dataset="iris")))
    text = memo(evil, ChooseParams(dataset="iris"), costs, "", TODAY)
    assert "<script>" not in text
