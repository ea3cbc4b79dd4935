"""On a phone the figure is there before Streamlit: it moves, its page takes it over, nothing jumps or is lost."""

import re
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.browser.journey import PATIENCE, live_figure, painted, picture, slider, until
from tests.browser.serving import started
from tests.browser.test_all_readers import FINDINGS

pytestmark = pytest.mark.browser
ROOT = Path(__file__).resolve().parents[2]
NAME, EPSILON, PANEL = "mechanisms", "ε, privacy parameter", "worlds"
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
WHOLE = "() => !document.getElementById('dp-early') && document.querySelector('#root .dp-figure.dp-ready')"
# Where the figure is in every frame, and whether it is early.
TOPS = """(() => {
  window.__tops = [];
  const look = () => {
    const figure = document.querySelector(".dp-figure.dp-ready");
    const early = Boolean(document.getElementById("dp-early"));
    const count = document.querySelectorAll(".dp-figure").length;
    if (figure) window.__tops.push([early, figure.getBoundingClientRect().top, count]);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()"""


@pytest.fixture(scope="module")
def ahead():
    """An app that draws its pages before anybody comes."""
    with started(ROOT / "app.py", environment={"DPCORE_AHEAD": "1"}) as (address, _):
        end = time.monotonic() + PATIENCE / 1000
        while b'id="dp-early"' not in served(f"{address}/{NAME}"):
            assert time.monotonic() < end, "the page is not drawn ahead"
            time.sleep(0.5)
        yield address


def served(url):
    request = urllib.request.Request(url, headers={"Accept": "text/html"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.read()


@contextmanager
def phone(browser, *, lost="nothing", **more):
    """A page on a phone that keeps to the policy; what it complains of, but what is ``lost``, fails the test."""
    with browser.new_context(**{**PHONE, "reduced_motion": "reduce", **more}) as context:
        context.set_default_timeout(PATIENCE)
        context.add_init_script(TOPS)
        page, said = context.new_page(), []
        page.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        yield page
        assert [line for line in said if lost not in line] == []


def held_back(page, name="index"):
    """Hold a script of Streamlit back; returns what lets it come."""
    held, holding = [], [True]

    def hold(route):
        if holding:
            held.append(route)
        else:
            route.continue_()

    page.route(re.compile(rf"/static/js/{name}\.[^/]*\.js"), hold)

    def release():
        holding.clear()
        for route in held:
            route.continue_()

    return release


def arrived(page, url):
    page.goto(url, wait_until="commit")
    page.wait_for_selector("#dp-early .dp-figure.dp-ready")
    painted(page)


def known(page, expression):
    until(page, f"() => {{ const figure = window.__dpLive['{NAME}']; return {expression}; }}")


def value(page):
    return live_figure(page, "figure.values.epsilon", name=NAME)


def test_a_handle_moves_before_streamlit_runs_and_its_page_has_the_value(browser, ahead):
    with phone(browser) as page:
        release = held_back(page)
        release_choice = held_back(page, "ButtonGroup")
        arrived(page, f"{ahead}/{NAME}")
        assert page.evaluate("document.getElementById('root').childElementCount") == 0
        assert page.title().startswith("Mechanisms")
        before, drawn = value(page), picture(page, PANEL)
        slider(page, EPSILON).press("ArrowLeft")
        page.wait_for_timeout(1000)  # longer than a key rests, and than an answer may take
        moved = value(page)
        assert moved < before
        assert picture(page, PANEL) != drawn
        assert page.evaluate("getComputedStyle(document.querySelector('.dp-plot')).opacity") == "1"
        release()
        until(page, WHOLE)
        release_choice()  # on a slow line the choice of a depth comes after the figure
        page.wait_for_selector(".st-key-depth [data-testid=stButtonGroup]")
        painted(page)
        known(page, f"figure.answered.epsilon === {moved} && !figure.stats.waiting")
        assert value(page) == moved
        assert slider(page, EPSILON).evaluate("(handle) => handle === document.activeElement")
        until(page, "() => location.search.includes('epsilon=')")
        tops = page.evaluate("window.__tops")
        assert {count for *_, count in tops} == {1}, "one figure in every frame"
        last = [top for early, top, _ in tops if early][-1]
        jumps = [top - last for early, top, _ in tops if not early and abs(top - last) > 1]
        assert jumps == [], "nothing jumps"
        slider(page, EPSILON).press("ArrowLeft")
        known(page, f"figure.answered.epsilon < {moved}")


def test_a_handle_that_is_held_is_not_taken_out_of_the_hand(browser, ahead):
    with phone(browser, is_mobile=False, has_touch=False) as page:
        release = held_back(page)
        arrived(page, f"{ahead}/{NAME}")
        box = slider(page, EPSILON).bounding_box()
        middle = box["y"] + box["height"] / 2
        page.mouse.move(box["x"] + box["width"] * 0.5, middle)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * 0.3, middle, steps=3)
        release()
        until(page, "() => document.querySelector('[data-testid=stApp] .dp-title')")
        page.wait_for_timeout(3000)
        assert page.locator("#dp-early").count() == 1
        page.mouse.move(box["x"] + box["width"] * 0.2, middle, steps=3)
        painted(page)
        moved = value(page)
        page.mouse.up()
        until(page, WHOLE)
        known(page, f"figure.answered.epsilon === {moved}")


def test_nobody_is_shut_out_of_it_and_its_ground_stays(browser, ahead, axe):
    with phone(browser, color_scheme="dark", bypass_csp=True) as page:
        page.add_init_script(axe)
        release = held_back(page)
        arrived(page, f"{ahead}/{NAME}")
        page.wait_for_timeout(500)
        assert page.evaluate(FINDINGS) == []
        ground = "getComputedStyle(document.querySelector({})).backgroundColor"
        early = page.evaluate(ground.format("'#dp-early'"))
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        release()
        until(page, WHOLE)
        assert page.evaluate(ground.format("'[data-testid=stApp]'")) == early


def test_the_state_of_a_link_is_shown_or_nothing(browser, ahead):
    with phone(browser) as page:
        arrived(page, f"{ahead}/{NAME}?epsilon=0.5")
        assert value(page) == 0.5
        until(page, WHOLE)
        assert value(page) == 0.5
        page.goto(f"{ahead}/{NAME}?group=2", wait_until="commit")
        page.wait_for_selector(".dp-figure.dp-ready")
        assert not any(early for early, *_ in page.evaluate("window.__tops"))
        assert live_figure(page, "figure.values.group", name=NAME) == 2


def test_it_is_there_once_a_visit_and_only_on_small_screens(browser, ahead):
    never = "() => !window.__tops.some(([early]) => early)"
    with phone(browser) as page:
        arrived(page, f"{ahead}/{NAME}")
        until(page, WHOLE)
        page.goto(f"{ahead}/formulas")
        page.wait_for_selector("h1")
        page.go_back()
        page.wait_for_selector("#root .dp-figure.dp-ready")
        assert page.locator("#dp-early").count() == 0
    saving = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"
    for sizes, script in (({}, saving), ({"viewport": {"width": 1440, "height": 900}}, "")):
        with phone(browser, **sizes) as page:
            page.add_init_script(script)
            page.goto(f"{ahead}/{NAME}", wait_until="commit")
            page.wait_for_selector("#root .dp-figure.dp-ready")
            assert page.evaluate(never)


def test_a_page_that_has_lost_its_message_waits_for_streamlit(browser, ahead):
    with phone(browser, lost="404") as page:
        page.route("**/early/**", lambda route: route.fulfill(status=404))
        page.goto(f"{ahead}/{NAME}", wait_until="commit")
        page.wait_for_selector("#root .dp-figure.dp-ready")
        assert page.locator("#dp-early").count() == 0
        slider(page, EPSILON).press("ArrowLeft")
        known(page, "figure.answered.epsilon < 1")
