"""Every page for all readers: nothing that axe-core finds, in both themes, on a screen and on a phone.

The pages keep to their own policy meanwhile, which forbids to wait for a text that is evaluated: `until` asks again.
"""

import json
import os
from contextlib import contextmanager
from itertools import pairwise, product

import pytest

from pages import specs
from tests.browser.journey import PATIENCE, READY, RESTED, SHORT, painted, until
from ui.frame.page_spec import PageSpec
from ui.live.depth import Depth

pytestmark = pytest.mark.browser
VIEWS = tuple(product(("light", "dark"), ((1440, 900), (390, 844))))
PAIRS = (VIEWS[0::3], VIEWS[1:3])
"""Pairs of views that differ in theme and in size."""
EVERY_VIEW = os.environ.get("DPCORE_FUZZ") == "full"
FINDINGS = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.map(({ id, nodes }) =>
    [id, nodes.map((node) => `${node.target.join(" ")}: ${node.html.slice(0, 160)} ${node.failureSummary}`)]);
}"""
# Streamlit fades what is about to be written anew.
STILL = "() => !document.querySelector('[data-stale=true], [data-test-script-state=running]')"
DARK = """(dark) => [...document.querySelectorAll(".dp-figure.dp-ready")]
  .every((figure) => figure.classList.contains("dp-dark") === dark)"""
BESIDE = """() => [document.documentElement, document.querySelector('[data-testid="stMain"]')]
  .map((part) => part.scrollWidth - part.clientWidth)"""

STOP = """() => {
  const at = document.activeElement;
  const control = at.closest(".dp-side .dp-control");
  if (!control) return null;
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  const name = at.ariaLabel ?? at.labels[0]?.textContent ?? at.textContent; // a button says itself
  const idle = control.querySelector(":disabled") !== null; // of such a control only the words are reached
  const scrolled = document.querySelector('[data-testid="stMain"]').scrollTop;
  return [name, idle, control.getBoundingClientRect().top + scrolled, outlineStyle, parseFloat(outlineWidth)];
}"""


def addresses():
    """Every page by the name that the list of pages gives, with its visits: a link and the views it is seen in.

    A page with depths is opened at its first one, and its last one is chosen there: each is seen in one of the four
    views, in opposite ones; a page without depths is seen in two. The views change from page to page.
    ``DPCORE_FUZZ=full`` (``make audit``) takes all.
    """
    for place, spec in enumerate(specs()):
        name = spec.key if place else ""  # the start has no name of its own
        views = PAIRS[place % 2][:: 1 if place % 4 < 2 else -1]
        if isinstance(spec, PageSpec):
            short = "&" + SHORT[name] if name in SHORT else ""
            first, second = (VIEWS, VIEWS) if EVERY_VIEW else (views[:1], views[1:])
            yield f"{name}?depth={Depth.LOOK.in_link}{short}", first, second
        else:
            yield name, VIEWS if EVERY_VIEW else views, ()
    yield "?words=open", VIEWS if EVERY_VIEW else PAIRS[1], ()


@contextmanager
def opened_context(browser, axe, theme, **more):
    known = {"viewport": {"width": 1440, "height": 900}, "bypass_csp": True, **more}
    with browser.new_context(color_scheme=theme, reduced_motion="reduce", **known) as context:
        context.add_init_script(script=axe)
        context.set_default_timeout(PATIENCE)
        yield context


@pytest.fixture(scope="module")
def themed(browser, axe):
    with opened_context(browser, axe, "dark") as context:
        yield context


@pytest.fixture(scope="module")
def both_themes(browser, axe):
    """A context whose pages keep to their policy, and turn dark while they are open, as they do at nightfall."""
    with opened_context(browser, axe, "light", bypass_csp=False) as context:
        yield context


def settled_findings(page, tries=20):
    """What axe-core finds and goes on finding: what Streamlit lacks is added a moment after it came."""
    for _ in range(tries):
        found = page.evaluate(FINDINGS)
        if not found:
            break
        page.wait_for_timeout(1000)
    return found


VISITS = list(addresses())


@pytest.mark.parametrize(
    ("path", "first", "then"), VISITS, ids=[path or "start" for path, *_ in VISITS]
)
def test_nobody_is_shut_out_and_the_page_keeps_to_its_policy(
    both_themes, address, path, first, then
):
    page, said, wanted = both_themes.new_page(), [], []
    page.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: wanted.append(request.url))
    page.goto(f"{address}/{path}")
    page.wait_for_selector(READY)
    _seen_by_all(page, first)
    if then:
        depths = page.locator(".st-key-depth [data-testid=stButtonGroup]")
        depths.get_by_text(Depth.CHECK.words, exact=True).click()
        until(page, "() => location.search.includes('depth=check')")
        _seen_by_all(page, then)
    page.close()
    assert said == []
    inside = (address, address.replace("http", "ws", 1), "blob:", "data:")
    assert [url for url in wanted if not url.startswith(inside)] == []


def _seen_by_all(page, views):
    for theme, (width, height) in views:
        page.emulate_media(color_scheme=theme)
        page.set_viewport_size({"width": width, "height": height})
        until(page, DARK, theme == "dark")
        page.wait_for_timeout(600)  # the menu moves to where there is room
        until(page, RESTED)
        until(page, STILL)
        painted(page)
        found = settled_findings(page)
        assert found == [], f"{theme}, {width} pixels: {json.dumps(found, indent=1)}"
        assert page.locator("h1").count() == 1
        assert page.evaluate(BESIDE) == [0, 0], f"{theme}, {width} pixels: something sticks out"


def test_axe_finds_what_is_wrong(themed, address):
    page = themed.new_page()
    page.goto(f"{address}/{specs()[1].key}")
    page.wait_for_selector("h1")
    page.evaluate(
        "document.querySelector('h1').insertAdjacentHTML('afterend', '<h4>x</h4><button></button>')"
    )
    assert {"button-name", "heading-order"} <= {rule for rule, _ in page.evaluate(FINDINGS)}
    page.close()


def test_keys_reach_every_control_then_its_question_mark_and_the_focus_is_seen(themed, address):
    name = next(spec.key for spec in specs() if isinstance(spec, PageSpec))
    page = themed.new_page()
    page.goto(f"{address}/{name}?depth=check")
    page.wait_for_selector(".dp-figure.dp-ready")
    page.wait_for_function(STILL)
    page.locator(".dp-controls input").first.focus()
    stops = [page.evaluate(STOP)]
    for _ in range(40):
        page.keyboard.press("Tab")
        stops.append(page.evaluate(STOP))
    page.close()
    stops = [stop for stop in stops if stop]
    asked = [
        (before, asks[8:-1])
        for (before, *_), (asks, idle, *_) in pairwise(stops)
        if asks.startswith("What is ") and not idle
    ]
    assert len(asked) > 3
    assert [label for before, label in asked if label not in before] == []
    # A question mark stands beside the name of its control, whose choices may fill the line below.
    tops = [top for text, _, top, *_ in stops if not text.startswith("What is ")]
    assert tops == sorted(tops)
    assert all(style == "solid" and wide >= 2 for *_, style, wide in stops)


def test_an_explained_word_leads_to_its_place_among_all_words(themed, address):
    page = themed.new_page()
    page.goto(f"{address}/{specs()[2].key}")
    page.wait_for_selector(".dp-figure.dp-ready")
    word = page.locator(".dp-opening .dp-term").first
    word.focus()
    link = page.locator(".dp-opening .dp-tip a").first
    link.wait_for(state="visible")
    with themed.expect_page() as opened:
        link.press("Enter")
    there = opened.value
    place = link.get_attribute("href").partition("#")[2]
    there.wait_for_function(
        f"(document.getElementById('{place}')?.getBoundingClientRect().top ?? -1) >= 0"
        f" && document.getElementById('{place}').getBoundingClientRect().top < innerHeight / 2"
    )
    there.close()
    page.close()
