"""What a class opens from one link: figures as high as they are, on every screen, in the dark and on paper."""

from urllib.parse import parse_qs, urlsplit

import pytest

from pages import PAGES
from tests.browser.journey import PATIENCE
from tests.browser.test_all_readers import settled_findings
from ui.embed.lesson import Lesson, Shown
from ui.embed.lesson_link import packed, unpacked

PAGE = "mechanisms"
PARTS = (
    Shown(page=PAGE, link="epsilon=0.5", text="Before you drag: do they overlap?"),
    Shown(page=PAGE, link="epsilon=2&panel=worlds&locked=epsilon"),
)
WHOLE = """() => [...document.querySelectorAll("iframe")].every(({ contentDocument: inside, clientHeight }) =>
  inside?.querySelector(".dp-figure.dp-ready")
  && Math.abs(inside.body.getBoundingClientRect().height - clientHeight) <= 1
  && inside.documentElement.scrollWidth <= inside.documentElement.clientWidth)"""
PAPER = """() => {
  dispatchEvent(new Event("beforeprint"));
  const seen = (element) => element.getClientRects().length > 0;
  const all = (names) => [...document.querySelectorAll(names)];
  const inked = (canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return data.some((value) => value > 0);
  };
  const found = {
    controls: all("input, select, button:not(.dp-term)").filter(seen).length,
    pictures: all(".dp-plot").length,
    drawn: all(".dp-plot").filter((plot) => [...plot.querySelectorAll(".dp-sheet")].some(inked)).length,
    wide: document.body.getBoundingClientRect().width,
    left: frameElement.clientHeight - document.body.getBoundingClientRect().height,
    address: getComputedStyle(document.querySelector("main a"), "::after").content,
  };
  dispatchEvent(new Event("afterprint"));
  return found;
}"""


@pytest.mark.skipif(PAGE not in PAGES, reason="this copy has no such page")
def test_a_class_sees_whole_figures_in_the_dark_on_a_phone_and_on_paper(browser, address, axe):
    lesson = Lesson(title="Two worlds", parts=PARTS, exercises=("odds",))
    known = {"viewport": {"width": 1440, "height": 900}, "bypass_csp": True}
    with browser.new_context(color_scheme="dark", **known) as context:
        context.add_init_script(script=axe)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(f"{address}/handout/{packed(lesson)}")
        for width, height in ((1440, 900), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_function(WHOLE)
            assert settled_findings(page) == []
        for frame in page.frames[1:]:
            found = frame.evaluate(PAPER)
            assert found["controls"] == 0
            assert found["drawn"] == found["pictures"] > 0
            assert found["wide"] == 680
            assert abs(found["left"]) <= 1
            assert f"{address}/{PAGE}?" in found["address"]
        page.wait_for_function(WHOLE)
        names = [frame.get_attribute("title") for frame in page.locator("iframe").all()]
        assert len(set(names)) == len(names) == 2
        teach = (
            context.new_page()
        )  # where the lecturer sees the same page, on a phone beside the form
        teach.set_viewport_size({"width": 1440, "height": 900})
        teach.goto(f"{address}/teach?lesson={packed(lesson)}")
        phone = teach.frame_locator(".dp-mobile iframe")
        phone.get_by_role("heading", name="Two worlds").wait_for()
        teach.get_by_role("textbox", name="Title").fill("Three worlds")
        teach.keyboard.press("Enter")
        phone.get_by_role("heading", name="Three worlds").wait_for()
        assert unpacked(parse_qs(urlsplit(teach.url).query)["lesson"][0]).title == "Three worlds"
