"""The page Teach: a lesson is edited, checked, packed into a link, and taken along."""

from urllib.parse import parse_qsl

import pytest

from pages import PAGES, specs
from pages.handout import tasks, titles
from pages.teach import editing, view
from pages.teach.ninety import PLAN, lesson
from tests.pages.visits import app, until
from tests.ui.routed import routed
from ui.embed.lesson import Lesson, LessonError, Shown, check
from ui.embed.lesson_link import packed, unpacked
from ui.embed.routes import routes
from ui.frame.page_spec import PageSpec
from ui.live.depth import Depth
from ui.words.guarantees import LOOKING

SPECS = {spec.key: spec for spec in specs() if isinstance(spec, PageSpec)}
FIRST = next(iter(SPECS))


def test_the_plan_takes_ninety_minutes_and_all_its_links_open():
    assert sum(step.minutes for step in PLAN) == 90
    assert [step.title for step in PLAN] == [
        "Problem", "Mechanism", "Budget", "Learning", "Attack", "Decide",
    ]  # fmt: skip
    for step in PLAN:
        assert not step.exercise or step.exercise in titles()
        link = dict(parse_qsl(step.link))
        if step.page in SPECS:
            Depth.from_link(link.pop("depth", "look"))
            assert SPECS[step.page].params.from_link(link)[1] == []
            assert set(link) <= set(SPECS[step.page].params.controls())
    made = lesson(tuple(SPECS), tuple(titles()))
    assert check(made, SPECS, tuple(titles())) == []
    assert unpacked(packed(made)) == made
    assert len(packed(made)) < 1500  # signs of a link that a QR code can hold


def test_a_link_never_holds_solutions_and_a_damaged_one_is_refused():
    found = Lesson(parts=(Shown(page=FIRST),), exercises=("odds",), solutions=True)
    assert unpacked(packed(found)).solutions is False
    for text in ("", "%%", packed(found)[:-9], "A" * 900):
        with pytest.raises(LessonError):
            unpacked(text)


def test_the_class_gets_the_figures_and_no_solution():
    found = Lesson(title="<b>", parts=(Shown(page=FIRST, link="epsilon=0.5"),), exercises=("odds",))
    status, _, body = routed(f"/handout/{packed(found)}", routes(specs, titles))
    text = body.decode()
    assert status == 200
    assert f'src="/embed/{FIRST}?epsilon=0.5"' in text
    assert "/exercises?exercise=odds" in text
    assert "<h1>&lt;b&gt;</h1>" in text
    status, _, body = routed("/handout/nothing", routes(specs, titles))
    assert (status, "This link is damaged" in body.decode()) == (400, True)


@pytest.mark.parametrize(("page", "noisy"), [("mechanisms", True), ("budget", False)])
def test_noise_of_a_figure_in_the_making_is_said_to_be_for_looking(page, noisy, monkeypatch):
    link = packed(Lesson(parts=(Shown(page=page, link=""),)))
    assert LOOKING not in [item.value for item in app("teach", lesson=link).caption], "not yet seen"
    monkeypatch.setattr(editing.component, "is_seen", lambda name: True)
    found = app("teach", lesson=link)
    until(found, lambda: any(item.label.startswith("Begin with") for item in found.button))
    assert len(found.get("bidi_component")) == 2, "the phone, and the figure to set"
    assert (LOOKING in [item.value for item in found.caption]) == noisy


def test_the_lesson_is_saved_in_the_address_and_the_phone_shows_it():
    found = app("teach")
    next(item for item in found.text_input if item.label == "Title").set_value("Monday").run()
    code = "".join(found.query_params["lesson"])
    assert unpacked(code).title == "Monday"
    assert app("teach", lesson=code).session_state["teach.lesson"].title == "Monday"
    (shown,) = [item for item in found.get("bidi_component") if "/handout/" in str(item.proto)]
    assert f"/handout/{code}" in str(shown.proto)


def test_a_lesson_too_long_for_an_address_says_that_it_is_not_saved_there(monkeypatch):
    monkeypatch.setattr(view, "_MOST_CODE", 10)
    found = app("teach")
    assert "lesson" not in found.query_params
    assert any("too long for an address" in item.value for item in found.caption)


def test_a_lesson_is_edited_and_its_link_follows():
    found = app("teach")
    assert not found.exception
    link = next(item.value for item in found.code if "/handout/" in item.value)
    before = unpacked(link.rpartition("/")[2])
    assert len(before.parts) == 1
    locked = next(item for item in found.multiselect if item.label == "Locked controls")
    locked.set_value(["epsilon"]).run()
    state = next(item for item in found.text_input if item.label.startswith("State"))
    state.set_value("http://localhost/mechanisms?epsilon=2&group=banana").run()
    assert not found.exception
    assert any("to “banana”. It can be " in item.value for item in found.warning)
    link = next(item.value for item in found.code if "/handout/" in item.value)
    after = unpacked(link.rpartition("/")[2])
    assert dict(parse_qsl(after.parts[0].link)) == {"epsilon": "2", "locked": "epsilon"}
    assert any("locked=epsilon" in item.value for item in found.code if "<iframe" in item.value)
    found.button(key="teach.ninety").click().run()
    assert not found.exception
    assert len(found.session_state["teach.lesson"].parts) == len(
        [step for step in PLAN if step.page in SPECS]
    )


def test_the_handout_of_the_page_has_no_solution_whatever_the_lesson_says(monkeypatch):
    monkeypatch.setattr(view, "handout", lambda found, specs, *, address, tasks: tasks)
    found = Lesson(parts=(Shown(page=FIRST),), exercises=("odds", "group"), solutions=True)
    assert all(task[3] for task in tasks(found))
    assert [task[3] for task in view._for_everybody(found, SPECS, "")] == ["", ""]


def test_a_course_may_be_without_solutions_and_its_link_says_which_course():
    found = app("teach")
    shows = next(item for item in found.toggle if item.label.startswith("Worked solutions"))
    shows.set_value(False).run()
    next(item for item in found.text_input if item.label == "Course").set_value("dp26").run()
    made = found.session_state["teach.lesson"]
    assert made.course == "dp26.closed"
    assert unpacked(packed(made)).course == "dp26.closed"
    body = routed(
        f"/handout/{packed(Lesson(parts=made.parts, exercises=('odds',), course='dp26.closed'))}",
        routes(specs, titles),
    )[2]
    assert "/exercises?exercise=odds&amp;course=dp26.closed" in body.decode()
    next(item for item in found.text_input if item.label == "Course").set_value("a b").run()
    assert any("cannot be a course" in item.value for item in found.warning)


def test_a_lesson_comes_with_a_link_and_a_bad_one_is_said():
    given = Lesson(title="Mine", parts=(Shown(page=FIRST, link="epsilon=5"),))
    assert app("teach", lesson=packed(given)).session_state["teach.lesson"].title == "Mine"
    found = app("teach", lesson="nothing")
    assert not found.exception
    assert any("This link is damaged" in item.value for item in found.warning)
    assert "teach" in PAGES
