"""Markup of an exercise on the static site: text, fields, hints, and the data for checks in the browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from dpcore.exercises import ExerciseInstance
from ui.embed import markup
from ui.static_site.parts import APP
from ui.static_site.prose import inline, to_html
from ui.words.text import load_text
from ui.words.typeset import typeset

__all__ = ["introduction", "section"]

T = load_text(__file__)


def introduction(n_checked: int, n: int) -> str:
    """Return the sentences above the exercises, on what is checked here and what is not."""
    return f'<p class="dp-site-note">{escape(T("exercises.about", checked=n_checked, n=n))} {_get()}</p>'


def section(
    instance: ExerciseInstance,
    checks: Sequence[Mapping[str, Any]] | None,
    *,
    salt: str,
    figure: str,
) -> str:
    """Return an exercise, folded.

    Parameters
    ----------
    instance : ExerciseInstance
        The exercise with its numbers.
    checks : sequence of mapping, or None
        What `dpcore.exercises.offline.checks` has returned for it.
    salt : str
        The salt of the checks.
    figure : str
        HTML of the figure or of the link to it, "" for none.
    """
    exercise = instance.exercise
    if checks is None:
        work = f'<p class="dp-site-note">{escape(T("exercises.needs"))} {_get()}</p>'
    else:
        spec = {
            "salt": salt,
            "parts": list(checks),
            **{name: T(f"exercises.{name}") for name in ("right", "wrong", "empty", "unread", "upside_down")},
        }  # fmt: skip
        fields = "".join(_fields(part, exercise.key) for part in instance.public()["parts"])
        work = (
            f'<form class="dp-site-answer" novalidate data-checks="{exercise.key}-checks">{fields}'
            f'<button type="submit">{escape(T("exercises.check"))}</button></form>'
            f'<script type="application/json" id="{exercise.key}-checks">{markup.as_json(spec)}</script>'
        )
    return (
        f'<details class="dp-site-exercise" id="{exercise.key}"><summary>{escape(exercise.title)} '
        f"<small>{escape(exercise.topic)}, {escape(T('exercises.level', level=exercise.level))}</small></summary>"
        f'<div class="dp-site-two"><div>{to_html(typeset(instance.text))}{work}{_hints(instance)}</div>'
        f"<div>{figure}</div></div></details>"
    )


def _get() -> str:
    return f'<a href="{APP}">{escape(T("page.get"))}</a>'


def _hints(instance: ExerciseInstance) -> str:
    return "".join(
        f"<details><summary>{escape(T('exercises.hint', n=place + 1))}</summary>"
        f"{to_html(typeset(instance.hint(place)))}</details>"
        for place in range(len(instance.exercise.hints))
    )


def _fields(part: Mapping[str, Any], key: str) -> str:
    """Return the HTML of the input fields of a question, and of the element for the reply."""
    unit = f" ({part['unit']})" if part.get("unit") else ""
    label, name = inline(typeset(f"{part['label']}{unit}")), part["name"]
    match part["kind"]:
        case "choice":
            content = f"<legend>{label}</legend>" + "".join(
                f'<label><input type="radio" name="{name}" value="{letter}"> '
                f"<span>{inline(typeset(option))}</span></label>"
                for letter, option in part["options"].items()
            )
        case "steps":
            rows = "".join(
                f"<li><b>{letter}</b> {inline(typeset(step))}</li>"
                for letter, step in part["steps"].items()
            )
            content = f"<legend>{label}</legend><ul>{rows}</ul>" + _input(
                name, escape(T("exercises.order"))
            )
        case "interval":
            content = f"<legend>{label}</legend>" + "".join(
                _input(name, escape(T(f"exercises.{end}"))) for end in ("lower", "upper")
            )
        case _:
            content = _input(name, label)
    return f'<fieldset class="dp-site-question" data-part="{name}">{content}<div role="status"></div></fieldset>'


def _input(name: str, label: str) -> str:
    return (
        f'<label><span>{label}</span> <input type="text" name="{name}" maxlength="60" autocomplete="off" '
        'spellcheck="false"></label>'
    )
