"""Whatever is sent is answered: with a value or a sentence, never a foreign error, never a hang.

``make test`` runs a part; ``DPCORE_FUZZ=full`` (``make audit``) all 5,000 links, 2,000 events and 200
files. Every case is made from its number alone, so that a failure names what repeats it.
"""

import json
import math
import os
import random
import warnings
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.testing.v1 import AppTest

from dpcore.datasets import DataError, Limits, read_csv
from dpcore.experiments import budget
from pages import specs
from tests.fuzz.cases import event, file, ledger, link, watched
from tests.ui.words.test_escape import outside
from ui.frame import controls
from ui.frame.page_spec import PageSpec
from ui.live import component, inbox
from ui.words import escape

ROOT = Path(__file__).resolve().parents[2]
FULL = os.environ.get("DPCORE_FUZZ") == "full"
LINKS, EVENTS, FILES, LEDGERS, VISITS = (
    (5000, 2000, 200, 300, 240) if FULL else (900, 450, 60, 12, 6)
)
SPECS = [spec for spec in specs() if isinstance(spec, PageSpec)]
CLASSES = {spec.key: spec.params for spec in SPECS}
# Pages that a visit of its own costs little: nothing of theirs is computed behind.
QUICK = [spec.key for spec in SPECS if not any(stage.behind for stage in spec.pipeline.stages)]


def check(problems):
    for sentence in problems:
        shown = escape.plain(sentence)
        assert len(sentence) < 700
        assert "Exceeds the limit" not in sentence
        assert not any(mark in outside(shown) for mark in "[]<>$`|*")


@pytest.mark.parametrize("name", CLASSES)
def test_every_link_gives_parameters_and_sentences(name):
    cls = CLASSES[name]
    for number in range(LINKS // len(CLASSES)):
        draw = random.Random(f"link {name} {number}")
        asked = link(cls, draw)
        with watched(2):
            params, problems = cls.from_link(asked)
            check(problems)
            assert cls.from_link(params.to_link()) == (params, []), (name, number)
            assert params.to_code()


@pytest.mark.parametrize("name", CLASSES)
def test_every_event_gives_parameters_and_sentences(name):
    cls = CLASSES[name]
    for number in range(EVENTS // len(CLASSES)):
        text = event(cls, random.Random(f"event {name} {number}"))
        sent = BackMsg()
        widget = sent.rerun_script.widget_states.widgets.add()
        widget.id, widget.json_value = "figure", text
        with watched(2):
            got = BackMsg()
            got.ParseFromString(inbox.bounded(sent.SerializeToString()))
            (kept,) = got.rerun_script.widget_states.widgets
            state = json.loads(kept.json_value)
            told = component.read(state.get("event"))
            params, problems = controls.apply(cls(), told.values)
            check([*problems, inbox.REFUSED.get(told.action, "")])
            assert cls.from_link(params.to_link()) == (params, []), (name, number)


def test_every_file_is_a_table_or_a_sentence():
    for number in range(FILES):
        content = file(random.Random(f"file {number}"))
        with warnings.catch_warnings(), watched(5):
            warnings.simplefilter("error")
            try:
                table = read_csv(content, limits=Limits())
                assert all(escape.code(name) for name in table.numeric), number
            except DataError as error:
                check([str(error)])


@pytest.mark.parametrize(
    "text", ["G0.001", "L1e5", "S0.001/0.5/10", "E1e5", "S1e-3/1e-4/1e5*10000"]
)
def test_a_ledger_at_the_end_of_its_range_has_a_total(text):
    with watched(5):
        found = budget.totals(budget.entries(text), 1e-5)
    assert 0 < found.pld <= min(found.basic, found.rdp) * (1 + 1e-9)
    assert not found.tight


def test_every_ledger_has_a_total_or_a_sentence():
    for number in range(LEDGERS):
        text = ledger(random.Random(f"ledger {number}"))
        with watched(5):
            try:
                found = budget.entries(text)
            except ValueError as error:
                check([str(error)])
                continue
            total = budget.totals(found, 1e-5)
        assert all(map(math.isfinite, (total.basic, total.rdp, total.pld, *total.single))), text
        assert total.pld <= min(total.basic, total.rdp) * (1 + 1e-9), text


def test_every_visit_shows_a_page():
    app = AppTest.from_file(str(ROOT / "pages" / "main.py"), default_timeout=120).run()
    for number in range(VISITS):
        name = QUICK[number % len(QUICK)]
        app.switch_page(f"{name}/page.py")
        for key, value in link(CLASSES[name], random.Random(f"visit {number}")).items():
            app.query_params[key] = value.encode("utf-8", "replace").decode()
        app.run()
        assert not app.exception, (name, number)
        assert app.get("bidi_component"), (name, number)
