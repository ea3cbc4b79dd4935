"""The memo prints on one page."""

import re

from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams
from tests.pages.choose.test_memo import made

__all__ = ["made"]


def test_it_prints_on_one_page(browser, made):
    page = browser.new_page()
    page.set_content(made[1])
    found = page.pdf(prefer_css_page_size=True)
    page.close()
    assert found.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", found)) == 1


def test_the_longest_data_set_prints_on_one_page_as_well(browser):
    from datetime import date

    from pages.choose.memo import memo

    params = ChooseParams(dataset="diabetes", epsilon=1.0, seed=999_999).kept().but(epsilon=20.0)
    problem = choose.named_problem("diabetes")
    costs = next(choose.grow(problem, params))
    people = choose.enough_people(problem, params, "adassp")
    address = "https://a.very.long.address.example/choose"
    page = browser.new_page()
    page.set_content(memo(problem, params, costs, address, date.today(), people))
    found = page.pdf(prefer_css_page_size=True)
    page.close()
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", found)) == 1
