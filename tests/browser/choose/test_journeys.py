"""Journeys through the page Choose ε in a real browser: a table comes in, a memo goes out."""

import re
from pathlib import Path

from tests.browser.journey import (
    PATIENCE,
    given,
    known,
    let_go,
    live_figure,
    opened,
    picked,
    rested,
)
from tests.browser.test_one_epsilon import card, sentence

NAME = "choose"


def table():
    """600 people, 150 of them of a village where the rule is the other way round."""
    rows = []
    for i in range(600):
        village, x = i % 4 == 0, (i * 37) % 101
        kind = "ill" if (x > 50) != village else "well"
        rows.append(f"{x},{(i * 13) % 50},{'hill' if village else 'town'},{kind}")
    return ("age,dose,place,state\n" + "\n".join(rows)).encode()


def pressed(page, name):
    button = page.get_by_role("button", name=name, exact=True)
    button.wait_for(timeout=PATIENCE)
    button.click(timeout=PATIENCE)


def taken(page, folder, epsilon):
    """The memo of an ε, once it can be had."""
    name = f"Memo for ε = {epsilon} (HTML"
    page.wait_for_function(
        "(name) => [...document.querySelectorAll('button')]"
        ".some((b) => b.innerText.includes(name) && !b.disabled)",
        arg=name, timeout=PATIENCE,
    )  # fmt: skip
    with page.expect_download(timeout=PATIENCE) as found:
        page.get_by_role("button", name=name).click()
    path = Path(folder) / "memo.html"
    found.value.save_as(path)
    return path.read_text("utf-8")


def test_a_kept_choice_and_its_memo_come_back_by_the_link(page, address, tmp_path):
    opened(page, address, f"{NAME}?dataset=iris&epsilon=2&depth=look")
    pressed(page, "Pin for the memo")
    page.wait_for_function("location.search.includes('pinned=2')", timeout=PATIENCE)
    page.get_by_role("slider", name="ε, privacy parameter", exact=True).press("ArrowRight")
    page.wait_for_function("location.search.includes('epsilon=2.2')", timeout=PATIENCE)
    text = taken(page, tmp_path, "2.2")
    assert "Choice A: ε = 2.2" in text
    assert "Choice B: ε = 2," in text
    assert card(page) == "2.2"
    assert sentence(text) == sentence(page.locator(".dp-odds p").first.text_content())
    link = re.search(r'<a href="([^"]+)"', text)[1].replace("&amp;", "&")
    assert link.startswith(address)
    cost = live_figure(page, "figure.slice('middle')", name=NAME)
    page.goto(link)
    page.wait_for_selector(".dp-figure.dp-ready", timeout=PATIENCE)
    known(page, "figure.values.epsilon === 2.2", name=NAME)
    rested(page)
    # Numbers, not pixels: labels of curves keep their places while a handle moves.
    assert live_figure(page, "figure.slice('middle')", name=NAME) == cost
    assert "pinned=2" in page.url
    let_go(page, "ε, privacy parameter", "cost", "epsilon", of=NAME)


def test_a_table_with_a_small_group_comes_in_and_the_memo_goes_out(page, address, tmp_path):
    opened(page, address, f"{NAME}?dataset=own&epsilon=5&depth=understand", idle=False)
    given(page, "own.csv", table())
    picked(page, "Column with the class", "state")
    picked(page, "Compare the groups", "place")
    pressed(page, "Go on to step 2")
    page.get_by_text("They are the same for all columns").click(timeout=PATIENCE)
    bounds = page.get_by_label("Lowest and highest value of all columns")
    bounds.fill("0, 100", timeout=PATIENCE)
    bounds.press("Enter")
    for fact in ("Everybody may know which classes", "Everybody may know how many rows"):
        page.get_by_text(fact).click(timeout=PATIENCE)
    pressed(page, "Go on to step 3")
    pressed(page, "Use this table")
    known(page, "figure.values.dataset === 'own'", name=NAME)
    known(page, "Number.isFinite(figure.slice('worst_now')[0])", name=NAME)
    rested(page)
    worst, all_ = (
        live_figure(page, f"figure.slice('{name}')[0]", name=NAME)
        for name in ("worst_now", "everybody_now")
    )
    assert worst > all_ + 200  # of 1,000: what is learned is right for the town alone
    text = taken(page, tmp_path, "5")
    assert re.search(r"worst-off group \(place hill, \d+ in the test\)", text)
    assert "best one on 3 made-up tables" in text
    assert "Uploaded table" in text
    assert "epsilon=5" in text


def test_a_table_with_a_number_to_predict_comes_in_and_the_memo_goes_out(page, address, tmp_path):
    opened(page, address, f"{NAME}?dataset=own&epsilon=5&depth=look", idle=False)
    rows = "\n".join(f"{(7 * k) % 50},{k % 9},{(7 * k) % 50 + 3}" for k in range(80))
    given(page, "own.csv", f"age,visits,score\n{rows}".encode())
    picked(page, "to predict", "score")
    page.get_by_text("A number: the closer, the better").click(timeout=PATIENCE)
    pressed(page, "Go on to step 2")
    page.get_by_text("I give them for each column").click(timeout=PATIENCE)
    for name, text in {"age": "0, 60", "visits": "0, 10", "score": "0, 60"}.items():
        page.get_by_label(name, exact=True).fill(text, timeout=PATIENCE)
        page.keyboard.press("Tab")
    page.get_by_text("Everybody may know how many rows").click()
    pressed(page, "Go on to step 3")
    pressed(page, "Use this table")
    known(page, "figure.values.dataset === 'own'", name=NAME)
    known(page, "figure.slice('error_now')[0] < figure.slice('trivial')[0]", name=NAME)
    text = taken(page, tmp_path, "5")
    assert "Which ε for learning score from" in text
    assert "a prediction is off by" in text
    assert "Uploaded table" in text
