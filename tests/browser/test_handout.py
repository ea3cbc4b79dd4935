"""A handout opened from the disk: its figures move without any server, and nothing in it is hidden."""

from dataclasses import replace

import pytest

from pages import PAGES, handout
from tests.browser.journey import PATIENCE
from tests.browser.serving import free_port
from tests.browser.test_all_readers import settled_findings
from ui.embed.lesson import read

PAGE = "mechanisms"
LESSON = """
title: Two worlds <script>
parts:
- page: mechanisms
  link: epsilon=0.5&hidden=question
  text: Before you drag, do the curves overlap?
- page: mechanisms
  link: epsilon=0.5&locked=epsilon
exercises: [laplace-scale]
"""


@pytest.mark.skipif(PAGE not in PAGES, reason="this copy has no such page")
def test_a_handout_moves_without_a_server(browser, tmp_path, axe):
    dead = f"http://127.0.0.1:{free_port()}"
    file = tmp_path / "handout.html"
    file.write_text(handout.write(LESSON, dead, lambda name: None), encoding="utf-8")
    (task,) = handout.tasks(replace(read(LESSON), solutions=True))
    assert task[3]
    assert task[3][:25] not in file.read_text()
    with browser.new_context(offline=True, color_scheme="dark") as context:
        context.add_init_script(script=axe)
        context.set_default_timeout(PATIENCE)
        page, complaints = context.new_page(), []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(file.as_uri())
        page.locator(".dp-figure.dp-ready").nth(1).wait_for()
        assert page.locator("h1").inner_text() == "Two worlds <script>"
        first, second = page.get_by_role("slider", name="ε, privacy parameter").all()
        assert second.is_disabled()

        before = page.evaluate("window.__dpLive['mechanisms-1'].values.epsilon")
        box = first.bounding_box()
        page.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * 0.9, box["y"] + box["height"] / 2, steps=4)
        page.mouse.up()
        after = page.evaluate("window.__dpLive['mechanisms-1'].values.epsilon")
        assert before == 0.5 < after
        assert page.evaluate("window.__dpLive['mechanisms-2'].values.epsilon") == 0.5
        page.wait_for_function(
            "() => document.querySelector('section .dp-embed-source a').href.includes('epsilon=')"
            " && !window.__dpLive['mechanisms-1'].stats.waiting"
        )
        words = page.locator("body").inner_text()
        for said in (
            "Guarantee, as the figure opens.",
            "Source: DP Explorer",
            "How much Laplace noise",
        ):
            assert said in words
        assert "Solution" not in words
        assert settled_findings(page) == []  # in the dark
        page.pdf(path=tmp_path / "handout.pdf", format="A4")
        assert complaints == []


SLIDES = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Slides</title></head><body>
<iframe title="Figure" src="handout.html#figure-2" width="1200" height="680"></iframe></body></html>"""


@pytest.mark.skipif(PAGE not in PAGES, reason="this copy has no such page")
def test_slides_opened_from_a_disk_show_one_figure_of_the_handout_beside_them(browser, tmp_path):
    (tmp_path / "handout.html").write_text(handout.write(LESSON, "", lambda name: None), "utf-8")
    (tmp_path / "slides.html").write_text(SLIDES, "utf-8")
    with browser.new_context(offline=True) as context:
        context.set_default_timeout(PATIENCE)
        page, complaints = context.new_page(), []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto((tmp_path / "slides.html").as_uri())
        frame = page.frame_locator("iframe")
        frame.locator("#figure-2 .dp-figure.dp-ready").wait_for()
        assert frame.get_by_role("slider", name="ε, privacy parameter").count() == 1
        assert not frame.locator("#figure-1").is_visible()
        assert not frame.get_by_role("heading", level=1).is_visible()
        assert complaints == []
