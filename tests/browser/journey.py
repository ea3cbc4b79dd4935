"""Actions of a reader on a page in Chromium, and what the page then shows, for all browser journeys.

``name`` is the name of an interactive figure in the page's scripts.
"""

import os
import re
import time

from playwright.sync_api import TimeoutError as Late

from pages import specs

FOLDED = ".dp-fold[aria-expanded=false]:not([hidden])"
# ms; background work steps back behind everything else on a busy machine
PATIENCE = int(os.environ.get("DPCORE_PATIENCE", "300")) * 1000

THUMB = 18.4  # pixels: 1.15rem in assets/live/live.css
SHORT = {"network": "epochs=5&sample_rate=0.5"}
"""Links that make slow pages compute less when they open, by page."""


def painted(page):
    """Wait until the browser has painted two more frames."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


RESTED = "() => !document.querySelector('.dp-busy.dp-on')"
READY = ".dp-figure.dp-ready, .dp-mobile.dp-shown, .st-key-ask"  # Teach has a phone, Formulas a question


def opened(page, address, path, *, idle=True):
    """Open a page and unfold its groups, at the deepest level of detail unless ``path`` sets another one."""
    if "depth=" not in path:
        path += ("&" if "?" in path else "?") + "depth=check"
    page.goto(f"{address}/{path}")
    page.wait_for_selector(".dp-figure.dp-ready", timeout=PATIENCE)
    if idle:
        rested(page)
    page.evaluate(f"document.querySelectorAll({FOLDED!r}).forEach((group) => group.click())")
    page.wait_for_timeout(400)


def until(page, expression, arg=None):
    """Wait until a JavaScript expression is true, and return its value.

    The policy of a page may forbid ``wait_for_function``, which evaluates text.
    """
    end = time.monotonic() + PATIENCE / 1000
    while not (value := page.evaluate(expression, arg)):
        assert time.monotonic() < end, expression
        page.wait_for_timeout(50)
    return value


def rested(page):
    """Wait until no computation of the page runs in the background."""
    page.wait_for_function(RESTED, timeout=PATIENCE)


def settled(page, *, name):
    """Wait until Python has answered the released slider, and no computation runs in the background."""
    page.wait_for_timeout(400)  # keys are committed when they have been quiet for a moment
    page.wait_for_function(f"!window.__dpLive['{name}'].stats.waiting", timeout=PATIENCE)
    rested(page)
    page.wait_for_timeout(300)


def _of(name, expression):
    """Return JavaScript for an expression of a figure; its value is false while an array that it reads is missing."""
    return (
        f"(() => {{ const figure = window.__dpLive['{name}']; try {{ return {expression}; }} catch (error) {{"
        " if (error.message.endsWith('is not here')) return false; throw error; } })()"
    )


def live_figure(page, expression, *, name):
    """Return the value of a JavaScript expression of a figure, when the arrays that it reads have arrived."""
    # One element, also where the expression has a comma; an array is true also where its element is false.
    (value,) = until(page, _of(name, f"[({expression})]"))
    return value


def known(page, expression, *, name):
    """Wait until a JavaScript expression of a figure is true; an array that has not arrived yet is no error."""
    page.wait_for_function(_of(name, expression), timeout=PATIENCE)


def listening(page, *, name):
    """Record the phases of the events that a figure sends from now on.

    Only which phases occur is certain. Their number depends on the machine's load, as late events are sent
    again.
    """
    page.evaluate(
        f"() => {{ window.__phases = []; window.__dpLive['{name}'].listen((what, {{ phase }}) => {{"
        " if (what === 'sent') window.__phases.push(phase); }); }"
    )


def heard(page):
    """Return the phases recorded since `listening`, except those of events that a figure sends by itself."""
    return set(page.evaluate("window.__phases")) - {"look", "tick", "missing"}


def committed(page, *, name):
    """Wait until a figure has sent the released value to Python and received the answer."""
    page.wait_for_function("window.__phases.includes('commit')", timeout=PATIENCE)
    page.wait_for_function(f"!window.__dpLive['{name}'].stats.waiting", timeout=PATIENCE)


def picture(page, panel):
    """Return the pixels of a panel's canvases as text, after the next paint."""
    painted(page)
    return page.evaluate(
        f"[...document.querySelectorAll(\"[data-panel='{panel}'] canvas\")]"
        ".map((canvas) => canvas.toDataURL()).join()"
    )


def slider(page, name):
    return page.get_by_role("slider", name=name, exact=True)


def grab(page, name, share):
    """Move the mouse to a fraction ``share`` of a slider's width; return the slider's box."""
    box = slider(page, name).bounding_box()
    page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] / 2, steps=3)
    return box


def grid_of(name, parameter):
    """Return the values of a page's parameter."""
    (params,) = (spec.params for spec in specs() if spec.key == name)
    return list(params.controls()[parameter].grid)


def at_value(page, name, grid, value):
    """Return the fraction of a slider's width at which its thumb has a value of its grid.

    The ends lie within the slider by half the thumb.
    """
    width = slider(page, name).bounding_box()["width"]
    share = grid.index(value) / (len(grid) - 1)
    return (THUMB / 2 + share * (width - THUMB)) / width


def near(page, name):
    """Move the mouse over a slider, and wait until the arrays that it draws while it moves have arrived."""
    slider(page, name).scroll_into_view_if_needed()
    slider(page, name).hover()
    page.wait_for_timeout(700)  # Python is asked when the pointer has stayed for a moment
    unanswered = "Object.values(window.__dpLive).some((figure) => figure.stats.waiting)"
    page.wait_for_function(f"!({unanswered})", timeout=PATIENCE)
    rested(page)
    page.wait_for_timeout(500)


def held(page, name, share):
    """Press the mouse on a slider and move it, without releasing it."""
    slider(page, name).scroll_into_view_if_needed()
    grab(page, name, 0.5)
    page.mouse.down()
    grab(page, name, share)
    page.wait_for_timeout(300)


def given(page, name, content):
    """Upload a file on the page, and check that it has arrived.

    A file can be lost if the page is drawn again at this moment. It is then uploaded again, as a person would
    do.
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
    """Return the text of a page, for the report of a failure."""
    return " ".join(page.locator("body").inner_text().split())[:3000]


def picked(page, label, option):
    """Choose an option in a select box of Streamlit; open the box again if a new run of the script closes it."""
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
    """Upload a user's own table, and choose the column to predict."""
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
    """Do the three steps for a user's own table without empty cells, except for pressing the last button.

    The values that can be declared are estimated from the data instead.
    """
    asked(page, name, content, predicts=predicts)
    page.get_by_text("Estimate them from the data").click(timeout=PATIENCE)
    page.get_by_role("button", name="Go on to step 3").click(timeout=PATIENCE)
    page.get_by_text("No cell that is used is empty").wait_for(timeout=PATIENCE)


def used(page, name, content, *, predicts):
    """Do the three steps for a user's own table and use it; wait until no computation runs in the background."""
    answered(page, name, content, predicts=predicts)
    page.get_by_role("button", name="Use this table").click()
    page.locator(".st-key-own_in_use").wait_for(timeout=PATIENCE)
    page.wait_for_timeout(2000)  # computations begin a moment later
    rested(page)


def let_go(page, name, panel, parameter, *, of):
    """Drag a slider; check that its panel changes before the release, and the page's link after it.

    Return the value at the release.
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
    """Drag sliders of the open page one after the other; check that the page's new link shows the same pictures.

    ``handles`` are tuples of a slider's name, a panel that it changes, and its parameter.
    """
    values = {parameter: let_go(page, *rest, parameter, of=key) for *rest, parameter in handles}
    panels = {panel for _, panel, _ in handles}
    drawn = {panel: picture(page, panel) for panel in panels}
    opened(page, address, page.url.split("/", 3)[3])
    for parameter, value in values.items():
        assert live_figure(page, f"figure.values.{parameter}", name=key) == value
    for panel in panels:
        assert picture(page, panel) == drawn[panel], f"the link draws another {panel}"
