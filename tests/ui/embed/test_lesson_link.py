"""Lessons in links: read back as written; what a stranger packs costs little, and is refused in a sentence."""

import base64
import json
import zlib

import pytest
import yaml

from pages import handout, specs
from tests.ui.routed import routed
from ui.embed import lesson
from ui.embed.lesson import Lesson, LessonError, Shown
from ui.embed.lesson_link import MOST_LINK, packed, unpacked
from ui.embed.routes import routes

LESSON = Lesson(
    title='Was heißt "ε" [{,:}]? \\', exercises=("laplace-scale",), course="dp26.closed",
    parts=tuple(Shown(page="mechanisms", link="epsilon=0.5&locked=all", text="Look: {yes}?") for _ in range(12)),
)  # fmt: skip
SURROGATES = [
    {"title": "\ud800", "parts": [{"page": "mechanisms"}]},
    {"parts": [{"page": "mechanisms", "text": "\udfff"}]},
    {"parts": [{"page": "\ud800"}]},
    {"parts": [{"page": "mechanisms", "link": "epsilon=\ud800"}]},
    {"parts": [{"page": "mechanisms", "link": "locked=\ud800"}]},
    {"parts": [{"page": "mechanisms"}], "exercises": ["\ud800"]},
    {"parts": [{"page": "mechanisms"}], "course": "\ud800"},
    {"parts": [{"page": "mechanisms"}], "\ud800": 1},
    {"parts": [{"page": "mechanisms", "\ud800": "x"}]},
]


def link(text):
    body = zlib.compress(text if isinstance(text, bytes) else text.encode(), 9)
    return base64.urlsafe_b64encode(body).decode().rstrip("=")


def test_a_lesson_is_read_back_as_it_was_packed():
    assert unpacked(packed(LESSON)) == LESSON


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 19_999, "holds 19999 lists and values"),
        ("{" * 19_999, "holds 19999 lists"),
        ('{"parts":' + "[" * 900 + "]" * 900 + "}", "holds 901 lists"),
        ('{"parts":[' + "0," * 9000 + "0]}", "holds 9001 lists and values"),
        ('"' + '\\"' * 9990 + "\\", "damaged"),
        ("parts: [{page: mechanisms}]", "damaged"),
        ('{"version":' + "9" * 5000 + "}", "damaged"),
        ('{"version":' + "9" * 4000 + "}", "this app reads version 1"),
        ('{"parts":[{"page":"mechanisms"}],"exercises":[' + "9" * 4000 + "]}", "is not the name"),
        ('{"version":1e999}', "has to be of the kind int"),
        ("[]", "not a list of names"),
        ("null", "not a list of names"),
        (b"\xff", "damaged"),
        ("x" * 30_000, "damaged"),
    ],
)
def test_what_a_stranger_packs_is_refused_before_it_is_parsed(text, said, monkeypatch):
    monkeypatch.setattr(yaml, "scan", None)  # a link is JSON alone
    with pytest.raises(LessonError, match=said):
        unpacked(link(text))


def test_a_link_that_inflates_without_end_is_cut_off():
    with pytest.raises(LessonError, match="damaged"):
        unpacked(link(b" " * 2_000_000))
    with pytest.raises(LessonError, match=f"{MOST_LINK + 1} signs"):
        unpacked("a" * (MOST_LINK + 1))
    with pytest.raises(LessonError, match="damaged"):
        unpacked(packed(LESSON)[:-20])


@pytest.mark.parametrize("fields", SURROGATES, ids=lambda fields: json.dumps(fields)[:40])
@pytest.mark.parametrize(
    ("write", "said"),
    [
        (json.dumps, "a sign is damaged"),
        (yaml.safe_dump, "neither YAML nor JSON|a sign is damaged"),
    ],
)
def test_half_a_sign_is_refused_in_a_sentence(fields, write, said):
    with pytest.raises(LessonError, match=said) as caught:
        lesson.read(write(fields))
    assert str(caught.value).encode()


@pytest.mark.parametrize("text", [json.dumps(fields) for fields in SURROGATES])
def test_the_route_answers_a_damaged_link_with_a_page(text):
    served = routes(specs, handout.titles)
    status, headers, body = routed(f"/handout/{link(text)}", served)
    assert (status, headers["content-type"]) == (400, "text/html; charset=utf-8")
    assert "a sign is damaged" in body.decode()


@pytest.mark.parametrize(
    "text",
    ["[" * 19_999, "{a: " * 4900, "- " * 9990, "version: 0x" + "f" * 19_000, "0x" + "f" * 19_000 + ": 1",
     "parts: [{page: x}]\nexercises: [0x" + "f" * 19_000 + "]"],
)  # fmt: skip
def test_a_deep_or_huge_file_is_refused_in_a_sentence(text):
    with pytest.raises(LessonError) as caught:
        lesson.read(text)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)
