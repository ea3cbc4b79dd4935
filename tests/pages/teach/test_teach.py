"""The page Teach: a lesson is edited, checked, packed into a link, and taken along."""

import re
from html import unescape
from urllib.parse import parse_qsl

import pytest
import segno

from pages import PAGES, specs
from pages.handout import lesson_pages, tasks, titles
from pages.teach import editing, ready, view
from pages.teach.ninety import PLAN, lesson
from pages.teach.ready import READY
from tests.pages.visits import app, until
from tests.ui.routed import routed
from ui.classroom import housekeeping
from ui.classroom.lessons import Lessons
from ui.classroom.models import Refused
from ui.classroom.tables import engine
from ui.embed.class_page import snippet
from ui.embed.lesson import Lesson, LessonError, Shown, check
from ui.embed.lesson_link import packed, unpacked
from ui.embed.routes import routes
from ui.frame.controls import LINK_VERSION
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
    made = lesson(PAGES, tuple(titles()))
    assert [part.page for part in made.parts] == [step.page for step in PLAN if step.page in PAGES]
    assert check(made, lesson_pages(), tuple(titles())) == []
    assert unpacked(packed(made)) == made
    assert len(packed(made)) < 1500  # signs of a link that a QR code can hold


def test_a_page_without_a_figure_is_a_link_in_the_class_page_and_in_slides():
    part = Shown(page="formulas", link="document=3", text="Which one is wrong?")
    code = packed(Lesson(parts=(part, Shown(page=FIRST))))
    status, _, body = routed(f"/handout/{code}", routes(specs, titles))
    assert status == 200
    assert '<a href="/formulas?document=3"' in body.decode()
    assert body.decode().count("<iframe") == 1
    told = snippet(part, lesson_pages(), "https://x.example", slide=True)
    assert told.startswith('<a href="https://x.example/formulas?document=3"')
    found = app("teach", lesson=code)
    assert not found.exception
    assert found.session_state["teach.lesson"].parts[0] == part


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
    (address,) = re.findall(rf'src="/embed/{FIRST}\?(.*?)"', text)
    values = dict(parse_qsl(unescape(address)))
    assert values["epsilon"] == "0.5"
    assert set(SPECS[FIRST].params.controls()) | {"v"} == set(values), (
        "no value is left to defaults"
    )
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
    ready = 3 + 5  # pictures of ready-made lessons, and the slides of the plan
    assert len(found.get("bidi_component")) - ready == 2, "the phone, and the figure to set"
    assert (LOOKING in [item.value for item in found.caption]) == noisy


def test_the_lesson_is_saved_in_the_address_and_the_phone_shows_it():
    found = app("teach")
    next(item for item in found.text_input if item.label == "Title").set_value("Monday").run()
    code = "".join(found.query_params["lesson"])
    assert unpacked(code).title == "Monday"
    assert app("teach", lesson=code).session_state["teach.lesson"].title == "Monday"
    (shown,) = [item for item in found.get("bidi_component") if "/handout/" in str(item.proto)]
    assert f"/handout/{code}" in str(shown.proto)


def test_each_ready_made_lesson_opens_with_its_picture():
    sent = [str(item.proto) for item in app("teach").get("bidi_component")]
    for page in ("mechanisms", "budget", "relevance"):
        (picture,) = [one for one in sent if f"ready_{page}" in one]
        assert "panels" in picture
        assert "later" not in picture


def test_the_second_phone_shows_purses_and_the_plan_plays_every_step_that_has_a_figure():
    sent = [str(item.proto) for item in app("teach").get("bidi_component")]
    (budget,) = [one for one in sent if "ready_budget" in one]
    assert '\\"coins\\"' in budget or '"coins"' in budget
    slides = [step.page for step in PLAN if any(f"slide_{step.page}" in one for one in sent)]
    assert slides == [step.page for step in PLAN[1:]]  # the first step is a question
    css = ready.CSS
    assert all(f"nth-child({k + 1})" in css for k in range(len(PLAN)))
    assert "@all@" not in css


def test_a_ready_made_lesson_becomes_the_lesson_of_this_session():
    found = app("teach")
    for name in (*READY, "plan"):
        found.button(key=f"teach.take.{name}").click().run()
        assert not found.exception
        taken = found.session_state["teach.lesson"]
        assert check(taken, lesson_pages(), tuple(titles())) == []
        assert unpacked("".join(found.query_params["lesson"])) == taken
        assert taken.exercises
    assert [step.page for step in PLAN] == [part.page for part in taken.parts]


def test_a_lesson_too_long_for_an_address_says_that_it_is_not_saved_there(monkeypatch):
    monkeypatch.setattr(view, "MOST_LINK", 10)
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
    link = dict(parse_qsl(after.parts[0].link))
    assert link == {"epsilon": "2", "locked": "epsilon", "v": LINK_VERSION}
    assert any("locked=epsilon" in item.value for item in found.code if "<iframe" in item.value)
    found.button(key="teach.ninety").click().run()
    assert not found.exception
    assert len(found.session_state["teach.lesson"].parts) == len(PLAN)
    again = app("teach", lesson="".join(found.query_params["lesson"]))
    assert again.session_state["teach.lesson"] == found.session_state["teach.lesson"], "a reload"


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


@pytest.fixture
def kept(tmp_path, monkeypatch):
    database = engine(f"sqlite:///{tmp_path / 'rooms.sqlite'}")
    found = Lessons(database)
    monkeypatch.setattr(housekeeping, "lessons", lambda: found)
    yield found
    database.dispose()


def link_of(found):
    return next(item.value for item in found.code if "/handout/" in item.value)


def test_the_qr_code_of_the_plan_is_short(kept):
    code = packed(lesson(PAGES, tuple(titles())))
    found = app("teach", lesson=code)
    assert link_of(found).endswith(code)
    found.button(key="teach.code").click().run()
    assert not found.exception
    short = link_of(found)
    assert len(short) < 60
    assert segno.make(f"https://dp.example.org/handout/{short[-10:]}", error="m").version <= 4
    assert any("dp-lesson-code" in item.proto.body for item in found.get("html"))
    pages = [routed(f"/handout/{end}", routes(specs, titles)) for end in (short[-10:], code)]
    assert pages[0] == pages[1]
    assert pages[0][0] == 200
    status, _, body = routed("/handout/nothing222", routes(specs, titles))
    assert (status, "No lesson is kept under “nothing222”" in body.decode()) == (400, True)


def test_where_the_server_keeps_no_lesson_the_long_link_stays(monkeypatch):
    def away():
        raise Refused("The database is away.", 503)

    monkeypatch.setattr(housekeeping, "lessons", away)
    found = app("teach")
    before = link_of(found)
    found.button(key="teach.code").click().run()
    assert not found.exception
    assert link_of(found) == before
    assert any("The database is away." in item.value for item in found.warning)
    status, headers, body = routed("/handout/nothing222", routes(specs, titles))
    assert (status, headers["retry-after"]) == (503, "10")
    assert "The database is away." in body.decode()


def test_a_lesson_comes_with_a_link_and_a_bad_one_is_said():
    given = Lesson(title="Mine", parts=(Shown(page=FIRST, link="epsilon=5"),))
    assert app("teach", lesson=packed(given)).session_state["teach.lesson"].title == "Mine"
    found = app("teach", lesson="nothing")
    assert not found.exception
    assert any("This link is damaged" in item.value for item in found.warning)
    assert "teach" in PAGES
