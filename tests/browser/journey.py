"""What a reader does on a page of the app, and what there is to see: shared by all journeys."""

import os
import re
import time

from playwright.sync_api import TimeoutError as Late

FOLDED = ".dp-fold[aria-expanded=false]:not([hidden])"
# ms; background work steps back behind everything else on a busy machine
PATIENCE = int(os.environ.get("DPCORE_PATIENCE", "300")) * 1000

SHORT = {"network": "epochs=5&sample_rate=0.5"}
"""Links to pages whose opening takes long, with less of the same to compute."""


def painted(page):
    """Wait until what was asked for in the browser has been drawn."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


RESTED = "() => !document.querySelector('.dp-busy.dp-on')"
READY = ".dp-figure.dp-ready, .dp-mobile.dp-shown"  # Teach has its figure in a phone


def opened(page, address, path, *, idle=True):
    """Open a page with all of its controls, tabs and words, unless the path asks for a depth; unfold its groups."""
    if "depth=" not in path:
        path += ("&" if "?" in path else "?") + "depth=check"
    page.goto(f"{address}/{path}")
    page.wait_for_selector(".dp-figure.dp-ready", timeout=PATIENCE)
    if idle:
        rested(page)
    page.evaluate(f"document.querySelectorAll({FOLDED!r}).forEach((group) => group.click())")
    page.wait_for_timeout(400)


def until(page, expression, arg=None):
    """Wait for a condition of a page that keeps to its policy: it forbids to wait for a text that is evaluated."""
    end = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(expression, arg):
        assert time.monotonic() < end, expression
        page.wait_for_timeout(50)


def rested(page):
    """Wait until nothing runs behind the page."""
    page.wait_for_function(RESTED, timeout=PATIENCE)


def settled(page, *, name):
    """Wait until Python has answered what was let go, and nothing runs behind the page."""
    page.wait_for_timeout(400)  # keys are committed when they have been quiet for a moment
    page.wait_for_function(f"!window.__dpLive['{name}'].stats.waiting", timeout=PATIENCE)
    rested(page)
    page.wait_for_timeout(300)


def _of(name, expression):
    return f"(() => {{ const figure = window.__dpLive['{name}']; return {expression}; }})()"


def live_figure(page, expression, *, name):
    return page.evaluate(_of(name, expression))


def known(page, expression, *, name):
    """Wait until an expression is true; an array that has not come yet is no error."""
    late = "if (error.message.endsWith('is not here')) return false; throw error;"
    guarded = (
        f"(() => {{ try {{ return {_of(name, expression)}; }} catch (error) {{ {late} }} }})()"
    )
    page.wait_for_function(guarded, timeout=PATIENCE)


def listening(page, *, name):
    """Keep what is told from now on, by its phase: how often is up to the load, as what is late is sent again."""
    page.evaluate(
        f"() => {{ window.__phases = []; window.__dpLive['{name}'].listen((what, {{ phase }}) => {{"
        " if (what === 'sent') window.__phases.push(phase); }); }"
    )


def heard(page):
    """What Python has heard since `listening`, but for what a figure asks by itself."""
    return set(page.evaluate("window.__phases")) - {"look", "tick", "missing"}


def committed(page, *, name):
    """Wait until what was let go has been told and answered."""
    page.wait_for_function("window.__phases.includes('commit')", timeout=PATIENCE)
    page.wait_for_function(f"!window.__dpLive['{name}'].stats.waiting", timeout=PATIENCE)


def picture(page, panel):
    """Everything that is drawn in a panel, once what was asked for has been painted."""
    painted(page)
    return page.evaluate(
        f"[...document.querySelectorAll(\"[data-panel='{panel}'] canvas\")]"
        ".map((canvas) => canvas.toDataURL()).join()"
    )


def slider(page, name):
    return page.get_by_role("slider", name=name, exact=True)


def grab(page, name, share):
    """Move the mouse to a share of a slider's width; where the slider is."""
    box = slider(page, name).bounding_box()
    page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] / 2, steps=3)
    return box


def near(page, name):
    """Come near a handle, and wait until what it draws while it moves is there."""
    slider(page, name).scroll_into_view_if_needed()
    slider(page, name).hover()
    page.wait_for_timeout(700)  # Python is asked when the pointer has stayed for a moment
    unanswered = "Object.values(window.__dpLive).some((figure) => figure.stats.waiting)"
    page.wait_for_function(f"!({unanswered})", timeout=PATIENCE)
    rested(page)
    page.wait_for_timeout(500)


def held(page, name, share):
    """Take a handle and move it, without letting go."""
    slider(page, name).scroll_into_view_if_needed()
    grab(page, name, 0.5)
    page.mouse.down()
    grab(page, name, share)
    page.wait_for_timeout(300)


def given(page, name, content):
    """Give a file to the page's uploader, and see that it has arrived.

    A page may be drawn anew between its first picture and its last word: a file that is given right then can be
    lost, and is given again, as a person would.
    """
    file = {"name": name, "mimeType": "text/csv", "buffer": content}
    chip = page.get_by_test_id("stFileChip").filter(has_text=name)
    for _ in range(max(PATIENCE // 20_000, 1)):
        page.locator("input[type=file]").set_input_files(file, timeout=PATIENCE)
        try:
            return chip.first.wait_for(timeout=20_000)
        except Late:
            continue
    raise AssertionError(f"{name} has not arrived: {seen(page)}")


def seen(page):
    """What stands on a page, for the report of a failure."""
    return " ".join(page.locator("body").inner_text().split())[:3000]


def picked(page, label, option):
    """Choose in a box of Streamlit's: one that is written anew at this moment closes, and is opened again."""
    box = page.get_by_role("combobox", name=re.compile(label))
    wanted = page.get_by_role("option", name=option, exact=True)
    try:
        box.wait_for(timeout=PATIENCE)
    except Late:
        raise AssertionError(f"there is no box {label}: {seen(page)}") from None
    for _ in range(max(PATIENCE // 5000, 1)):
        box.click(timeout=PATIENCE)
        try:
            return wanted.click(timeout=5000)
        except Late:
            continue
    raise AssertionError(f"{label}: there is no {option}: {seen(page)}")


def asked(page, name, content, *, predicts):
    """Give a file of an own table and do the first step: what is predicted."""
    given(page, name, content)
    picked(page, "to predict", predicts)
    # A press is lost where the page is drawn anew at this moment: it is repeated, as a person would.
    go_on, then = (page.get_by_role("button", name=f"Go on to step {k}") for k in (2, 3))
    go_on.wait_for(timeout=PATIENCE)
    for _ in range(max(PATIENCE // 20_000, 1)):
        if go_on.is_visible():
            go_on.click(timeout=PATIENCE)
        try:
            return then.wait_for(timeout=20_000)
        except Late:
            continue
    raise AssertionError(f"step 2 has not come: {seen(page)}")


def answered(page, name, content, *, predicts):
    """Do all three steps of an own table without empty cells; declare nothing, and press no last button."""
    asked(page, name, content, predicts=predicts)
    page.get_by_text("Estimate them from the data").click(timeout=PATIENCE)
    page.get_by_role("button", name="Go on to step 3").click(timeout=PATIENCE)
    page.get_by_text("No cell that is used is empty").wait_for(timeout=PATIENCE)


def let_go(page, name, panel, parameter, *, of):
    """Drag a slider that moves in the browser: its picture moves before it is let go, its link after.

    Returns the value it was let go at.
    """
    before = picture(page, panel)
    listening(page, name=of)
    slider(page, name).scroll_into_view_if_needed()
    grab(page, name, 0.5)
    page.mouse.down()
    grab(page, name, 0.85)
    page.wait_for_timeout(250)
    assert picture(page, panel) != before, f"{name} does not move {panel}"
    assert heard(page) == set(), f"the server was told of {name} before it was let go"
    page.mouse.up()
    committed(page, name=of)
    value = live_figure(page, f"figure.values.{parameter}", name=of)
    page.wait_for_function(f"location.search.includes('{parameter}={value:g}')")
    return value


def dragged(page, address, key, *handles):
    """Drag sliders of the page that is open one after the other, and find the same pictures at the new link.

    A handle is its name, the panel that it moves and its parameter.
    """
    values = {parameter: let_go(page, *rest, parameter, of=key) for *rest, parameter in handles}
    panels = {panel for _, panel, _ in handles}
    drawn = {panel: picture(page, panel) for panel in panels}
    opened(page, address, page.url.split("/", 3)[3])
    for parameter, value in values.items():
        assert live_figure(page, f"figure.values.{parameter}", name=key) == value
    for panel in panels:
        assert picture(page, panel) == drawn[panel], f"the link draws another {panel}"
