"""Lots of a fixed size on the pages of private prototypes and matrices, as a visitor meets them."""

import pytest

from dpcore.experiments.matrix import MatrixParams
from dpcore.experiments.relevance import RelevanceParams
from tests.pages.visits import CODE, app, data, opened

KINDS = {"relevance": RelevanceParams, "matrix": MatrixParams}


def said(found):
    return " ".join(element.value for element in (*found.markdown, *found.error, *found.info))


def texts(found):
    return " ".join(line for text in data(found)["texts"] for line in text["strings"])


@pytest.mark.parametrize("page", KINDS)
def test_the_link_asks_for_them_and_everything_follows(page):
    found = app(page, depth="check", lots="fixed", dataset="iris", sample_rate="0.1")
    assert not found.exception
    assert not found.warning
    assert data(found)["values"]["lots"] == "fixed"
    assert KINDS[page](lots="fixed").to_link() == {"lots": "fixed"}
    text = said(found)
    assert "what any one flower says" in text
    assert "Gaussian on random subsets of a fixed size" in text
    assert "'s flower and not another one" in texts(found)
    assert "Each step takes exactly 9 of the 99 records" in texts(found)
    assert "lots='fixed'" in opened(found, CODE).code[0].value


@pytest.mark.parametrize("page", KINDS)
def test_poisson_lots_are_the_default_and_say_nothing_of_the_others(page):
    found = app(page, depth="check", dataset="iris")
    assert data(found)["values"]["lots"] == "poisson"
    assert "Each step takes exactly" not in texts(found)
    assert "whether any one flower is in the data or not" in said(found)


@pytest.mark.parametrize("page", KINDS)
def test_other_lots_in_a_link_get_a_sentence(page):
    found = app(page, depth="check", lots="shuffled", dataset="iris")
    assert data(found)["values"]["lots"] == "poisson"
    assert any("lots" in item.value and "fixed" in item.value for item in found.warning)


@pytest.mark.parametrize("page", KINDS)
def test_a_lot_of_less_than_one_record_is_explained(page):
    found = app(page, depth="check", lots="fixed", dataset="iris", sample_rate="0.005", epochs="1")
    assert not found.exception
    assert "which is less than one" in texts(found)


@pytest.mark.parametrize("page", KINDS)
def test_the_verdict_on_the_printed_noise_follows_the_lots(page):
    literal = app(
        page,
        depth="check",
        lots="fixed",
        recipe="paper",
        dataset="iris",
        sample_rate="0.1",
        epsilon="5",
    )
    assert any("Nothing proves the claim here" in item.value for item in literal.error)
    assert "one record is replaced (as here)" in said(literal)
    poisson = app(
        page, depth="check", recipe="paper", dataset="iris", sample_rate="0.1", epsilon="1"
    )
    assert "(Poisson sampling, as here)" in said(poisson)
    assert "Nothing proves the claim" not in said(poisson)
