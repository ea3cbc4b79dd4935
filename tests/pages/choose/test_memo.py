"""The memo: says what it has to, prints on one page, and its link brings the choice back."""

import re
from datetime import date
from urllib.parse import parse_qsl, urlsplit

import pytest

from dpcore.datasets import OwnChoices, own_table, read_csv
from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams
from pages.choose.memo import memo

TODAY = date(2026, 11, 22)


@pytest.fixture(scope="module")
def made():
    params = ChooseParams(dataset="iris", epsilon=2.0, method="glvq", seed=3, least=10).with_pin()
    params = params.but(epsilon=5.0, method="best")
    problem = choose.named_problem("iris")
    costs = next(choose.grow(problem, params))
    found = choose.enough_people(problem, params, "softmax")
    return params, memo(problem, params, costs, "http://here/choose", TODAY, found)


def test_it_says_the_choice_its_cost_the_risk_and_what_is_open(made):
    _, text = made
    for part in (
        "Choice A: ε = 5", "Choice B: ε = 2", "DP-GLVQ", "of 1000 flowers get a wrong answer", "the worst-off group",
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


TABLE = b"income,kind\n" + b"".join(
    b"%d,%s\n" % (k * 37 % 1000, b"ja" if k % 3 else b"nein") for k in range(300)
)


def own_memo(table=TABLE, **choices):
    """The memo of an own table, from the quick methods' first tries."""
    said = {
        "task": "classification", "target": "kind", "features": ("income",),
        "bounds": {"income": (0.0, 120_000.0)}, "public": ("n", "classes"),
    } | choices  # fmt: skip
    made = own_table(read_csv(table), OwnChoices(**said))
    problem = choose.Problem(made.data, made.groups, made)
    params = ChooseParams(dataset="own")
    return memo(problem, params, next(choose.grow(problem, params)), "", TODAY)


def test_a_nominal_epsilon_stays_nominal_in_the_memo():
    """Bounds that were read from the table: no bound holds, and they are not among what was declared."""
    text = own_memo(bounds=None)
    assert "<title>Memo: which ε? (nominal: nothing is proved)</title>" in text
    assert "<h1>Which ε (nominal: nothing is proved) for learning" in text
    assert "ε = 1 (nominal), δ" in text
    assert "Nothing is proved: no limit holds" in text
    assert "at most 73" not in text
    assert "No bound holds for any attacker" in text
    assert "ε would be" in text
    assert "attacker to be right in at most" not in text
    declared = text.split("<h2>Declared public</h2>")[1].split("</section>")[0]
    assert "smallest and largest value" not in declared
    assert "nominal" not in own_memo()
    assert "At most one row of a person." in own_memo()


def test_the_memo_prints_what_it_takes_to_check_it():
    rows = TABLE + b"".join(b",ja\n" for _ in range(20))
    text = own_memo(rows, rows_per_person=5)
    for part in (
        "the class “kind” (ja or nein), from one column (declared bounds: income 0 to 120",
        "The table has 320 rows, 320 of them are used, about two thirds for training, by their places. 20",
        "One person may have up to 5 rows; ε counts one of them. A trusted curator adds the noise.",
        "Planned: 4 a year for 3 years, 12 in all.",
        "For all 5 rows that one person may have, ε is",
        "NIST SP 800-226",
    ):  # fmt: skip
        assert part in text, part


@pytest.mark.parametrize(("method", "total"), [("joint", "11.96"), ("gaussian", "4.018")])
def test_the_memo_prints_planned_results_with_the_epsilon_of_their_own_noise(method, total):
    problem = choose.named_problem("diabetes")
    params = ChooseParams(dataset="diabetes", method=method)
    costs = next(choose.grow(problem, params))
    text = memo(problem, params, costs, "", TODAY)
    assert f"4 a year for 3 years: ε is {total} at δ = 10⁻⁵" in text
    assert "the risk is no worse than if 1 of 100" in text  # δ with its sentence
    assert "because the proof holds" not in text
    assert ("on Gaussian noise is right in 55.3" in text) == (method == "gaussian")


def test_a_group_of_one_is_neither_named_nor_measured_in_the_memo():
    rows = TABLE.replace(b"kind\n", b"kind,district\n", 1).replace(b"ja\n", b"ja,town\n")
    rows = rows.replace(b"nein\n", b"nein,town\n").replace(b"0,nein,town", b"0,nein,island")
    text = own_memo(rows, group="district")
    assert "island" not in text
    assert "One group is not told" in text or "2 groups are not told" in text


def test_hostile_names_stay_text():
    from dataclasses import replace

    iris = choose.named_problem("iris")
    evil = choose.Problem(replace(iris.dataset, title="<script>x</script>"))
    costs = next(choose.grow(iris, ChooseParams(dataset="iris")))
    text = memo(evil, ChooseParams(dataset="iris"), costs, "", TODAY)
    assert "<script>" not in text
