"""One release has one ε: in the readout, on the card, taken along and embedded; the memo has its own journey."""

import html
import json
import re
from pathlib import Path

from tests.browser.journey import PATIENCE, opened

# Other pages and states: tests/pages/test_one_epsilon.py.
KEY, STATE = "descent", "noise_multiplier=2&sample_rate=0.05&n_steps=50&delta=1e-06"


def saved(page, name):
    button = page.get_by_role("button", name=name)
    button.wait_for(timeout=PATIENCE)
    with page.expect_download(timeout=PATIENCE) as caught:
        button.click()
    return Path(caught.value.path()).read_text("utf-8")


def card(page):
    """The ε of the card, as it is written."""
    head = page.get_by_role("heading", name=re.compile(r"^Guarantee:? .*ε = "))
    head.wait_for(timeout=PATIENCE)
    return re.search(r"ε = ([\d.,\u202f]+\d)", head.inner_text())[1]


def sentence(text):
    """What the result may let somebody believe: its bound belongs to this ε alone."""
    plain = " ".join(html.unescape(text).replace("*", "").split())
    return re.search(r"Suppose .*? 50 to 50 .*?\. .*?(?:sure|certain)\b", plain)[0]


def test_the_card_is_busy_while_a_handle_is_ahead_of_it(page, address):
    opened(page, address, "mechanisms?depth=look", idle=False)
    head = page.locator(".st-key-guarantee h2")
    page.wait_for_selector(".dp-values", state="attached", timeout=PATIENCE)
    before = head.inner_text()
    handle = page.locator(".dp-side input[type=range]").first.bounding_box()
    middle = handle["y"] + handle["height"] / 2
    page.mouse.move(handle["x"] + 0.5 * handle["width"], middle)
    page.mouse.down()
    page.mouse.move(handle["x"] + 0.9 * handle["width"], middle, steps=3)
    page.locator(".st-key-guarantee[aria-busy=true]").wait_for(timeout=PATIENCE)
    assert head.inner_text() == before
    page.mouse.up()
    page.locator(".st-key-guarantee:not([aria-busy])").wait_for(timeout=PATIENCE)
    assert head.inner_text() != before


def test_readout_card_report_notebook_and_embedded_figure_say_one_epsilon(page, address):
    opened(page, address, f"{KEY}?depth=understand&{STATE}", idle=False)
    shown = card(page)
    readouts = page.locator(".dp-readouts dd").all_inner_texts()
    assert any(re.search(rf"(?<![\d.]){re.escape(shown)}(?![\d.])", one) for one in readouts)
    under = sentence(page.locator(".dp-odds p").first.text_content())
    page.get_by_text("Download or share").click()
    report = html.unescape(saved(page, "Report (HTML)"))
    assert f"ε = {shown}, δ = " in report
    assert sentence(report) == under
    notebook = "".join(json.loads(saved(page, "Notebook"))["cells"][0]["source"])
    assert sentence(notebook) == under
    page.goto(f"{address}/embed/{KEY}?{STATE}")
    page.wait_for_selector(".dp-figure.dp-ready")
    assert sentence(page.locator(".dp-odds p").first.text_content()) == under
