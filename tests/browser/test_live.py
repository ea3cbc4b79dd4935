"""The live figure by itself, over a small app that really computes (demo_figure.py)."""

import importlib.util
import shutil
import struct
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.browser.journey import PATIENCE, committed, heard, listening, painted
from tests.browser.serving import free_port, served
from ui.live.precision import tolerances
from ui.live.wire import rounded
from ui.web import static_files

SCRIPT = Path(__file__).with_name("demo_figure.py")
EPSILON, CLIP = "ε, privacy parameter", "clipping norm"
FIGURE = "window.__dpLive.demo"


@pytest.fixture(scope="module")
def demo():
    spec = importlib.util.spec_from_file_location("demo_figure", SCRIPT)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def app(home):
    """The demo with the routes and files of the app, in a folder of its own."""
    static_files.publish(home / "static")
    shutil.copy(SCRIPT, home)
    how = "routes=server.ROUTES, middleware=server.MIDDLEWARE"
    lines = (
        "import streamlit as st",
        "from ui.server import application as server",
        f"app = st.App({SCRIPT.name!r}, {how})",
    )
    (home / "app.py").write_text("\n".join(lines))
    return home / "app.py"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with served(app(tmp_path_factory.mktemp("demo"))) as found:
        yield found


@pytest.fixture
def figure(page, address):
    page.goto(address)
    page.wait_for_selector(".dp-figure.dp-ready", timeout=PATIENCE)
    page.wait_for_function(f"{FIGURE}.stats.draws > 0")
    return page


def slider(page, name):
    return page.get_by_role("slider", name=name)


def settled(page):
    page.wait_for_function(f"{FIGURE}.settled")


def pull(page, name, shares, *, release=True):
    box = slider(page, name).bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * shares[0], y)
    page.mouse.down()
    for share in shares[1:]:
        page.mouse.move(box["x"] + box["width"] * share, y, steps=4)
    if release:
        page.mouse.up()


def _off(live_figure, name):
    """How far the browser's numbers may be off: what is read is exact."""
    values = live_figure.arrays[name].values
    return 1e-5 + np.abs(rounded(values, tolerances(live_figure)[name]) - values).max()


def same_as_python(page, demo, **changes):
    values = demo.FIRST | {"spot_x": 0.0, "spot_y": 0.0} | changes
    live_figure = demo.live_figure(values)
    for name in ("means", "path", "error", "tiles"):
        drawn = page.evaluate(f"{FIGURE}.slice('{name}')")
        off = _off(live_figure, name)
        np.testing.assert_allclose(
            drawn, live_figure.evaluate(name).ravel(), atol=off, err_msg=name
        )


def test_the_browser_draws_the_slices_that_python_evaluates(figure, demo):
    same_as_python(figure, demo)
    slider(figure, EPSILON).press("Home")
    slider(figure, "training").press("ArrowLeft")
    figure.wait_for_function(f"{FIGURE}.values.progress === 90")
    same_as_python(figure, demo, epsilon=0.1, progress=90)


def test_a_local_drag_is_told_once_when_it_is_let_go(figure, demo):
    listening(figure, name="demo")
    pull(figure, EPSILON, (0.5, 0.1, 0.9), release=False)
    figure.wait_for_function(f"{FIGURE}.values.epsilon > 2")
    assert heard(figure) == set()
    figure.mouse.up()
    committed(figure, name="demo")
    settled(figure)
    assert heard(figure) == {"commit"}
    same_as_python(figure, demo, epsilon=figure.evaluate(f"{FIGURE}.values.epsilon"))


def test_a_drag_that_ends_where_it_began_is_let_go_and_python_leads_again(figure):
    slider(figure, CLIP).press("End")
    settled(figure)
    pull(figure, EPSILON, (0.5, 0.9, 0.5))
    settled(figure)
    figure.get_by_role("button", name="Reset", exact=True).click()
    figure.wait_for_function(f"{FIGURE}.values.clip === 1")


def test_a_server_drag_ends_on_the_newest_value_without_remounting(figure, demo):
    mounts = figure.evaluate(f"{FIGURE}.stats.mounts")
    pull(figure, CLIP, (0.2, 0.9, 0.35))
    settled(figure)
    clip = figure.evaluate(f"{FIGURE}.values.clip")
    assert clip != 1.0
    same_as_python(figure, demo, clip=clip)
    figure.get_by_role("button", name="rerun").click()
    figure.wait_for_timeout(500)
    assert figure.evaluate(f"{FIGURE}.stats.mounts") == mounts
    assert figure.evaluate(f"{FIGURE}.values.clip") == clip


def test_keys_step_and_jump_and_are_told_once_after_a_rest(figure):
    listening(figure, name="demo")
    for key, value in [("ArrowRight", 2), ("End", 10), ("Home", 0.1), ("ArrowRight", 0.2)]:
        slider(figure, EPSILON).press(key)
        assert figure.evaluate(f"{FIGURE}.values.epsilon") == value
    # The word of an end is told at the end only.
    assert slider(figure, EPSILON).get_attribute("aria-valuetext") == "0.2"
    committed(figure, name="demo")
    settled(figure)
    assert heard(figure) == {"commit"}


def test_arrays_that_python_left_out_by_mistake_are_asked_for(figure, demo):
    values = demo.FIRST | {"spot_x": 0.0, "spot_y": 0.0, "clip": 1.1}
    lost = [array.digest for array in demo.live_figure(values).arrays.values()]
    figure.evaluate(
        "(lost) => { const figure = window.__dpLive.demo; window.__phases = [];"
        " figure.listen((what, { phase }) => { if (what === 'sent') window.__phases.push(phase); });"
        " let spoilt = true;"
        " figure.intercept((event) => { spoilt &&= event.phase !== 'missing';"
        " return spoilt ? {...event, held: [...event.held, ...lost]} : event; }); }",
        lost,
    )
    slider(figure, CLIP).press("ArrowRight")
    figure.wait_for_function("window.__phases.includes('missing')")
    settled(figure)
    same_as_python(figure, demo, clip=1.1)


def test_a_server_started_anew_in_a_drag_hears_the_newest_value(context, demo, tmp_path):
    page = context.new_page()
    script, port = app(tmp_path), free_port()
    with served(script, port=port) as address:
        page.goto(address)
        page.wait_for_selector(".dp-figure.dp-ready", timeout=PATIENCE)
        pull(page, CLIP, (0.2, 0.6), release=False)
        page.wait_for_function(f"{FIGURE}.answered.clip !== 1")
    pull(page, CLIP, (0.6, 0.9), release=False)
    value = page.evaluate(f"{FIGURE}.values.clip")
    with served(script, port=port):
        page.mouse.up()
        page.wait_for_function(f"{FIGURE}.settled", timeout=PATIENCE)
        assert page.evaluate(f"{FIGURE}.answered.clip") == value > 1.5
        # Under load Streamlit may mount the figure anew here: what a reader sees is the value that was told.
        same_as_python(page, demo, clip=value)
    page.close()


def test_a_late_answer_is_hinted_at_and_only_then(figure):
    figure.evaluate(
        "() => { window.__late = 0; const figure = document.querySelector('.dp-figure');"
        " new MutationObserver(() => { window.__late += figure.classList.contains('dp-late'); })"
        ".observe(figure, {attributes: true, attributeFilter: ['class']}); }"
    )
    figure.get_by_role("button", name="Slow answer").click()
    figure.wait_for_selector(".dp-figure.dp-late")
    settled(figure)
    figure.wait_for_selector(".dp-figure:not(.dp-late)")
    assert figure.evaluate("window.__late") == 1


def test_a_number_without_an_upper_end_takes_whole_numbers_only(figure, demo):
    figure.locator(".dp-more summary").click()
    field = figure.get_by_label("seed")
    field.fill("42")
    field.press("Enter")
    figure.wait_for_function(f"{FIGURE}.values.seed === 42")
    settled(figure)
    same_as_python(figure, demo, seed=42)
    for refused in ("-1", "1.5"):
        field.fill(refused)
        field.press("Enter")
        assert figure.evaluate(f"{FIGURE}.values.seed") == 42


def test_pictures_are_told_in_words_with_the_present_values(figure):
    picture = figure.get_by_role("img", name="Three private class means at ε = 1: error 0.0")
    assert picture.count() == 1
    said = figure.locator(".dp-said")
    assert said.inner_text() == ""  # nothing is said before something was done
    pull(figure, EPSILON, (0.5, 0.0), release=False)
    assert said.inner_text() == ""
    figure.mouse.up()
    settled(figure)
    assert "At ε = 0.1 noise hides one person." in said.inner_text()
    figure.get_by_role("button", name="More: Private means").click()
    figure.get_by_role("button", name="Describe in words: Private means").click()
    figure.get_by_text("means at ε = 0.1: error").wait_for()


def test_a_point_in_the_picture_is_moved_by_hand_and_by_keys(figure):
    knob = figure.get_by_role("button", name="a person: drag, or use the arrow keys")
    box = knob.bounding_box()
    figure.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    figure.mouse.down()
    figure.mouse.move(box["x"] + 80, box["y"] - 40, steps=4)
    figure.mouse.up()
    settled(figure)
    x, y = (figure.evaluate(f"{FIGURE}.values.spot_{axis}") for axis in "xy")
    assert x > 0.2
    assert y > 0.1
    knob.press("ArrowLeft")
    settled(figure)
    assert figure.evaluate(f"{FIGURE}.values.spot_x") == pytest.approx(x - 0.05)


def test_only_the_open_tab_is_drawn_and_tabs_follow_the_arrow_keys(figure):
    shown = figure.locator("[data-panel='tiles'] canvas")
    assert shown.is_visible()
    figure.get_by_role("tab", name="Pictures").press("ArrowRight")
    figure.wait_for_selector("[data-panel='text'] .dp-frame svg", state="attached")
    assert not shown.is_visible()
    assert figure.get_by_role("tab", name="Other").get_attribute("aria-selected") == "true"


def saved(page, kind, panel):
    name = f"Save as {kind}: {panel}"
    if not page.get_by_role("button", name=name).is_visible():
        page.get_by_role("button", name=f"More: {panel}").click()
    with page.expect_download() as caught:
        page.get_by_role("button", name=name).click()
    return caught.value.suggested_filename, Path(caught.value.path()).read_bytes()


def test_panels_save_themselves_as_svg_and_png(figure):
    name, svg = saved(figure, "SVG", "Private means")
    assert name == "demo_map_epsilon-1_clip-1.svg"
    root = ElementTree.fromstring(svg)
    colours = {path.get("fill") for path in root.iter("{http://www.w3.org/2000/svg}path")}
    assert {"#0072b2", "#e69f00", "#009e73"} <= colours
    name, png = saved(figure, "PNG", "Density of each class")
    box = figure.locator("[data-panel='tiles'] canvas").bounding_box()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    wide, high = struct.unpack(">II", png[16:24])
    assert wide == 2 * int(box["width"])
    assert high > 2 * int(box["height"])  # title, parameters and source stand around it
    figure.get_by_role("tab", name="Other").click()
    figure.wait_for_selector("[data-panel='text'] .dp-frame svg", state="attached")
    name, svg = saved(figure, "SVG", "Another")
    assert "<b>&</b>" in "".join(ElementTree.fromstring(svg).itertext())


def test_playing_moves_to_the_end_and_tells_python_once(figure):
    figure.get_by_role("button", name="Back to the start").click()
    figure.wait_for_function(f"{FIGURE}.values.progress === 0")
    figure.wait_for_timeout(300)
    settled(figure)
    listening(figure, name="demo")
    figure.get_by_role("button", name="Play", exact=True).click()
    figure.wait_for_function(f"{FIGURE}.values.progress === 100")
    figure.get_by_role("button", name="Play", exact=True).wait_for()
    committed(figure, name="demo")
    settled(figure)
    assert heard(figure) == {"commit"}


def test_on_a_phone_the_first_slider_stays_in_view(figure):
    figure.set_viewport_size({"width": 390, "height": 844})
    figure.mouse.move(195, 600)
    figure.mouse.wheel(0, 600)
    figure.wait_for_function(
        "document.querySelector(\"[data-panel='map']\").getBoundingClientRect().top < 0"
    )
    box = slider(figure, EPSILON).bounding_box()
    assert 0 < box["y"] < 200
    assert box["height"] >= 40
    assert figure.evaluate("document.documentElement.scrollWidth") <= 390


def test_on_a_phone_what_is_computed_is_said_where_no_words_stand(figure):
    figure.set_viewport_size({"width": 390, "height": 844})
    figure.get_by_role("button", name="Work", exact=True).click()
    pill = figure.locator(".dp-busy.dp-on")
    pill.wait_for(timeout=PATIENCE)
    figure.mouse.move(195, 600)
    for far in (0, 300, 900):
        figure.mouse.wheel(0, far)
        figure.wait_for_timeout(200)
        box, bar = pill.bounding_box(), figure.locator("[data-testid=stHeader]").bounding_box()
        assert bar["y"] <= box["y"]
        assert box["y"] + box["height"] <= bar["y"] + bar["height"]
    figure.set_viewport_size({"width": 1440, "height": 900})
    box, bar = pill.bounding_box(), figure.locator("[data-testid=stHeader]").bounding_box()
    assert box["y"] + box["height"] <= bar["y"] + bar["height"]


def test_a_title_of_two_lines_makes_room_beside_it_too(figure):
    figure.evaluate(
        "document.querySelector(\"[data-panel='map'] .dp-panel-title\").textContent = 'Many words '.repeat(12)"
    )
    tops, heads = (
        figure.evaluate(
            "part => ['map', 'curve'].map(name => document.querySelector(`[data-panel='${name}'] ${part}`))"
            ".map(found => [found.getBoundingClientRect().top, found.getBoundingClientRect().height])",
            part,
        )
        for part in (".dp-plot", ".dp-panel-title")
    )
    assert heads[0][1] > 1.5 * heads[1][1]  # it really takes two lines
    assert tops[0][0] == pytest.approx(tops[1][0], abs=0.5)


def test_the_figure_follows_the_theme_without_remounting(figure):
    light = figure.evaluate(f"{FIGURE}.ground")
    figure.emulate_media(color_scheme="dark")
    figure.wait_for_selector(".dp-figure.dp-dark")
    assert figure.evaluate(f"{FIGURE}.ground") != light
    assert figure.evaluate(f"{FIGURE}.stats.mounts") == 1


def test_a_pinned_result_stays_beside_the_next(figure):
    page = figure
    listening(page, name="demo")
    number, kept = page.locator(".dp-tile dd").first, page.locator(".dp-tile .dp-b").first
    first, curve = number.inner_text(), still(page, "map")
    page.get_by_role("button", name="Pin", exact=True).click()
    painted(page)
    assert (kept.inner_text(), number.inner_text()) == (first, first)
    assert still(page, "map") != curve, "the marks of B are drawn"
    assert page.locator("[data-panel='tiles'] .dp-copy").count() == 1
    assert heard(page) == set(), "pinning asks nobody"
    slider(page, EPSILON).press("Home")
    settled(page)
    assert kept.inner_text() == first != number.inner_text()
    assert "ε = 1;" in page.locator(".dp-pinned").inner_text()
    assert heard(page) == {"commit"}
    page.get_by_role("button", name="Unpin").click()
    painted(page)
    assert kept.inner_text() == ""
    assert still(page, "map") == curve
    assert page.locator(".dp-copy").count() == 0


def still(page, panel):
    """What is drawn once and does not move with a handle."""
    painted(page)
    return page.evaluate(
        f"[...document.querySelectorAll(\"[data-panel='{panel}'] canvas\")].at(-2).toDataURL()"
    )
