"""Lessons encoded in links: compressed text, short enough for a QR code, parsed with size limits."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from dataclasses import asdict

from ui.embed.lesson import Lesson, LessonError, read
from ui.words.text import beside

__all__ = ["packed", "unpacked"]

T = beside(__file__)
_MOST = 20_000  # signs of a lesson


def packed(lesson: Lesson) -> str:
    """Return a lesson as text for a link; whether a handout contains solutions is left out."""
    parts = [{k: v for k, v in asdict(part).items() if v} for part in lesson.parts]
    fields = {"title": lesson.title, "parts": parts, "exercises": list(lesson.exercises)}
    fields |= {"course": lesson.course} if lesson.course else {}
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(zlib.compress(text, 9)).decode("ascii").rstrip("=")


def unpacked(text: str) -> Lesson:
    """Return the lesson that `packed` has encoded in a link.

    Raises
    ------
    LessonError
        When the text is not a valid lesson.
    """
    try:
        body = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        content = zlib.decompressobj().decompress(body, _MOST).decode()
    except (binascii.Error, zlib.error, UnicodeDecodeError, ValueError) as error:
        raise LessonError(T("link.damaged")) from error
    return read(content)
