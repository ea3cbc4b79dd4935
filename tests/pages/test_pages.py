"""Every page through AppTest: it runs, takes links and events, and answers bad ones in sentences."""

import json
import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages import PAGES, specs

ROOT = Path(__file__).resolve().parents[2]
CARDS = [spec.card for spec in specs() if spec.card]
RELEVANCE = "relevance/page.py"


def app(page=RELEVANCE, **link):
    found = AppTest.from_file(str(ROOT / "pages" / "main.py"), default_timeout=60).run()
    for name, value in link.items():
        found.query_params[name] = value
    return found.switch_page(page).run() if not link else visit(found, page, link)


def visit(found, page, link):
    found.switch_page(page)
    for name, value in link.items():
        found.query_params[name] = value
    return found.run()


CODE = "Code: the call that reproduces this figure"
ALONG = "Take it along: link, data, figure, report, notebook"
TABLE_1 = "The paper's Table 1 beside ours"


def opened(found, title):
    """Open a section under the figure: what stands in it is made only then."""
    found.session_state[f"open.{title}"] = True
    return found.run()


def until(found, known):
    """Ask again, as a browser does while something is computed, until ``known`` says so.

    It gives up late: what runs behind a page steps back behind everything else on a busy machine.
    """
    end = time.monotonic() + 300
    while not known() and time.monotonic() < end:
        time.sleep(0.2)
        found.run()
    return found


def data(found):
    (component,) = found.get("bidi_component")
    return json.loads(component.proto.json)


def tell(found, seq=1, phase="commit", action=None, **values):
    found.session_state["relevance"] = {
        "event": {"seq": seq, "phase": phase, "action": action, "values": values, "held": []}
    }
    return found.run()


@pytest.mark.parametrize("name", PAGES)
def test_every_page_runs_and_shows_a_live_figure(name):
    found = app(f"{name}/page.py")
    assert not found.exception
    assert len(found.get("bidi_component")) == (len(CARDS) if name == "home" else 1)


def test_the_page_has_its_grammar():
    found = app()
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


@pytest.mark.parametrize(
    ("name", "value"), [("epsilon", "-1"), ("epsilon", "abc"), ("dataset", "nope"), ("seed", "1.5")]
)
def test_a_bad_link_is_named_and_the_page_goes_on(name, value):
    found = app(**{name: value})
    assert not found.exception
    assert any(f"{name}={value} is not allowed" in item.value for item in found.warning)
    assert len(found.get("bidi_component")) == (len(CARDS) if name == "home" else 1)


def test_a_good_link_is_followed():
    found = app(epsilon="2.5", dataset="iris", seed="4")
    assert not found.warning
    values = data(found)["values"]
    assert (values["epsilon"], values["dataset"], values["seed"]) == (2.5, "iris", 4)


def test_own_data_that_was_not_given_is_said():
    found = app(dataset="own")
    assert not found.exception
    assert any("Give a CSV file" in item.value for item in found.warning)


def test_own_data_of_the_regression_that_was_not_given_is_said():
    found = app("regression/page.py", dataset="own")
    assert not found.exception
    assert any("Give a CSV file" in item.value for item in found.warning)
    assert data(found)["panels"]


def test_the_regression_page_has_its_grammar_and_answers_its_handles():
    found = app("regression/page.py")
    until(found, lambda: data(found)["panels"])  # its data are read behind
    assert not found.exception
    text = " ".join(element.value for element in found.markdown)
    for words in (
        "Guarantee",
        "What is protected",
        "Not protected",
        "The document prints",
        "50 to 50",
    ):
        assert words in text
    assert "regression.compare(part, params)" in opened(found, CODE).code[0].value
    tabs = {panel.get("tab", "") for panel in data(found)["panels"]}
    assert {"No minimum?", "All methods", "The split of ε", "Two worlds"} <= tabs
    for changes in ({"n_features": 5}, {"method": "descent"}, {"repair": "trim"}):
        page = found.session_state["params.regression"].but(**changes)
        found.session_state["params.regression"] = page
        found.run()
        assert not found.exception
        assert data(found)["panels"]


def test_a_data_set_that_is_not_to_be_had_is_said_once_and_stays_said(monkeypatch, tmp_path):
    from dpcore.datasets import DataError
    from dpcore.experiments import regression

    asked = []

    def refuse(name):
        if name != "acs":
            return found_problem(name)
        asked.append(name)
        raise DataError("The survey is not to be had: no local folder holds it.")

    found_problem = regression.named_problem
    monkeypatch.setattr(regression, "named_problem", refuse)
    found = app("regression/page.py", dataset="acs")
    until(found, lambda: found.warning)
    for _ in range(3):  # as while something is computed: the page asks again and again
        assert any("not to be had" in item.value for item in found.warning)
        assert data(found)["panels"]
        found.run()
    assert asked == ["acs"]


def test_delta_of_the_regression_is_drawn_ahead_where_it_matters():
    found = app("regression/page.py", method="gaussian", repair="floor1")
    lines = {"delta", "n_samples", "n_features"}
    until(found, lambda: lines <= set(data(found)["previews"]))
    previews = data(found)["previews"]
    assert "lines_y" in previews["delta"]
    assert data(found)["texts"][0]["dims"] == ["epsilon", "delta"]
    assert len(data(found)["texts"][0]["strings"]) == 50 * 6


def test_another_own_table_replaces_the_first_one():
    from dpcore.datasets import own_regression, read_csv

    found = app("regression/page.py")
    seen = []
    for name in ("weight", "price"):
        rows = "".join(f"{k},{len(name) * k}\n" for k in range(40))
        table = read_csv(f"age,{name}\n{rows}".encode())
        found.session_state["own_regression"] = own_regression(table, name, estimate_bounds=True)
        page = found.session_state["params.regression"].but(dataset="own")
        found.session_state["params.regression"] = page
        found.run()
        assert not found.exception
        assert data(found)["panels"][0]["y"]["title"] == name
        seen.append(sorted(array["id"] for array in data(found)["arrays"].values()))
    assert seen[0] != seen[1]
    assert any("proof: none" in item.value for item in found.markdown)


def test_epsilon_is_shared_by_all_pages_of_a_session():
    found = app(epsilon="5")
    assert found.session_state["params.shared"]["epsilon"] == 5.0


def test_the_papers_recipe_says_what_it_really_costs():
    found = app(recipe="paper", epsilon="10")
    assert any("does not hold here" in item.value for item in found.error)
    labels = [readout["label"] for readout in data(found)["readouts"]]
    assert "ε it really costs" in labels


@pytest.mark.parametrize("dataset", ["moons", "spirals", "iris", "wine", "breast_cancer", "digits"])
def test_every_embedded_data_set_is_drawn(dataset):
    found = app(dataset=dataset)
    assert not found.exception
    panels = [panel["key"] for panel in data(found)["panels"]]
    assert ("private_pictures" in panels) == (dataset == "digits")
    assert {"private", "curve", "norms", "worlds", "parting"} <= set(panels)


def test_affine_hulls_name_the_record_and_refuse_to_prove_the_papers_rule():
    found = app("kahm/page.py", epsilon="4", stop="paper", table="own")
    assert not found.exception
    assert any("Give a CSV file" in item.value for item in found.warning)
    assert any("gets the ε = 8 of this card" in item.value for item in found.info)
    text = " ".join(element.value for element in found.markdown)
    assert "proof: none" in text
    assert "Nothing is proved." in text
    assert "ε = **256**" in text


def test_affine_hulls_say_what_all_draws_of_the_page_cost_together():
    text = " ".join(element.value for element in app("kahm/page.py", epsilon="4").markdown)
    assert "Guarantee&ensp; ε = 8" in text
    assert "up to ε = **248**" in text  # 31 draws


def test_the_papers_table_stands_beside_ours():
    text = " ".join(item.value for item in opened(app(), TABLE_1).markdown)
    assert "Segment GLVQ | 0.75 | 0.4793 (0.0779)" in text
    assert "costs more than it claims from ε = 7" in text


@pytest.mark.parametrize("name", [spec.key for spec in specs() if spec.card])
def test_every_card_gives_two_verdicts_and_says_what_it_rests_on(name):
    found = app(f"{name}/page.py")
    if name == "regression":
        until(found, lambda: data(found)["panels"])
    assert not found.exception
    texts = [item.value for item in found.markdown]
    text = "\n".join(texts)
    assert "-badge[protection: " in text
    assert "Declared public by this page" in text
    assert "except with probability" not in text
    if name == "autoencoder":  # the paper's release has no guarantee that noise could keep
        assert "proof: none" in text
        return
    assert "proof: holds under an assumption" in text
    assert ("public seed" in text) == (name != "budget")  # which draws no noise
    assert "After seeing this result they can be" in text
    begin = next(k for k, value in enumerate(texts) if value.startswith("#### Guarantee"))
    card = "\n".join(texts[begin : begin + 9]).lower()
    for word in ("spy", "keeper", "pull"):
        assert word not in card
    draws = ("relevance", "matrix", "regression", "mechanisms", "descent", "kahm")
    assert ("Several results together" in text) == (name in draws)


def test_the_copy_without_seed_is_offered_on_the_page():
    found = opened(app(), ALONG)
    assert any("take it away" in item.value for item in found.caption)
    found.toggle(key="no_seed.relevance").set_value(True).run()
    assert not found.exception
    assert any("does not contain the seed" in item.value for item in found.caption)
