"""Relevance learning through AppTest: what it says, and how it answers."""

import pytest

from tests.pages.visits import CODE, app, data, opened

TABLE_1 = "Table 1 of Brinkrolf, Berger and Hammer (2018) beside ours"


def test_the_page_has_its_grammar():
    found = app("relevance", depth="check")
    text = " ".join(element.value for element in found.markdown)
    for words in (
        "Guarantee",
        "What is protected",
        "Declared public",
        "Not protected",
        "The formula",
        "Suppose somebody",
    ):
        assert words in text
    assert not found.code  # closed: nothing is made
    assert "relevance.run_sweep(problem, params)" in opened(found, CODE).code[0].value
    names = [control["name"] for control in data(found)["controls"]]
    wanted = {"dataset", "epsilon", "delta", "clip_norm", "sample_rate", "epochs", "init_share"}
    wanted |= {"learning_rate", "prototypes_per_class", "recipe", "seed", "progress"}
    assert wanted <= set(names)


def test_a_good_link_is_followed():
    found = app("relevance", depth="check", epsilon="2.5", dataset="iris", seed="4")
    assert not found.warning
    values = data(found)["values"]
    assert (values["epsilon"], values["dataset"], values["seed"]) == (2.5, "iris", 4)


def test_the_papers_recipe_says_what_it_really_costs():
    found = app("relevance", depth="check", recipe="paper", epsilon="10")
    assert any("does not hold here" in item.value for item in found.error)
    labels = [readout["label"] for readout in data(found)["readouts"]]
    assert "ε it really costs" in labels


@pytest.mark.parametrize("dataset", ["moons", "spirals", "iris", "wine", "breast_cancer", "digits"])
def test_every_embedded_data_set_is_drawn(dataset):
    found = app("relevance", depth="check", dataset=dataset)
    assert not found.exception
    panels = [panel["key"] for panel in data(found)["panels"]]
    assert ("private_pictures" in panels) == (dataset == "digits")
    assert {"private", "curve", "norms", "worlds", "separability"} <= set(panels)


def test_the_papers_table_stands_beside_ours():
    text = " ".join(
        item.value for item in opened(app("relevance", depth="check"), TABLE_1).markdown
    )
    assert "Segment GLVQ | 0.75 | 0.4793 (0.0779)" in text
    assert "costs more than it claims from ε = 7" in text
