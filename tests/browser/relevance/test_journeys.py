"""Journeys through the relevance page in a real browser."""

import json
from functools import partial

import numpy as np
import pytest

from tests.browser import journey
from tests.browser.journey import answered, grab, heard, listening, painted, picture, slider

pytestmark = pytest.mark.browser
NAME = "relevance"
live_figure, settled = (partial(act, name=NAME) for act in (journey.live_figure, journey.settled))


def opened(page, address, query=""):
    journey.opened(page, address, f"{NAME}{query}")


EPSILON = "ε, privacy parameter"


def test_from_a_bad_link_over_handles_zoom_and_buttons_back_to_the_start(page, address):
    opened(page, address, "?epsilon=abc&epochs=10")
    page.get_by_text("to “abc”. It can be ").wait_for()
    _epsilon_moves_before_release(page)
    _zoom_survives(page)
    _server_control_moves_while_dragged(page)
    _buttons(page)
    _key_before_the_answer(page)


def _epsilon_moves_before_release(page):
    before, mounts = picture(page, "private"), live_figure(page, "figure.stats.mounts")
    listening(page, name=NAME)
    grab(page, EPSILON, 0.5)
    page.mouse.down()
    box = grab(page, EPSILON, 0.2)
    page.wait_for_timeout(200)
    assert picture(page, "private") != before
    assert heard(page) == set(), "the server was told before the handle was let go"
    page.mouse.move(box["x"] + box["width"] * 0.1, box["y"] + 5)
    page.mouse.up()
    settled(page)
    epsilon = live_figure(page, "figure.values.epsilon")
    assert epsilon < 0.2
    assert f"epsilon={epsilon:g}" in page.url
    assert live_figure(page, "figure.stats.mounts") == mounts
    page.get_by_text(f"ε = {epsilon:g}, δ = 10⁻⁵").first.wait_for()


def _zoom_survives(page):
    page.locator("[data-panel='private'] .dp-plot").scroll_into_view_if_needed()
    box = page.locator("[data-panel='private'] .dp-plot").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.4)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.7, box["y"] + box["height"] * 0.7, steps=5)
    page.mouse.up()
    page.wait_for_timeout(400)
    ask = "window.__dpLive.relevance.view('{}').x"
    zoomed = page.evaluate(ask.format("private"))
    assert zoomed[1] - zoomed[0] < 1.5
    assert page.evaluate(ask.format("plain")) == pytest.approx(zoomed), "linked panels follow"
    for name in (EPSILON, "C, cap"):
        slider(page, name).focus()
        page.keyboard.press("ArrowLeft")
        settled(page)
    assert page.evaluate(ask.format("private")) == pytest.approx(zoomed)


def _server_control_moves_while_dragged(page):
    before = live_figure(page, "figure.slice('proto')")
    grab(page, "C, cap", 0.5)
    page.mouse.down()
    grab(page, "C, cap", 0.1)
    text = json.dumps(before, separators=(",", ":"))
    page.wait_for_function(f"JSON.stringify(window.__dpLive['{NAME}'].slice('proto')) !== '{text}'")
    page.mouse.up()
    settled(page)
    assert "clip_norm=" in page.url
    assert len(live_figure(page, "figure.shape('proto')")) == 4


def _buttons(page):
    """Redraw, pin, take the paper's settings, and go back."""
    first = live_figure(page, "figure.slice('proto')")
    page.get_by_role("button", name="Redraw noise").click()
    settled(page)
    assert "seed=1" in page.url
    assert live_figure(page, "figure.slice('proto')") != first
    page.get_by_role("button", name="Pin", exact=True).click()
    painted(page)
    assert page.locator(".dp-pinned").inner_text().startswith("B, pinned")
    pinned = page.locator(".dp-tile .dp-b").all_inner_texts()
    page.get_by_role("button", name="The 2018 paper's settings").click()
    settled(page)
    page.locator("dt", has_text="it really costs").wait_for()
    assert set(page.locator(".dp-tile .dp-b").all_inner_texts()) <= {*pinned, ""}
    assert live_figure(page, "figure.pinned('private')")
    page.get_by_role("button", name="Reset", exact=True).click()
    settled(page)
    assert live_figure(page, "figure.values.recipe") == "tight"
    assert not page.locator(".dp-pinned").is_visible()


def _key_before_the_answer(page):
    """Press a key before a button is answered: both stay."""
    epsilon = live_figure(page, "figure.values.epsilon")
    button = page.get_by_role("button", name="The 2018 paper's settings").element_handle()
    # In one breath: an answer can take less time than the way from here to the page.
    assert slider(page, EPSILON).evaluate(
        "(h, button) => { button.click(); h.stepUp();"
        " ['input', 'change'].forEach((kind) => h.dispatchEvent(new Event(kind)));"
        " return window.__dpLive.relevance.stats.waiting; }",
        button,
    )
    settled(page)
    assert live_figure(page, "figure.values.recipe") == "paper"
    assert live_figure(page, "figure.values.epsilon") > epsilon
    assert "recipe=paper" in page.url
    assert f"epsilon={live_figure(page, 'figure.values.epsilon'):g}" in page.url


def test_the_browser_draws_what_python_evaluates_and_the_link_restores_it(page, address):
    from dpcore.experiments.relevance import RelevanceParams, named_problem, run_sweep

    query = "?dataset=spirals&prototypes_per_class=2&epsilon=0.75&seed=5&epochs=10"
    opened(page, address, query)
    params = RelevanceParams(
        dataset="spirals", prototypes_per_class=2, epsilon=0.75, seed=5, epochs=10
    )
    model = run_sweep(named_problem(params.dataset, params.prototypes_per_class), params).at(0.75)
    drawn = np.array(live_figure(page, "figure.slice('proto')")).reshape(-1, 3)
    np.testing.assert_allclose(drawn[:, :2], model.prototypes, atol=1e-4)
    assert live_figure(page, "figure.slice('accuracy')")[0] == pytest.approx(
        model.accuracy, abs=1e-5
    )
    slider(page, EPSILON).focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    settled(page)
    slices = {
        name: live_figure(page, f"figure.slice('{name}')")
        for name in ("proto", "accuracy", "sigma")
    }
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, address, page.url.split("/relevance")[1])
    for name, values in slices.items():
        assert live_figure(page, f"figure.slice('{name}')") == values, name
    _wide_table_moves_alone(page)


def test_digits_are_pictures_and_the_training_plays(page, address):
    # While the other outcomes are still drawn: the trained prototypes are there with the first message.
    journey.opened(page, address, f"{NAME}?dataset=digits&epsilon=5&epochs=20", idle=False)
    assert page.locator("[data-panel='private_pictures'] canvas").count() == 1
    assert live_figure(page, "figure.slice('accuracy')")[0] > 0.8
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(f"window.__dpLive['{NAME}'].values.progress > 3")
    page.get_by_role("button", name="Pause").click()


def test_own_csv_from_upload_to_picture(page, address):
    opened(page, address, "?epochs=10")
    assert page.get_by_text("Your own table").count() == 0
    page.get_by_role("combobox", name="data set").select_option(label="Your own CSV")
    rows = "\n".join(f"{i % 10},{(i * 7) % 13},{'ab'[i % 2]}" for i in range(60))
    answered(page, "own.csv", f"x,y,kind\n{rows}".encode(), predicts="kind")
    assert page.locator(".dp-figure canvas").first.is_visible()  # the figure has stayed
    page.get_by_role("button", name="Use this table").click()
    page.get_by_text("60 rows.").wait_for()
    page.wait_for_function(f"window.__dpLive['{NAME}'].values.dataset === 'own'")
    settled(page)
    page.get_by_text("proof: none").wait_for()


def _wide_table_moves_alone(page):
    """Scroll a table on a phone: it moves alone, and tells that there is more of it."""
    page.locator("summary", has_text="Table 1 of").click()
    table = page.locator("[data-testid=stExpander] table").first
    table.wait_for()
    fades = "table => getComputedStyle(table).getPropertyValue('--dp-more').trim()"
    assert table.evaluate("table => table.scrollWidth > table.clientWidth")
    assert table.evaluate(fades) == "3rem"
    page.wait_for_function("table => table.tabIndex === 0", arg=table.element_handle())
    table.evaluate("table => table.scrollTo(table.scrollWidth, 0)")
    page.wait_for_function(f"table => ({fades})(table) === '0px'", arg=table.element_handle())
    beside = (
        "table => { const box = table.parentElement; return box.scrollWidth - box.clientWidth; }"
    )
    assert table.evaluate(beside) <= 1  # the text around it stays
