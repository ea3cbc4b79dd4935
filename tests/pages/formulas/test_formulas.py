"""The page Formulas: the filters, a figure for every formula, and links that open what they name."""

from urllib.parse import parse_qsl

import numpy as np
import pytest

from dpcore.experiments.formulas import CORRECTION, entries
from pages import PAGES, specs
from pages.formulas import view
from pages.formulas.figure import figure
from tests.pages.visits import app
from ui.frame.page_spec import PageSpec
from ui.live.depth import Depth

SPECS = {spec.key: spec for spec in specs() if isinstance(spec, PageSpec)}


def headings(found):
    """The headings of the formulas that a page shows."""
    return [one.value for one in found.markdown if one.value.startswith("## ")]


@pytest.mark.parametrize("document", "01234")
def test_every_formula_has_a_link_whose_values_are_all_allowed(document):
    for entry in view.chosen(document=document):
        if entry.page not in PAGES:
            continue  # this copy has no such page: the link is left out
        spec, link = SPECS[entry.page], dict(parse_qsl(entry.link, strict_parsing=bool(entry.link)))
        params, problems = spec.params.from_link(link)
        assert problems == [], entry.id
        Depth.from_link(link.pop("depth", "look"))
        assert set(link) <= set(spec.params.controls()), entry.id
        assert params.to_link() == {
            name: value for name, value in link.items() if name in params.to_link()
        }


@pytest.mark.parametrize("document", "01234")
def test_every_formula_has_a_figure_that_says_its_numbers(document):
    for entry in view.chosen(document=document):
        drawn = figure(entry)
        for at in (entry.number.grid[0], entry.number.start):
            assert drawn.evaluate("right", {"at": at}) == pytest.approx(
                entry.number.right(at), rel=1e-6
            )
        for axis in (drawn.panels[0].x, drawn.panels[0].y):
            assert np.isfinite(axis.range).all()
            assert axis.range[0] < axis.range[1]


def test_what_is_wrong_is_struck_out_in_every_wrong_formula_and_in_no_other():
    for entry in entries(view.FOLDER):
        assert bool(CORRECTION.search(entry.corrected)) == (entry.verdict == "wrong"), entry.id
        assert "~~" not in entry.printed
        assert "++" not in entry.printed
        assert entry.printed.count("$") == entry.corrected.count("$"), (
            "a mark ends within its formula"
        )


def test_what_is_struck_out_stands_word_for_word_in_the_document_and_has_its_correction():
    """Of a wrong formula its authors' own term is struck, in the text that they printed, and another put beside."""
    squeezed = lambda text: "".join(text.split()).lower()  # noqa: E731
    for entry in view.chosen(verdict="wrong"):
        struck = list(CORRECTION.finditer(entry.corrected))
        assert struck, entry.id
        for term in struck:
            assert term["wrong"] in entry.printed, entry.id
            assert squeezed(term["wrong"]) in squeezed(" ".join(entry.quote)), (
                entry.id,
                term["wrong"],
            )
            assert term["right"], entry.id
            assert squeezed(term["right"]) != squeezed(term["wrong"]), entry.id


@pytest.mark.parametrize("verdict", ["right", "loose", "unclear", "note"])
def test_of_what_is_not_wrong_nothing_is_struck_on_the_page(verdict):
    found = app("formulas", document="any", verdict=verdict)
    assert not found.exception
    assert len(headings(found)) == min(10, len(view.chosen(verdict=verdict)))
    assert not any("~~" in one.value or r"\cancel" in one.value for one in found.markdown)


def test_a_wrong_formula_stands_first_in_large_type_and_its_quote_below():
    found = app("formulas", document="0", verdict="wrong")
    told = [one.value for one in found.markdown if one.value and not one.value.startswith("<")]
    first = next(k for k, value in enumerate(told) if value.startswith("## 0.9 "))
    assert told[first].endswith(":red-badge[wrong]")
    assert r"\cancel{2q\sqrt{T \log(1/\delta)}/\varepsilon_2}" in told[first + 1]
    assert r"}}\;\to\;\textcolor{#1a9257}{\min" in told[first + 1]  # no product of the two
    below = next(value for value in told[first + 2 :] if value.startswith("> "))
    (entry,) = [one for one in view.chosen() if one.id == "0.9"]
    assert "given ε_2 and" in entry.quote[0]  # as it is printed; the page typesets it
    assert below.startswith(
        "> " + entry.quote[0].replace("given ε_2 and", r"given $\varepsilon_2$ and")
    )
    assert entry.document in below


def test_a_correction_in_a_formula_is_tex_and_one_in_a_sentence_markdown():
    assert view.corrected("$a/~~b~~++2b++$ for ~~all~~ $c$") == (
        r"$a/\textcolor{#d2402c}{\cancel{b}}\;\to\;\textcolor{#1a9257}{2b}$ for :red[~~all~~] $c$"
    )


def test_the_filters_and_the_search_leave_what_has_all_of_it():
    assert view.chosen() == list(entries(view.FOLDER))
    wrong = view.chosen(document="3", verdict="wrong")
    assert [entry.id for entry in wrong] == ["3.20", "3.22", "3.26"]
    assert [entry.id for entry in view.chosen(search="exponential mechanism")] == ["3.26"]
    assert view.chosen(search="no such words") == []


def test_the_page_shows_what_a_link_asks_for():
    found = app("formulas", document="3", verdict="wrong", search="exponential")
    assert not found.exception
    (text,) = headings(found)
    assert text.startswith("## 3.26 ")
    (printed,) = [item.value for item in found.markdown if r"\cancel" in item.value]
    assert printed.count(r"\cancel{\Delta s}") == 2
    found.selectbox(key="formulas.document").set_value("0").run()
    assert not found.exception
    assert any("No formula" in item.value for item in found.info)
    assert found.query_params["document"] == ["0"] or found.query_params["document"] == "0"


def test_a_link_with_unknown_filters_shows_the_usual_list():
    found = app("formulas", document="9", verdict="perfect")
    assert not found.exception
    assert found.selectbox(key="formulas.verdict").value == "wrong"


def test_ten_formulas_are_drawn_first_and_all_on_demand():
    found = app("formulas", document="any", verdict="wrong")
    many = len(view.chosen(verdict="wrong"))
    assert many > 10
    assert len(headings(found)) == 10
    (more,) = [one for one in found.button if one.label == f"Show the other {many - 10}"]
    more.click().run()
    assert not found.exception
    assert len(headings(found)) == many
    found.selectbox(key="formulas.verdict").select("any").run()
    assert len(headings(found)) == 10
