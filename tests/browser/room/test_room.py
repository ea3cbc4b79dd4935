"""A room in Chromium from opening to deletion: the lecturer's view as projector, and two phones."""

from tests.browser.journey import PATIENCE
from tests.ui.classroom.asking import asks_to_join
from ui.classroom import housekeeping


def shows(page, text):
    page.get_by_text(text).first.wait_for(timeout=PATIENCE)


def pressed(page, name):
    page.locator(f".st-key-room-{name} button").click(timeout=PATIENCE)


def test_a_room_from_opening_to_deletion(browser, page, address):
    page.goto(f"{address}/room")
    pressed(page, "open")
    code = page.locator(".dp-room-code").inner_text(timeout=PATIENCE)
    page.locator(".dp-qr img").wait_for(timeout=PATIENCE)
    phone = {"viewport": {"width": 390, "height": 844}}
    with browser.new_context(**phone) as one, browser.new_context(**phone) as two:
        for context in (one, two):
            context.set_default_timeout(PATIENCE)
        phones = [one.new_page(), two.new_page()]
        phones[0].goto(f"{address}/join#{code}")  # by the picture
        phones[1].goto(f"{address}/join")  # by hand
        phones[1].fill("#code", code.lower())
        phones[1].get_by_role("button", name="Join").click()
        shows(page, "phones here")
        question = page.get_by_label("A question to be answered with yes or no")
        question.fill("Did you ever copy homework?", timeout=PATIENCE)
        question.press("Enter")
        page.wait_for_selector(".st-key-room-start button:enabled", timeout=PATIENCE)
        pressed(page, "start")
        for k, found in enumerate(phones):
            found.get_by_role("button", name=("Yes", "No")[k], exact=True).click(timeout=PATIENCE)
            shows(found, "What does the server know about you?")
        shows(page, "nothing is shown below 10")
        for k in range(10):  # the rest of the class
            asked = asks_to_join(code)
            assert page.request.post(f"{address}/join/enter", data=asked).ok
            answer = {"token": asked["token"], "turn": 1, "answer": k % 2}
            assert page.request.post(f"{address}/join/answer", data=answer).ok
        shows(page, "of 12 phones said yes")
        pressed(page, "show")
        shows(page, "What does the server know about you?")
        for found in phones:
            shows(found, "of 12 phones said yes, coins and all")
        pressed(page, "close")
        for found in phones:
            shows(found, "This room is closed")
            assert found.evaluate("sessionStorage.length") == 0
    shows(page, f"Room {code} is closed")
    assert housekeeping.store().room(code) is None


def test_a_phone_whose_reply_is_lost_has_one_place(browser, address):
    code, key = housekeeping.store().open()
    sent = []

    def loses_the_first_reply(route):
        sent.append(route.request.post_data_json)
        reply = route.fetch()
        assert reply.ok
        route.abort() if len(sent) == 1 else route.fulfill(response=reply)

    with browser.new_context(viewport={"width": 390, "height": 844}) as context:
        context.set_default_timeout(PATIENCE)
        phone = context.new_page()
        phone.route("**/join/enter", loses_the_first_reply)
        phone.goto(f"{address}/join#{code}")
        shows(phone, "You are in")
        assert phone.locator("#here").inner_text() == "1 here"
    assert len(sent) == 2
    assert sent[0] == sent[1]
    assert housekeeping.store().room(code).joined == 1
    housekeeping.store().close(code, key)
