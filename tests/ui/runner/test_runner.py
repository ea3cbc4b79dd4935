"""The one runner of all pages: keys, drafts, cancelling, own data, growing results, words."""

import threading
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
import streamlit as st

from dpcore.experiments.params import Params, control
from ui.frame import page_spec
from ui.jobs import pools
from ui.jobs.pool import Jobs
from ui.live.component import Event
from ui.runner import Cancelled, Data, PageState, Pipeline, Stage, poll_backoff, previews


@dataclass(frozen=True)
class Numbers(Params):
    epsilon: float = control(1.0, grid=(0.5, 1.0, 2.0))
    clip_norm: float = control(1.0, symbol="C", grid=(1.0, 2.0, 3.0))
    dataset: str = control("moons", choices=("moons", "slow", "own"))


@dataclass
class Visitor:
    """A session of its own, and the jobs that all share."""

    state: dict[str, Any] = field(default_factory=dict)


class Gate:
    """A stage that begins, waits until it is let through, and counts."""

    def __init__(self, answer=lambda problem, params: "whole"):
        self.begun, self.through, self.seen, self.cut = threading.Event(), threading.Event(), [], 0
        self.answer = answer

    def __call__(self, problem, params, context):
        self.seen.append((problem, params))
        self.begun.set()
        while not self.through.wait(0.002):
            try:
                context.check()
            except Cancelled:
                self.cut += 1
                raise
        return self.answer(problem, params)


@pytest.fixture
def shared(monkeypatch):
    jobs = Jobs(workers=4, patience=30)
    monkeypatch.setattr(pools, "shared_jobs", lambda: jobs)
    yield jobs
    jobs.close()


@pytest.fixture
def enter(monkeypatch, shared):
    own = []

    def enter(visitor):
        monkeypatch.setattr(st, "session_state", visitor.state)
        visitor.state.setdefault("own_jobs", Jobs(workers=1, patience=30))
        own.append(visitor.state["own_jobs"])
        return visitor

    enter(Visitor())
    yield enter
    for jobs in own:
        jobs.close()


def until(found):
    for _ in range(2000):
        value = found()
        if value:
            return value
        threading.Event().wait(0.005)
    raise AssertionError("it never came")


def settled(pipeline, params, **options):
    return until(lambda: (lambda s: None if s.busy else s)(pipeline.state(params, **options)))


def one(run, **options):
    return Pipeline(name="page", stages=[Stage("sweep", run, **options)])


def test_what_a_stage_ignores_neither_reaches_it_nor_starts_it_again(enter):
    seen = []
    page = one(lambda problem, params, context: seen.append(params) or params, ignores=("epsilon",))
    first = settled(page, Numbers(epsilon=0.5))["sweep"]
    assert settled(page, Numbers(epsilon=2.0))["sweep"] is first
    assert seen == [Numbers()]
    assert settled(page, Numbers(clip_norm=2.0))["sweep"] == Numbers(clip_norm=2.0)


def test_a_stage_may_name_what_it_uses_or_how_it_sees_the_parameters(enter):
    stages = [
        Stage("uses", lambda problem, params, context: params, uses=("clip_norm",)),
        Stage("sees", lambda problem, params, context: params,
              sees=lambda p: p.but(clip_norm=min(p.clip_norm, 2.0))),
    ]  # fmt: skip
    found = settled(Pipeline(name="page", stages=stages), Numbers(epsilon=2.0, clip_norm=3.0))
    assert found["uses"] == Numbers(clip_norm=3.0)
    assert found["sees"] == Numbers(epsilon=2.0, clip_norm=2.0)


def test_two_sessions_with_other_parameters_get_each_its_own_and_share_the_same(enter):
    runs = []
    page = one(lambda problem, params, context: runs.append(params) or params.clip_norm)
    ada, grace = Visitor(), Visitor()
    for visitor, value in ((ada, 1.0), (grace, 2.0), (ada, 2.0), (grace, 1.0)):
        enter(visitor)
        assert settled(page, Numbers(clip_norm=value))["sweep"] == value
    assert len(runs) == 2


def test_a_draft_stands_in_while_a_handle_moves_and_until_there_is_better(enter):
    gate, drafts = Gate(), []

    def draft(problem, params, context):
        drafts.append(params)
        return "draft"

    page = one(gate, draft=draft, ignores=("epsilon",), doing="Training")
    assert page.state(Numbers(epsilon=2.0), dragging=True)["sweep"] == "draft"
    assert not gate.seen  # nothing starts while a handle moves
    assert drafts == [Numbers(epsilon=2.0)]
    for _ in range(3):
        state = page.state(Numbers(epsilon=2.0))
        assert (state["sweep"], state.busy.text) == ("draft", "Training")
    assert len(drafts) == 1  # made once while the page asks again and again
    gate.through.set()
    assert settled(page, Numbers(epsilon=2.0))["sweep"] == "whole"
    assert page.state(Numbers(), dragging=True)["sweep"] == "whole"


def test_growing_results_are_shown_and_only_the_last_is_whole(enter):
    gates = [threading.Event(), threading.Event()]

    def grow(problem, params, context):
        for k, gate in enumerate(gates):
            context.progress((k + 1) / 2, f"draw {k + 1}")
            yield k
            gate.wait(10)

    page = Pipeline(name="page", stages=[Stage("draws", grow, wait=10, doing="Drawing"),
                                         Stage("later", lambda *_: "later", after="draws")])  # fmt: skip
    first = page.state(Numbers())
    assert first["draws"] == 0
    assert first.busy.text.startswith("Drawing: draw 1")
    assert first.busy.progress == 0.5
    gates[0].set()
    until(lambda: page.state(Numbers())["draws"] == 1)
    assert page.state(Numbers()).busy
    assert page.state(Numbers())["later"] is None
    gates[1].set()
    assert settled(page, Numbers()).results == {"draws": 1, "later": "later"}


def test_a_result_that_is_whole_is_shown_while_the_one_before_it_is_made_anew(enter):
    gate = Gate()

    def first(problem, params, context):
        if params.epsilon == 2.0:
            gate(problem, params, context)
        return params.epsilon

    page = Pipeline(name="page", stages=[
        Stage("first", first),
        Stage("sweep", lambda *_: "sweep", ignores=("epsilon",), after="first"),
        Stage("later", lambda *_: "later", after="first"),
    ])  # fmt: skip
    settled(page, Numbers())
    moved = Numbers(epsilon=2.0)
    assert page.state(moved).results == {"sweep": "sweep"}
    gate.through.set()
    assert settled(page, moved).results == {"first": 2.0, "sweep": "sweep", "later": "later"}


def test_what_was_shown_before_is_there_until_something_new_can_take_its_place(enter):
    gate = Gate()

    def growing(problem, params, context):
        yield params.epsilon, "poor"
        if params.epsilon == 2.0:
            gate(problem, params, context)
        yield params.epsilon, "good"

    pipeline = one(growing, stays=lambda found: found[1] == "good")
    assert not settled(pipeline, Numbers()).before
    state = until(lambda: (found := pipeline.state(Numbers(epsilon=2.0))).results and found)
    before = state.before["sweep"]
    assert (before.params, before.value) == (Numbers(), (1.0, "good"))
    assert state["sweep"] == (2.0, "poor")
    # Nothing of 2.0 was worth its place: whoever goes on still sees what was there before.
    dragged = pipeline.state(Numbers(epsilon=0.5), dragging=True)
    assert dragged.before["sweep"].params == Numbers()
    assert not dragged.whole().before, "an export is of what there is"
    gate.through.set()
    assert not settled(pipeline, Numbers(epsilon=2.0)).before
    assert pipeline.state(Numbers(epsilon=0.5), dragging=True).before["sweep"].value == (
        2.0,
        "good",
    )
    enter(Visitor())
    assert not pipeline.state(Numbers(epsilon=0.5), dragging=True).before, "another session's"


def test_the_version_stays_while_only_progress_moves_and_changes_with_what_is_known(enter):
    steps = [threading.Event() for _ in range(3)]

    def growing(problem, params, context):
        context.progress(0.1, "one")
        assert steps[0].wait(30)
        context.progress(0.5, "two")
        assert steps[1].wait(30)
        yield "part"
        assert steps[2].wait(30)
        yield "whole"

    page, params = one(growing), Numbers()
    first = until(lambda: (s := page.state(params)).busy and "one" in s.busy.text and s)
    steps[0].set()
    later = until(lambda: (s := page.state(params)).busy and "two" in s.busy.text and s)
    assert later.busy != first.busy
    assert later.version == first.version
    steps[1].set()
    part = until(lambda: (s := page.state(params))["sweep"] == "part" and s)
    steps[2].set()
    whole = settled(page, params)
    other = settled(page, params.but(epsilon=2.0))
    assert len({first.version, part.version, whole.version, other.version}) == 4


def test_a_stage_of_another_is_made_anew_for_each_better_result(enter):
    gate, given = threading.Event(), []

    def grow(problem, params, context):
        yield "rough"
        gate.wait(10)
        yield "fine"

    def worlds(problem, params, context):
        given.append(context.source)
        return f"worlds of {context.source}"

    page = Pipeline(name="page", stages=[Stage("fits", grow, wait=10, draft=lambda *_: "draft"),
                                         Stage("worlds", worlds, of="fits", behind=False)])  # fmt: skip
    assert page.state(Numbers(), dragging=True)["worlds"] == "worlds of draft"
    assert page.state(Numbers())["worlds"] == "worlds of rough"
    page.state(Numbers())
    gate.set()
    assert settled(page, Numbers())["worlds"] == "worlds of fine"
    assert given == ["draft", "rough", "fine"]
    assert page.known(Numbers(clip_norm=2.0)).now("worlds") == "worlds of fine"


def test_cancel_stops_every_stage_and_preview_that_was_started(enter):
    gates = {name: Gate() for name in ("sweep", "preview clip_norm", "preview epsilon", "spread")}
    page = Pipeline(name="page", stages=[
        Stage("first", lambda *_: "there", wait=10),
        Stage("sweep", gates["sweep"], after="first"),
        *[s for c in ("clip_norm", "epsilon") for s in previews(gates[f"preview {c}"], c)],
        Stage("spread", gates["spread"], on_demand=True),
    ])  # fmt: skip
    page.state(Numbers(), near=("clip_norm", "epsilon"))
    page.ask("spread", Numbers())
    assert all(gate.begun.wait(10) for gate in gates.values())
    assert page.cancel(Numbers()) == Numbers()
    until(lambda: all(gate.cut for gate in gates.values()))
    state = settled(page, Numbers())
    assert state.results == {
        "first": "there"
    }  # what was cut short is not there; what is whole stays
    assert all(len(gate.seen) == 1 for gate in gates.values())
    assert page.ask("spread", Numbers()).cancelled
    page.state(Numbers(clip_norm=2.0))
    page.state(Numbers())  # the person comes back to it
    until(lambda: len(gates["sweep"].seen) == 3)


def test_what_one_session_stops_goes_on_for_another_that_waits_for_it(enter):
    gate = Gate()
    page = one(gate)
    ada, grace = Visitor(), Visitor()
    for visitor in (ada, grace):
        enter(visitor)
        page.state(Numbers())
    enter(ada)
    page.cancel(Numbers())
    until(lambda: gate.cut)
    assert not settled(page, Numbers()).results
    gate.through.set()
    enter(grace)
    assert settled(page, Numbers())["sweep"] == "whole"


@pytest.mark.parametrize("minds", [True, False])
def test_a_cut_result_is_never_kept_as_whole(enter, shared, minds):
    begun, told = threading.Event(), threading.Event()

    def swallows(problem, params, context):
        begun.set()
        told.wait(10)
        try:
            context.check()
        except Cancelled:
            if minds:
                raise
        return "half"

    page = one(swallows)
    page.state(Numbers())
    assert begun.wait(10)
    page.cancel(Numbers())
    told.set()
    until(lambda: shared.peek(("page", "sweep", "", Numbers(), None)).done)
    assert page.state(Numbers()).results == {}
    assert page.known(Numbers()).results == {}


def test_work_that_nobody_asks_for_stops_and_starts_again(enter, monkeypatch):
    jobs, gate = Jobs(patience=0.05), Gate()
    monkeypatch.setattr(pools, "shared_jobs", lambda: jobs)
    page = one(gate)
    page.state(Numbers())
    until(lambda: gate.cut)
    gate.through.set()
    assert settled(page, Numbers())["sweep"] == "whole"
    jobs.close()


@pytest.mark.parametrize("behind", [True, False])
def test_bad_input_becomes_its_sentence_and_is_tried_again_by_whoever_comes_back(enter, behind):
    wrong = [True]

    def run(problem, params, context):
        if wrong[0]:
            raise ValueError("clip_norm=-1 is not allowed: give a number above 0.")
        return "right"

    page = one(run, behind=behind)
    assert settled(page, Numbers()).problems == [
        "clip_norm=-1 is not allowed: give a number above 0."
    ]
    assert settled(page, Numbers()).error  # not tried again and again
    wrong[0] = False
    settled(page, Numbers(clip_norm=2.0))
    assert settled(page, Numbers())["sweep"] == "right"


def test_a_bug_is_named_by_its_class_alone(enter):
    def run(problem, params, context):
        raise KeyError("secret cell")

    error = settled(one(run), Numbers()).error
    assert "KeyError" in error
    assert "secret" not in error


def owning(**options):
    data = Data("data", lambda upload, params, context: upload or params.dataset, uses=("dataset",),
                own="own_table", instead={"dataset": "moons"}, shown="Moons are shown.")  # fmt: skip
    stages = [Stage("sweep", lambda problem, params, context: (problem, params.clip_norm), wait=10),
              Stage("blind", lambda problem, params, context: problem, uses=("clip_norm",))]  # fmt: skip
    return Pipeline(name="page", data=data, stages=stages, **options)


class Table:
    """An upload; all of them have the same address, as far as anybody can tell."""


def test_own_data_are_known_by_their_upload_and_stay_in_their_session(enter, shared, monkeypatch):
    monkeypatch.setattr("builtins.id", lambda _: 1)
    page, visitor = owning(), enter(Visitor())
    first, second = Table(), Table()
    visitor.state["own_table"] = first
    assert settled(page, Numbers(dataset="own"))["sweep"] == (first, 1.0)
    visitor.state["own_table"] = second
    assert settled(page, Numbers(dataset="own"))["sweep"] == (second, 1.0)
    assert {key[1] for key in shared._jobs} == {"blind"}  # which knows no table
    assert settled(page, Numbers(dataset="own")).results.get("blind") is None


def test_exports_of_own_data_belong_to_who_sees_the_page(enter):
    page, found = owning(), []
    nobody = Visitor()
    for _ in range(2):
        visitor = enter(Visitor())
        visitor.state["own_table"] = Table()
        state = page.known(Numbers(dataset="own"))
        enter(nobody)  # downloads are made in threads that belong to no session
        found.append((state.now("sweep"), (visitor.state["own_table"], 1.0)))
    assert all(made == meant for made, meant in found)
    assert list(nobody.state) == ["own_jobs"]  # which the test itself has put there


def test_drafts_are_kept_for_all_sessions_and_those_of_own_data_for_theirs_alone(enter):
    made = []

    def draft(problem, params, context):
        made.append((problem, params.clip_norm))
        return made[-1]

    data = Data("data", lambda upload, params, context: upload or params.dataset, uses=("dataset",),
                own="own_table")  # fmt: skip
    page = Pipeline(name="page", data=data, stages=[Stage("sweep", Gate(), draft=draft)])
    tables = Table(), Table()
    for table in tables:
        enter(Visitor()).state["own_table"] = table
        for dataset, problem in (("moons", "moons"), ("own", table)):
            for clip in (1.0, 2.0, 3.0, 1.0):  # a handle comes by again
                state = page.state(Numbers(clip_norm=clip, dataset=dataset), dragging=True)
                assert state["sweep"] == (problem, clip)
    assert made == [(problem, c) for problem in ("moons", *tables) for c in (1.0, 2.0, 3.0)]


def test_own_data_that_are_not_there_are_said_and_others_shown(enter):
    state = settled(owning(), Numbers(dataset="own"))
    assert state.said.startswith("Your own table is not in use yet")
    assert state.said.endswith("Moons are shown.")
    assert (state.problem, state.params.dataset) == ("moons", "moons")


@pytest.mark.parametrize("meanwhile", [{}, {"dataset": "moons"}])
def test_data_are_read_behind_while_others_or_none_are_shown(enter, meanwhile):
    gate = Gate(lambda upload, params: params.dataset)

    def load(upload, params, context):
        return gate(upload, params, context) if params.dataset == "slow" else "moons"

    started = []
    page = Pipeline(
        name="page",
        data=Data("data", load, uses=("dataset",), meanwhile=meanwhile, doing="Reading",
                  behind=lambda _, params: params.dataset == "slow"),
        stages=[Stage("here", lambda problem, params, context: f"here {problem}", behind=False),
                Stage("sweep", lambda *_: started.append(1) or "whole")],
    )  # fmt: skip
    slow = Numbers(dataset="slow")
    state, version = page.state(slow), page.words_version(slow)
    assert state.busy.text == "Reading"
    assert state.problem == ("moons" if meanwhile else None)
    assert state.results == ({"here": "here moons"} if meanwhile else {})
    assert not started
    assert page.cancel(slow) == slow.but(**meanwhile)
    until(lambda: gate.cut)
    page.state(Numbers())
    page.state(slow)
    gate.through.set()
    state = settled(page, slow)
    assert (state.problem, state.params, state["here"]) == ("slow", slow, "here slow")
    assert page.words_version(slow) != version


def test_words_are_older_than_results_once_what_they_tell_of_is_there(enter):
    gate = Gate()
    page = Pipeline(name="page", words=("told",), stages=[
        Stage("told", gate), Stage("silent", lambda *_: "there", wait=10)])  # fmt: skip
    before = page.words_version(Numbers())
    page.state(Numbers())
    assert page.words_version(Numbers()) == before
    gate.through.set()
    settled(page, Numbers())
    after = page.words_version(Numbers())
    assert after != before
    assert page.words_version(Numbers()) == after


def test_exports_get_the_whole_result_now_and_once(enter):
    runs = []

    def grow(problem, params, context):
        runs.append(params)
        context.progress(0.5)
        context.check()
        yield "rough"
        yield "fine"

    page = one(grow, ignores=("epsilon",))
    assert page.known(Numbers()).results == {}
    state = page.known(Numbers(epsilon=2.0))
    assert state.newest("sweep") is None
    assert state.now("sweep") == state.now("sweep") == state.newest("sweep") == "fine"
    assert page.known(Numbers()).now("sweep") == "fine"
    assert page.state(Numbers())["sweep"] == "fine"
    assert page.still(Numbers(), "sweep").results == {"sweep": "fine"}
    assert len(runs) == 1


def test_a_preview_holds_its_control_and_names_it(enter):
    def along(problem, params, context):
        return [at.clip_norm for at in context.along(params)]

    page = Pipeline(
        name="page", stages=previews(along, "clip_norm", doing="Ahead along {}", wait=10)
    )
    state = settled(page, Numbers(clip_norm=3.0))
    assert state.previews() == {"clip_norm": [1.0, 2.0, 3.0]}
    gate = Gate()
    page = Pipeline(name="other", stages=previews(gate, "clip_norm", doing="Ahead along {}"))
    assert page.state(Numbers()).busy.text == "Ahead along C"
    page.state(Numbers(clip_norm=2.0))
    assert len(gate.seen) == 1
    gate.through.set()


def test_a_stage_that_is_not_shown_does_not_start(enter):
    gate = Gate()
    page = one(gate, when=lambda problem, params: params.clip_norm > 1)
    assert settled(page, Numbers()).results == {}
    assert not gate.seen


def test_a_result_that_no_longer_holds_is_made_again(enter):
    runs, good = [], [True]
    page = one(lambda *_: runs.append(1) or "whole", holds=lambda problem, value: good[0])
    settled(page, Numbers())
    settled(page, Numbers())
    assert len(runs) == 1
    good[0] = False
    page.state(Numbers())
    good[0] = True
    settled(page, Numbers())
    assert len(runs) == 2


def test_the_oldest_results_leave_when_their_arrays_are_too_many(enter, monkeypatch):
    jobs = Jobs(max_bytes=1000)
    monkeypatch.setattr(pools, "shared_jobs", lambda: jobs)
    page = one(lambda *_: {"array": [np.zeros(50)]})
    for value in (1.0, 2.0, 3.0):
        settled(page, Numbers(clip_norm=value))
    page.state(Numbers(clip_norm=3.0))
    assert page.known(Numbers(clip_norm=1.0)).results == {}
    assert page.known(Numbers(clip_norm=3.0))["sweep"]
    jobs.close()


def test_a_state_can_be_made_by_hand():
    state = PageState(params=Numbers(), results={"sweep": 1, "preview clip_norm": 2})
    assert (state["sweep"], state["draws"], state.previews()) == (1, None, {"clip_norm": 2})
    assert state.problems == []


def test_a_stage_of_a_closed_tab_starts_when_its_tab_is_opened(enter):
    calls, gate = [], Gate()
    page = Pipeline(name="page", tab="Map", stages=[
        Stage("seen", lambda *_: calls.append("seen") or 1, wait=10),
        Stage("first", lambda *_: calls.append("first") or 2, tabs=("Map",), wait=10),
        Stage("other", gate, tabs=("Two worlds", "Audit")),
    ])  # fmt: skip
    state = page.state(Numbers())
    assert (state["seen"], state["first"], state["other"], state.busy) == (1, 2, None, None)
    assert not gate.begun.wait(0.1)
    assert page.state(Numbers(), tab="Audit").busy is not None
    assert gate.begun.wait(10)
    assert page.state(Numbers(), tab="Map").busy is None  # it may go on, but nobody waits for it
    gate.through.set()
    settled(page, Numbers(), tab="Audit")
    assert page.state(Numbers(), tab="Map")["other"] == "whole"
    assert calls == ["seen", "first"]


def test_previews_come_after_all_else_and_one_by_one_where_nobody_knows_which_is_near(enter):
    gates = {name: Gate() for name in ("sweep", "preview clip_norm", "preview epsilon")}
    page = Pipeline(name="page", stages=[
        *[s for c in ("clip_norm", "epsilon") for s in previews(gates[f"preview {c}"], c)],
        Stage("sweep", gates["sweep"]),
    ])  # fmt: skip
    for name in ("sweep", "preview clip_norm", "preview epsilon"):
        page.state(Numbers())
        assert gates[name].begun.wait(10)
        page.state(Numbers())
        later = list(gates)[list(gates).index(name) + 1 :]
        assert not any(gates[other].begun.is_set() for other in later)
        gates[name].through.set()
        until(lambda name=name: page.state(Numbers())[name])
    assert page.state(Numbers()).busy is None


def test_where_the_browser_tells_which_handles_are_near_only_they_are_drawn_ahead(enter):
    gates = {name: Gate() for name in ("sweep", "preview clip_norm", "preview epsilon")}
    page = Pipeline(name="page", stages=[
        Stage("sweep", gates["sweep"]),
        *[s for c in ("clip_norm", "epsilon") for s in previews(gates[f"preview {c}"], c)],
    ])  # fmt: skip
    page.state(Numbers(), near=())
    assert gates["sweep"].begun.wait(10)
    page.state(Numbers(), near=("epsilon",))
    assert gates["preview epsilon"].begun.wait(10)  # at once: the hand is nearly there
    for gate in gates.values():
        gate.through.set()
    settled(page, Numbers(), near=("epsilon",))
    assert not gates["preview clip_norm"].begun.is_set()


def test_no_preview_starts_after_everything_was_stopped(enter):
    gate, calls = Gate(), []
    page = Pipeline(name="page", stages=[
        Stage("sweep", gate), *previews(lambda *_: calls.append(1), "clip_norm"),
    ])  # fmt: skip
    page.state(Numbers())
    assert gate.begun.wait(10)
    page.cancel(Numbers())
    settled(page, Numbers())
    assert calls == []


def test_one_more_better_result_is_news_but_no_milestone_and_a_growing_preview_neither(enter):
    seen, steps = [], {name: threading.Semaphore(0) for name in ("sweep", "preview clip_norm")}

    def growing(name):
        def run(problem, params, context):
            for value in range(3):
                assert steps[name].acquire(
                    timeout=60
                )  # a job that waits for ever keeps the process
                yield value

        return run

    page = Pipeline(name="page", stages=[
        Stage("sweep", growing("sweep")), *previews(growing("preview clip_norm"), "clip_norm"),
    ])  # fmt: skip

    def after(name, met):
        steps[name].release()
        until(lambda: met(page.state(Numbers(), near=("clip_norm",))))
        return page.state(Numbers(), near=("clip_norm",))

    one = after("sweep", lambda state: state["sweep"] == 0)
    two = after("sweep", lambda state: state["sweep"] == 1)
    assert one.version != two.version
    assert one.milestone == two.milestone
    steps["preview clip_norm"].release(2)
    until(lambda: "preview clip_norm" in page.state(Numbers(), near=("clip_norm",)).look.shots)
    seen = page.state(Numbers(), near=("clip_norm",))
    assert (seen.version, seen["preview clip_norm"]) == (two.version, None)
    whole = after("sweep", lambda state: state["sweep"] == 2)
    assert whole.version != two.version
    steps["preview clip_norm"].release()
    settled(page, Numbers(), near=("clip_norm",))


def test_a_better_picture_of_the_same_result_waits_longer_each_time(monkeypatch, enter):
    now, phase = [100.0], "commit"
    monkeypatch.setattr(poll_backoff.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(page_spec.component, "event", lambda key: Event(phase=phase))

    def sent(milestone):
        state = PageState(params=Numbers(), milestone=milestone)
        if poll_backoff.can_wait("page", state):
            return False
        poll_backoff.note_sent("page", state)
        return True

    assert sent("a")
    phase = "tick"
    times = []
    for _ in range(400):
        now[0] += 0.25
        if sent("a"):
            times.append(now[0] - 100)
    assert times == [1, 3, 7, 15, 31, 47, 63, 79, 95]
    now[0] += 0.25
    assert sent("b")  # a stage is whole, or something else is there
    phase = "commit"
    assert sent("b")  # the reader did something
