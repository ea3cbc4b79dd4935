"""The wire between a phone and a room: given the coins, the request is the same for both true answers."""

import json

import pytest

from tests.browser.journey import PATIENCE
from ui.classroom import housekeeping
from ui.classroom.activities import Poll

COINS = """Crypto.prototype.getRandomValues = (into) => into.set(%s);"""
QUESTION = "Did you <b>ever</b> copy homework?"
DEVICE_NO, DEVICE_YES, OWN = [2**32 - 1, 0], [2**32 - 1, 2**32 - 1], [0, 0]


@pytest.fixture
def room():
    """A room in the store of the app, which is another process."""
    code, key = housekeeping.store().open()
    yield code, key
    housekeeping.store().close(code, key)


def voted(browser, address, room, coins, truth):
    """Let one phone vote; what it sent after the tap, and what it was shown."""
    code, key = room
    housekeeping.start_activity(code, key, Poll(QUESTION, 1.0986))
    with browser.new_context(viewport={"width": 390, "height": 844}) as context:
        context.add_init_script(COINS % coins)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        faults, sent = [], []
        page.on("pageerror", lambda error: faults.append(f"{error}"))
        page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
        page.goto(f"{address}/join#{code}", timeout=PATIENCE)
        button = page.get_by_role("button", name=truth, exact=True)
        button.wait_for(timeout=PATIENCE)
        page.on("request", lambda request: sent.append(request))
        button.click()
        page.get_by_text("What does the server know about you?").wait_for(timeout=PATIENCE)
        page.reload()
        page.get_by_text("What does the server know about you?").wait_for(timeout=PATIENCE)
        assert page.locator("h1").inner_text() == QUESTION, "a question is text"
        assert context.cookies() == []
        assert faults == []
        requests = [(one.method, one.url, one.post_data, one.headers) for one in sent]
        return requests, page.locator(".sent").inner_text()


def compared(requests):
    """What was sent but the names that the tab drew for itself; a reload asks for the page again."""
    (method, url, body, headers), *rest = requests
    fields = json.loads(body)
    assert sorted(fields) == ["answer", "token", "turn"]
    assert isinstance(fields["token"], str)
    assert [one for one in rest if one[0] != "GET"] == []
    return method, url, headers, len(body), fields["answer"]


@pytest.mark.parametrize(("coins", "answer"), [(DEVICE_NO, 0), (DEVICE_YES, 1)])
def test_when_the_phone_answers_the_request_is_the_same_for_both_truths(
    browser, address, room, coins, answer
):
    found = [voted(browser, address, room, coins, truth) for truth in ("Yes", "No")]
    first, second = (compared(requests) for requests, _ in found)
    assert first == second
    assert first[-1] == answer
    assert {words for _, words in found} == {f"Sent: {('no', 'yes')[answer]}"}


def test_when_the_person_answers_one_bit_is_all_that_differs(browser, address, room):
    yes, no = (compared(voted(browser, address, room, OWN, truth)[0]) for truth in ("Yes", "No"))
    assert (yes[-1], no[-1]) == (1, 0)
    assert yes[:-1] == no[:-1]
