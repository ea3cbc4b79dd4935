"""Journeys through Formulas: a vote before the answer, a struck term, a number that follows the handle."""

import pytest

from tests.browser.journey import PATIENCE, live_figure, opened, slider

LINE = """() => {
  const [line] = document.querySelectorAll('[class*="st-key-printed"] .katex svg line');
  const box = line.ownerSVGElement.getBoundingClientRect();
  const formula = line.closest('.katex');
  const size = parseFloat(getComputedStyle(formula).fontSize);
  const green = [...formula.querySelectorAll('.katex-html [style*="#1a9257"], .katex-html [style*="(26, 145, 87)"]')];
  const quote = document.querySelector('[class*="st-key-formula"] blockquote').getBoundingClientRect();
  return {
    colour: getComputedStyle(line).stroke, width: box.width, bottom: box.bottom, size,
    green: Math.min(...green.map((one) => one.getBoundingClientRect().left)),
    right: box.right, quote: quote.top, screen: innerHeight,
  };
}"""
"""The line through a term, its correction, and the quotation below."""


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_a_struck_term_its_correction_and_its_quote_stand_on_the_first_screen(page, address, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    opened(page, address, "formulas?document=0&verdict=wrong")
    page.wait_for_selector(
        '[class*="st-key-printed"] .katex svg line', state="attached", timeout=PATIENCE
    )
    seen = page.evaluate(LINE)
    assert seen["colour"] == "rgb(210, 64, 44)"
    assert seen["size"] >= 20
    assert seen["width"] >= 3 * seen["size"]
    assert seen["green"] >= seen["right"] - seen["size"] or size[0] < 760  # a phone breaks the line
    assert seen["bottom"] < seen["quote"] < seen["screen"]
    start = live_figure(page, "figure.slice('right')[0]", name="formula_0_9")
    slider(page, "ε₂, claimed ε of the gradients").press("ArrowLeft")
    page.wait_for_function(
        "(start) => window.__dpLive['formula_0_9'].slice('right')[0] < start",
        arg=start,
        timeout=PATIENCE,
    )


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_a_formula_is_struck_after_the_vote_on_the_first_screen(page, address, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{address}/formulas?formula=3.26")
    wrong = page.locator(".st-key-vote-wrong button")
    wrong.wait_for(timeout=PATIENCE)
    page.wait_for_selector('[class*="st-key-printed"] .katex', timeout=PATIENCE)
    assert page.locator('[class*="st-key-printed"] .katex svg line').count() == 0
    assert page.locator(".dp-figure").count() == 0
    assert wrong.bounding_box()["y"] + wrong.bounding_box()["height"] < size[1]
    wrong.click()
    page.wait_for_selector(".dp-figure.dp-ready", timeout=PATIENCE)
    page.wait_for_selector(
        '[class*="st-key-printed"] .katex svg line', state="attached", timeout=PATIENCE
    )
    assert page.locator(".st-key-told").inner_text() == "Yes: as printed, the formula is wrong."
    assert page.locator(".dp-marks .dp-hit").count() == 1
    page.reload()
    wrong.wait_for(timeout=PATIENCE)  # a new session has no votes, and the link names the formula
    assert "Exponential mechanism" in page.locator(".st-key-ask h2").inner_text()
