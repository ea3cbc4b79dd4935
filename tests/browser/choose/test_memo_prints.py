"""The memo prints on one page."""

import re

import pytest

from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams


def test_the_longest_data_set_prints_on_one_page(browser):
    from datetime import date

    from pages.choose.memo import memo

    params = (
        ChooseParams(dataset="diabetes", epsilon=1.0, seed=999_999).with_pin().but(epsilon=20.0)
    )
    problem = choose.named_problem("diabetes")
    costs = next(choose.grow(problem, params))
    people = choose.enough_people(problem, params, "adassp")
    address = "https://a.very.long.address.example/choose"
    page = browser.new_page()
    page.set_content(memo(problem, params, costs, address, date.today(), people))
    found = page.pdf(prefer_css_page_size=True)
    page.close()
    assert found.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", found)) == 1


def test_two_choices_for_an_own_table_with_many_columns_print_on_one_page(browser):
    from datetime import date

    import numpy as np

    from dpcore.datasets import OwnChoices, own_table, read_csv
    from pages.choose.memo import memo

    rng, columns = np.random.default_rng(0), [f"income of source {k}" for k in range(10)]
    rows = "\n".join(
        ",".join(map(str, rng.integers(0, 100, 10))) + f",{'yes' if rng.random() < 0.4 else 'no'},"
        f"{'north' if rng.random() < 0.5 else 'south'}"
        for _ in range(300)
    )
    said = OwnChoices(
        task="classification", target="granted", features=tuple(columns), group="district", rows_per_person=5,
        public=("n", "classes"), bounds=dict.fromkeys(columns, (0.0, 120_000.0)),
    )  # fmt: skip
    table = read_csv((",".join(columns) + f",granted,district\n{rows}").encode())
    own = own_table(table, said)
    problem = choose.Problem(own.data, own.groups, own)
    params = ChooseParams(dataset="own", epsilon=1.0, seed=999_999).with_pin().but(epsilon=5.0)
    costs = next(choose.grow(problem, params))
    people = choose.enough_people(problem, params, "softmax")
    page = browser.new_page()
    page.set_content(
        memo(problem, params, costs, "https://a.long.address.example/choose", date.today(), people)
    )
    found = page.pdf(prefer_css_page_size=True)
    page.close()
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", found)) == 1


def test_the_memo_prints_whole_in_light_colours(browser):
    from datetime import date

    pytest.importorskip("pypdfium2", reason="pypdfium2 is not installed: requirements-dev.txt")
    from pages.choose.memo import memo
    from tests.browser.test_print import checked, printed

    params = ChooseParams(dataset="diabetes", epsilon=1.0, seed=1).with_pin().but(epsilon=20.0)
    problem = choose.named_problem("diabetes")
    costs = next(choose.grow(problem, params))
    people = choose.enough_people(problem, params, "adassp")
    made = memo(
        problem, params, costs, "https://an.address.example/choose", date(2026, 1, 1), people
    )
    document, page = printed(browser, made)
    checked(document, edge=20)  # its sheets have margins of their own
    page.close()
