"""The lecturer's room after a reload, a killed and restarted server, and in another process of the same store."""

from pathlib import Path

import pytest

from tests.browser.journey import PATIENCE
from tests.browser.serving import free_port, started

APP = Path(__file__).resolve().parents[3] / "app.py"
BUTTONS = ("show", "start", "close")  # End the answers, Start, Close


@pytest.fixture
def context(browser):
    with browser.new_context(viewport={"width": 1440, "height": 900}) as found:
        found.set_default_timeout(PATIENCE)
        yield found


def has_the_room(page):
    for name in BUTTONS:
        page.locator(f".st-key-room-{name} button").wait_for(timeout=PATIENCE)


def started_poll(page):
    """Open a room and ask a question; return the room's code."""
    page.locator(".st-key-room-open button").click()
    code = page.locator(".dp-room-code").inner_text()
    question = page.get_by_label("A question to be answered with yes or no")
    question.fill("Did you ever copy homework?")
    question.press("Enter")
    page.wait_for_selector(".st-key-room-start button:enabled")
    page.locator(".st-key-room-start button").click()
    page.locator(".st-key-room-show button").wait_for()
    return code


def test_the_room_comes_back_after_a_reload_a_restart_and_in_another_process(context, tmp_path):
    store = {
        "DPCORE_ROOMS": f"sqlite:///{tmp_path / 'rooms.sqlite'}",
        "DPCORE_AHEAD": "",
        "DPCORE_PREPARE": "",
    }
    port = free_port()
    page = context.new_page()
    with started(APP, environment=store, port=port) as (address, process):
        page.goto(f"{address}/room")
        code = started_poll(page)
        until_kept(context, code)
        page.reload()
        has_the_room(page)
        process.kill()
        process.wait(20)
    with started(APP, environment=store, port=port) as (address, _):
        has_the_room(page)  # the tab finds the server again by itself
        page.reload()
        has_the_room(page)
        with started(APP, environment=store) as (other, _):  # cookies do not differ by port
            page.goto(f"{other}/room")
            page.get_by_role("button", name=f"Back to room {code}").click()
            has_the_room(page)
            page.locator(".st-key-room-close button").click()
            page.get_by_text(f"Room {code} is closed").wait_for()
            until_kept(context, code, kept=False)


def until_kept(context, code, *, kept=True):
    for _ in range(PATIENCE // 100):
        cookies = {one["name"]: one for one in context.cookies()}
        if (f"dp_lecturer_{code}" in cookies) == kept:
            break
        context.pages[0].wait_for_timeout(100)
    assert (f"dp_lecturer_{code}" in cookies) == kept
    if kept:
        one = cookies[f"dp_lecturer_{code}"]
        assert (one["httpOnly"], one["sameSite"], one["secure"]) == (True, "Strict", False)


@pytest.mark.parametrize("asked", ["**/lecturer/key", "**/lecturer/key/*"])
def test_a_browser_that_keeps_no_cookie_is_told_to_copy_the_link(context, address, asked):
    context.route(asked, lambda route: route.abort())
    page = context.new_page()
    page.goto(f"{address}/room")
    page.locator(".st-key-room-open button").click()
    page.get_by_text("This browser keeps no cookies, so a reload would lose the room.").wait_for()
    page.locator(".st-key-room-close button").click()
    page.get_by_text("is closed").wait_for()
