"""Live figures in a real JupyterLab and a real marimo: they draw, handles move them, and values go both ways."""

import hashlib

import pytest

from pages import PAGES
from tests.browser import notebook_server

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(bool(notebook_server.reason()), reason=notebook_server.reason() or "-"),
    pytest.mark.skipif("mechanisms" not in PAGES, reason="this copy lacks the page"),
]
PATIENCE = 600_000  # milliseconds: the first figure compiles loops of training
SET = "page.values = {'epsilon': 0.5}; own.values = {'factor': 3}"
TELL = "print('told', dict(page.values)['epsilon'], dict(own.values))"
FIGURES = "(window.__dpLive ?? {})"
PAGE = f"{FIGURES}.mechanisms?.settled"
BOTH = f"['mechanisms', 'own'].every((name) => {FIGURES}[name]?.settled)"
WIDGET = "jupyterapp.shell.currentWidget"
LAB = "window.jupyterapp?.shell?.currentWidget"


@pytest.fixture
def view(browser):
    with browser.new_context(
        reduced_motion="reduce", viewport={"width": 1440, "height": 900}
    ) as context:
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        yield page
        assert errors == []


def pixels(page, panel):
    """A digest of what the canvases of the first panel with this title show."""
    figure = page.locator(".dp-panel", has_text=panel).first
    return hashlib.sha256(figure.locator(".dp-plot").screenshot()).hexdigest()


def drag(page, slider, share):
    """Drag a slider with the mouse to a share of its length, in steps; return the pictures seen on the way."""
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.5 * box["width"], y)
    page.mouse.down()
    seen = []
    for step in (0.5, 1.0):
        page.mouse.move(box["x"] + box["width"] * (0.5 + step * (share - 0.5)), y, steps=3)
        page.wait_for_timeout(300)
        seen.append(pixels(page, "What can come out"))
    return seen


def until(page, expression):
    """Wait until a JavaScript expression is true; a kernel's first figure takes longer than what pages wait for."""
    page.wait_for_function(expression, timeout=PATIENCE)


def value(page, figure, name):
    return page.evaluate(f"{FIGURES}['{figure}'].values['{name}']")


def run(page, cell):
    """Run a cell of the notebook in JupyterLab, in view: what is out of view is out of the page."""
    page.evaluate(
        f"{WIDGET}.content.activeCellIndex = {cell}; void jupyterapp.commands.execute('notebook:run-cell')"
    )
    scroll(page, cell)


def scroll(page, cell):
    """Scroll to a cell of the notebook in JupyterLab."""
    page.evaluate(f"void {WIDGET}.content.scrollToItem({cell}, 'start')")


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    with notebook_server.jupyter(
        tmp_path_factory.mktemp("jupyter"), notebook_server.FIRST, "page", "own", SET, TELL,
        "import time; time.sleep(40)",
    ) as address:  # fmt: skip
        yield address


def test_jupyterlab(lab, view):
    view.goto(f"{lab}?reset")
    until(view, f"{LAB}?.content?.widgets?.length > 3")
    until(view, f"{LAB}.sessionContext?.session?.kernel?.status === 'idle'")
    view.evaluate("jupyterapp.shell.collapseLeft()")
    run(view, 0)
    run(view, 1)
    until(view, PAGE)
    before = pixels(view, "What can come out")
    seen = drag(view, view.get_by_role("slider", name="ε, privacy parameter").first, 0.85)
    assert len({before, *seen}) == 3, "the picture moves with the hand"
    view.mouse.up()
    epsilon = value(view, "mechanisms", "epsilon")
    assert epsilon > 1
    until(view, PAGE)
    run(view, 2)
    until(view, BOTH)
    run(view, 4)
    until(view, f"document.body.innerText.includes('told {epsilon}')")

    run(view, 3)
    until(
        view,
        f"{FIGURES}.mechanisms.values.epsilon === 0.5 && {FIGURES}.own.slice('factor')[0] === 3",
    )
    assert view.evaluate(f"Math.max(...{FIGURES}.own.slice('noisy'))") == 3

    scroll(view, 2)
    factor = view.get_by_role("slider", name="factor")
    factor.focus()
    view.keyboard.press("ArrowDown")
    until(view, f"{FIGURES}.own.slice('factor')[0] === 2")
    until(view, BOTH)
    assert view.evaluate(f"{LAB}.content.activeCellIndex") == 2, "the notebook's keys rest"

    run(view, 5)  # the kernel is busy: what the browser draws moves all the same
    until(view, f"{LAB}.sessionContext.session.kernel.status === 'busy'")
    scroll(view, 2)
    power = view.get_by_role("slider", name="power")
    power.focus()
    view.keyboard.press("End")
    until(view, f"{FIGURES}.own.values.power === 4 && {FIGURES}.own.slice('y')[25] < 0.1")
    assert view.evaluate(f"{LAB}.sessionContext.session.kernel.status") == "busy"

    view.evaluate(
        "jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Dark'})"
    )
    until(view, f"Math.max(...{FIGURES}.own.ground.match(/\\d+/g).map(Number)) < 60")


def test_marimo(tmp_path, view):
    told = (
        "mo.md(f\"told {shown.value['values']['epsilon']} {shown_own.value['values']['factor']}\")"
    )
    move = f"def move(_):\n    {SET}\n\nmo.ui.button(label='Move', on_change=move)"
    wrapped = "shown = mo.ui.anywidget(page)\nshown_own = mo.ui.anywidget(own)"
    cells = (
        "import marimo as mo",
        f"{notebook_server.FIRST}\n{wrapped}",
        "shown",
        "shown_own",
        told,
        move,
    )
    with notebook_server.marimo(tmp_path, *cells) as address:
        view.goto(address)
        until(view, BOTH)
        before = pixels(view, "What can come out")
        seen = drag(view, view.get_by_role("slider", name="ε, privacy parameter").first, 0.85)
        assert len({before, *seen}) == 3, "the picture moves with the hand"
        view.mouse.up()
        epsilon = value(view, "mechanisms", "epsilon")
        until(view, f"document.body.innerText.includes('told {epsilon} 1')")

        factor = view.get_by_role("slider", name="factor")
        factor.focus()
        view.keyboard.press("ArrowRight")
        until(view, f"{FIGURES}.own.slice('factor')[0] === 2")
        until(view, f"document.body.innerText.includes('told {epsilon} 2')")

        view.get_by_role("button", name="Move").click()
        until(
            view,
            f"{FIGURES}.mechanisms.values.epsilon === 0.5 && {FIGURES}.own.slice('factor')[0] === 3",
        )
