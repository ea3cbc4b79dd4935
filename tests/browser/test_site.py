"""The static site in a real browser, from a plain file server: it draws what the application draws."""

import subprocess
import sys
import time

import pytest

from pages import PAGES, specs
from pages.__main__ import main
from tests.browser.journey import PATIENCE, live_figure, until
from tests.browser.serving import free_port, wait_for

pytestmark = pytest.mark.skipif("mechanisms" not in PAGES, reason="this copy lacks the page")
READY = "document.querySelector('.dp-figure.dp-ready') !== null"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    assert main(["site", str(folder), "--pages", "mechanisms,exercises,formulas"]) == 0
    port = free_port()
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory"]
    server = subprocess.Popen([*command, str(folder)], stderr=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{port}/index.html", server)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(20)


@pytest.fixture
def static(browser):
    """A page that fails the test if anything was reported on its console."""
    with browser.new_context(reduced_motion="reduce") as context:
        context.set_default_timeout(PATIENCE)
        opened, said = context.new_page(), []
        opened.on("pageerror", lambda error: said.append(str(error)))
        opened.on("console", lambda line: line.type == "error" and said.append(line.text))
        yield opened
        assert said == []


def numbers(page):
    return page.locator(".dp-readouts").inner_text()


def test_its_handle_moves_and_its_numbers_are_those_of_the_application(site, address, browser):
    with browser.new_context(
        reduced_motion="reduce", viewport={"width": 1440, "height": 900}
    ) as context:
        context.set_default_timeout(PATIENCE)
        static, served = context.new_page(), context.new_page()
        complaints = []
        static.on("pageerror", lambda error: complaints.append(str(error)))
        static.goto(f"{site}/mechanisms.html")
        served.goto(f"{address}/mechanisms?depth=look")
        for page in (static, served):
            until(page, READY)
        seen = set()
        for key in ("ArrowRight", "End", "ArrowLeft", "Home"):
            for page in (static, served):
                page.bring_to_front()
                slider = page.get_by_role("slider", name="ε, privacy parameter", exact=True)
                slider.focus()
                page.keyboard.press(key)
            # Both are read until they agree: on a busy machine either one may be a frame behind its key.
            end = time.monotonic() + PATIENCE / 1000
            while numbers(static) != numbers(served) or numbers(static) in seen:
                assert time.monotonic() < end, (numbers(static), numbers(served), seen)
                static.wait_for_timeout(100)
            seen.add(numbers(static))
            epsilon = [
                live_figure(page, "figure.values.epsilon", name="mechanisms")
                for page in (static, served)
            ]
            assert epsilon[0] == epsilon[1]
        assert len(seen) == 4, "the numbers moved"
        assert complaints == []


def test_without_a_link_a_page_opens_with_its_usual_values(site, static):
    page = next(spec for spec in specs() if spec.key == "mechanisms")
    static.goto(f"{site}/mechanisms.understand.html")
    until(static, READY)
    shown = live_figure(static, "figure.values", name="mechanisms")
    usual = vars(page.params())
    prepared = [name for name in page.site.values if name in shown]
    assert prepared
    assert {name: shown[name] for name in prepared} == {name: usual[name] for name in prepared}
    assert "?" not in static.url


def test_answers_are_checked_and_formulas_typeset_without_a_server(site, static):
    from ui.exercises.files import load_all

    static.goto(f"{site}/exercises.html#gaussian-sigma")
    until(static, "document.querySelectorAll('#gaussian-sigma .dp-tex .katex').length > 3")
    assert static.locator(".katex-error").count() == 0
    instance = load_all()["gaussian-sigma"].draw("site", "site")
    exercise = static.locator("#gaussian-sigma")
    field, said = exercise.locator("input"), exercise.get_by_role("status")
    (part,) = instance.exercise.parts
    classical = part.wrong[0].value[0].number(instance._known.values)
    for answer, right, words in [
        (f"{instance.right_answer()['sigma']:.5g}", "true", "Right"),
        (f"{classical:.5g}", "false", "textbook"),
        ("77", "false", "not right yet"),
        ("nothing", "null", "not read"),
    ]:
        field.fill(answer)
        exercise.get_by_role("button", name="Check").click()
        assert said.get_attribute("data-right") == right, answer
        assert words in said.inner_text()


def test_a_vote_shows_what_is_wrong_and_counts(site, static):
    static.goto(f"{site}/formulas.html#formula-3-20")
    section = static.locator("#formula-3-20")
    until(static, "document.querySelectorAll('#formula-3-20 .dp-site-printed .katex').length > 0")
    verdict = section.get_attribute("data-verdict")
    assert not section.locator("[data-after]").is_visible()
    section.get_by_role("button", name="Right", exact=True).click()
    assert section.locator("[data-after]").is_visible()
    assert verdict in section.locator('.dp-site-told [role="status"]').inner_text()
    score = static.locator(".dp-site-score").inner_text()
    assert score == f"{int(verdict == 'right')} of 1 votes right"
    section.get_by_role("button", name="Next formula").click()
    assert not section.is_visible()
    assert static.locator(".dp-site-vote:visible").count() == 1
    assert static.locator(".katex-error").count() == 0
