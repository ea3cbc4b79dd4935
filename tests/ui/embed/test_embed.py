"""One figure by itself: what a link may ask for, what is fixed is not sent, how many bytes it takes."""

import gzip
import json
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

import pytest
import streamlit as st

from pages import specs
from tests.ui.routed import routed
from ui.embed import markup, render_jobs
from ui.embed.query import MOST, parse_request
from ui.embed.restrict_figure import lighter, part
from ui.embed.routes import MOST_BYTES, routes
from ui.frame.controls import LINK_VERSION
from ui.frame.page_spec import PageSpec, shown
from ui.live import Busy
from ui.live.depth import Depth
from ui.server.array_routes import ROUTES
from ui.web import static_files

SPECS = {spec.key: spec for spec in specs() if isinstance(spec, PageSpec)}
FIRST = next(iter(SPECS))
QUICK = [key for key in SPECS if key in ("mechanisms", "budget", "descent", "kahm")]
ALL = [*routes(specs), *ROUTES]


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


def answered(path, **headers):
    return Answer(*routed(path, ALL, **headers))


def figure_in(body):
    (found,) = re.findall(r'id="figure">(.*?)</script>', body.decode(), re.S)
    return json.loads(found)


@pytest.mark.parametrize("key", QUICK)
def test_a_figure_with_its_modules_and_arrays_is_small(key):
    answer = answered(f"/embed/{key}", accept_encoding="gzip")
    for _ in range(200):
        if answer.status != 202:
            break
        time.sleep(0.5)  # the outcomes of Gradient descent take a while to compute
        answer = answered(f"/embed/{key}", accept_encoding="gzip")
    assert answer.status == 200
    told = figure_in(gzip.decompress(answer.body))
    arrays = [answered(file["url"], accept_encoding="gzip").body for file in told["files"]]
    total = static_files.weight() + len(answer.body) + sum(map(len, arrays))
    assert total <= MOST_BYTES == 150_000
    assert any(not (item["disabled"] or item["hidden"]) for item in told["controls"])
    server = [item for item in told["controls"] if item["mode"] == "server" and not item["hidden"]]
    assert all(item["disabled"] and item["why"] for item in server)


@pytest.mark.parametrize("key", [key for key in QUICK if key != "descent"])
def test_what_is_locked_or_hidden_is_fixed_and_its_other_values_are_not_sent(key):
    spec = SPECS[key]
    whole = shown(spec, spec.pipeline.still(spec.params()), Depth.LOOK)
    follows = [name for name, array in whole.arrays.items() if "epsilon" in array.dims]
    assert follows
    fixed = part(whole, locked=("epsilon",))
    (slider,) = [item for item in fixed.controls if item.name == "epsilon"]
    assert slider.disabled
    assert slider.why
    for name in set(follows) & set(fixed.arrays):
        assert "epsilon" not in fixed.arrays[name].dims
        assert fixed.evaluate(name) == pytest.approx(whole.evaluate(name), nan_ok=True)
    assert sum(a.values.nbytes for a in fixed.arrays.values()) < sum(
        a.values.nbytes for a in part(whole).arrays.values()
    )
    assert all("epsilon" not in text.dims for text in fixed.texts)
    (unseen,) = [c for c in part(whole, hidden=("epsilon",)).controls if c.name == "epsilon"]
    assert unseen.hidden


@pytest.mark.parametrize("key", SPECS)
def test_every_figure_of_every_depth_has_its_part(key):
    spec = SPECS[key]
    stages = [stage for stage in spec.card.stages if key in QUICK] if spec.card else []
    state = spec.pipeline.still(spec.params(), *stages)
    for depth in (Depth.LOOK, Depth.CHECK):
        whole = shown(spec, state, depth)
        assert part(whole, locked=tuple(spec.params.controls())).panels
    found = part(shown(spec, state, Depth.LOOK))
    while found is not None:
        assert found.panels
        found = lighter(found)


@pytest.mark.parametrize(
    "key", [key for key in SPECS if key in ("mechanisms", "regression", "kahm")]
)
def test_a_figure_for_a_file_is_whole(key):
    made = render_jobs.still(parse_request(SPECS[key], {}))
    assert made.figure is not None
    assert made.figure.panels
    assert made.problems == ()
    assert made.state.problem is not None or SPECS[key].pipeline.data is None


def test_bad_states_get_a_sentence():
    found = parse_request(
        SPECS[FIRST], {"epsilon": "x", "locked": "epsilon,lid", "depth": "far", "theme": "pink"}
    )
    assert found.locked == ("epsilon",)
    assert found.depth is Depth.LOOK
    assert [text.partition(" ")[0] for text in found.problems] == [
        "The", "The", "The", "locked=lid:",
    ]  # fmt: skip
    body = answered(f"/embed/{FIRST}?panel=none&epsilon=<b>").body.decode()
    assert "panel=none: there is no such panel" in body
    assert "to “&lt;b&gt;”. It can be " in body
    assert answered("/embed/none").status == 404
    assert "There is no figure “none”" in answered("/embed/none").body.decode()
    assert answered(f"/embed/{FIRST}?x={'y' * MOST}").status == 400


def test_an_embedded_figure_names_what_its_link_sets_in_vain():
    found = parse_request(
        SPECS[FIRST], {"lid": "1", "v": "99", "panel": "x", "seed": "3", "theme": "dark"}
    )
    assert [text.partition(";")[0] for text in found.problems] == [
        "This link is of version 99",
        "The link sets “lid”, which this page does not have: it changes nothing.",
    ]
    assert parse_request(SPECS[FIRST], {"a": "", "b": "1"}).problems == (
        "The link sets “a”, “b”, which this page does not have: they change nothing.",
    )


@pytest.mark.parametrize("key", SPECS)
def test_a_changed_default_changes_no_slide(key, monkeypatch):
    spec = SPECS[key]
    query = parse_request(spec, {}).whole_query()
    assert query["v"] == LINK_VERSION
    assert len(urlencode(query)) < MOST / 2
    controls = {
        name: replace(item, default=(item.grid or item.choices or [item.default])[-1])
        for name, item in spec.params.controls().items()
    }
    before = spec.params()
    monkeypatch.setattr(spec.params, "controls", classmethod(lambda cls: controls))
    assert parse_request(spec, query).params == before


def test_a_table_of_ones_own_is_not_shown():
    spec = next(s for s in SPECS.values() if s.pipeline.data and s.pipeline.data.own)
    choice = spec.pipeline.data.choice
    found = parse_request(spec, {choice: "own"})
    assert getattr(found.params, choice) != "own"
    assert "cannot be shown here" in found.problems[0]


def test_what_is_being_computed_says_so_and_the_browser_asks_again(monkeypatch):
    spec = SPECS[FIRST]
    state = type(spec.pipeline.still(spec.params()))
    waits = state(params=spec.params(), busy=Busy(progress=0.4, text="<Training>"))
    monkeypatch.setattr(type(spec.pipeline), "state", lambda self, params, **how: waits)
    answer = answered(f"/embed/{FIRST}")
    assert (answer.status, answer.headers["retry-after"]) == (202, "2")
    assert answer.headers["cache-control"] == "no-store"
    text = answer.body.decode()
    assert "is being computed (&lt;Training&gt;)" in text
    assert '<meta http-equiv="refresh" content="2">' in text


def test_only_so_many_states_are_computed_at_a_time(monkeypatch):
    monkeypatch.setattr(
        render_jobs, "_WAITING", {("page", k): 1e12 for k in range(render_jobs.MOST_AT_ONCE)}
    )
    answer = answered(f"/embed/{FIRST}")
    assert (answer.status, answer.headers["retry-after"]) == (503, "10")
    assert "Many figures are being computed" in answer.body.decode()


def test_pages_without_streamlit_load_the_font_of_the_application():
    address = re.search(r"url\(/(static/[^)]+)\)", markup.note("title", "text"))
    assert address is not None
    assert (Path(st.__file__).parent / "static" / address[1]).is_file()
