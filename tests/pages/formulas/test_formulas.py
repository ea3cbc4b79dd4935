"""The page Formulas: the filters, a figure for every formula, and links that open what they name."""

from urllib.parse import parse_qsl

import numpy as np
import pytest

from dpcore.experiments.formulas import CORRECTION, entries
from pages import PAGES, specs
from pages.formulas import ask, view
from pages.formulas.figure import figure
from tests.pages.visits import app
from ui.frame.page_spec import PageSpec
from ui.live.depth import Depth

SPECS = {spec.key: spec for spec in specs() if isinstance(spec, PageSpec)}


def headings(found):
    """The headings of the formulas that a page shows."""
    return [one.value for one in found.markdown if one.value.startswith("## ")]


def heading(found):
    """The subject of the formula that the quiz shows."""
    (one,) = headings(found)
    return one.removeprefix("## ").partition(" :gray")[0]


def vote(found, name):
    """Press a button of the quiz."""
    return found.button(key=f"vote-{name}").click().run()


def told(found):
    """The verdict beside the vote; empty before the vote."""
    return next((one.value for one in found.markdown if "the formula is :" in one.value), "")


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
    assert found.selectbox(key="formulas.verdict").value == "ask"
    assert heading(found) == "Sensitivity of a mean"


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


def test_the_quiz_asks_of_right_and_wrong_formulas_alone_the_easy_ones_first():
    listed = ask.asked(view.chosen())
    assert {entry.verdict for entry in listed} == {"right", "wrong"}
    assert len(listed) == sum(entry.verdict in ask.ASKED for entry in view.chosen())
    easy = [key.replace("-", ".") for key in ask.T.group("asked")]
    assert [entry.id for entry in listed[: len(easy)]] == easy
    verdicts = [entry.verdict for entry in listed[: len(easy)]]
    assert verdicts.count("right") == verdicts.count("wrong")
    assert verdicts[::2].count("right") not in (0, len(easy) // 2), "they alternate"


def test_a_formula_stands_without_marks_until_the_vote_which_stays():
    found = app("formulas", formula="3.26")
    assert not found.exception
    assert heading(found) == "Exponential mechanism"
    assert not any(r"\cancel" in one.value or "**Right:**" in one.value for one in found.markdown)
    assert told(found) == ""
    vote(found, "right")
    assert not found.exception
    assert told(found).startswith("You said right.")
    assert ":red[**wrong**]" in told(found)
    assert any(r"\cancel{\Delta s}" in one.value for one in found.markdown)
    assert any("0 of 1 votes right" in one.value for one in found.get("html"))
    found.run()
    assert told(found).startswith("You said right.")
    vote(found, "next")
    assert heading(found) == "Number of steps"
    vote(found, "right")
    assert told(found).startswith("Yes:")
    assert any("1 of 2 votes right" in one.value for one in found.get("html"))
    found.selectbox(key="formulas.verdict").select("wrong").run()
    found.selectbox(key="formulas.verdict").select("ask").run()
    assert told(found).startswith("Yes:"), "the vote is gone after another list"


def test_an_answer_that_is_shown_counts_for_no_score():
    found = vote(app("formulas"), "show")
    assert told(found) == "As printed, the formula is :green[**right**]."
    assert not any("votes right" in one.value for one in found.get("html"))


def test_the_link_names_the_formula_of_the_quiz():
    found = app("formulas", document="0", formula="0.9")
    assert heading(found) == "The noise of the training"
    assert "0.9" in found.query_params["formula"]
    assert heading(app("formulas", formula="3.9")) == "Sensitivity of a mean"  # it is not asked
    assert heading(app("formulas", formula="0.9", document="3")) == "Sensitivity of a mean"


def test_a_curve_of_epsilon_is_named_real_and_the_slider_opens_inside_its_range():
    for entry in ask.asked(view.chosen()):
        drawn = figure(entry)
        names = [layer.label for layer in drawn.panels[0].layers if getattr(layer, "label", "")]
        if entry.number.is_epsilon and "as printed" in names:
            assert names == ["as printed", "real ε"], entry.id
        assert drawn.values["at"] not in (entry.number.grid[0], entry.number.grid[-1]), entry.id
    (noise,) = [entry for entry in view.chosen() if entry.id == "0.9"]
    at = figure(noise).values
    assert figure(noise).evaluate("right", at) > 1.1 * figure(noise).evaluate("printed", at)


def test_the_page_leaves_its_address_as_it_is_when_it_opens():
    """Each change of the address is one more press of the browser's Back."""
    assert dict(app("formulas").query_params) == {}
    assert dict(app("formulas", formula="3.26").query_params) == {"formula": "3.26"}
    assert dict(app("formulas", document="3").query_params) == {"document": "3"}
