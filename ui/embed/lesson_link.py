"""Lessons encoded in links: compressed text, short enough for a QR code.

The text is parsed with size limits.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from dataclasses import asdict

from ui.embed.lesson import MOST_SIGNS, Lesson, LessonError, lesson_of
from ui.words.text import load_text

__all__ = ["MOST_LINK", "packed", "unpacked"]

T = load_text(__file__)
MOST_LINK = 4000
"""Largest number of characters of a lesson in a link."""
_MOST_LISTS, _MOST_VALUES = 20, 400  # a lesson: one object, two lists, twelve parts of three values
_TEXT = re.compile(
    r'"(?:[^"\\]++|\\.?)*+"?', re.DOTALL
)  # also one that does not end, so that time is linear


def packed(lesson: Lesson) -> str:
    """Return a lesson as text for a link.

    The text does not contain whether a handout has solutions.
    """
    parts = [{k: v for k, v in asdict(part).items() if v} for part in lesson.parts]
    fields = {"title": lesson.title, "parts": parts, "exercises": list(lesson.exercises)}
    fields |= {"course": lesson.course} if lesson.course else {}
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(zlib.compress(text, 9)).decode("ascii").rstrip("=")


def unpacked(text: str) -> Lesson:
    """Return the lesson that `packed` has encoded in a link.

    The limits on length, lists and values are checked before the text is parsed. The text is JSON; YAML is refused.

    Raises
    ------
    LessonError
        When the text is not a valid lesson.
    """
    if len(text) > MOST_LINK:
        raise LessonError(T("link.lesson_long", n=len(text), most=MOST_LINK))
    try:
        body = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        content = _inflated(body).decode()
        _refuse_large(content)
        fields = json.loads(content)
    except LessonError:
        raise
    except (binascii.Error, zlib.error, ValueError, RecursionError) as error:
        raise LessonError(T("link.damaged")) from error
    return lesson_of(fields)


def _inflated(body: bytes) -> bytes:
    """Decompress a zlib stream; raise an error if its content has more than `MOST_SIGNS` bytes."""
    stream = zlib.decompressobj()
    content = stream.decompress(body, MOST_SIGNS)
    if not stream.eof or stream.unused_data:
        raise zlib.error
    return content


def _refuse_large(content: str) -> None:
    """Raise `LessonError` if a JSON text has more lists or values than a lesson can have.

    Brackets and commas inside strings are not counted.
    """
    bare = _TEXT.sub("", content)
    lists = bare.count("[") + bare.count("{")
    values = bare.count(",") + bare.count(":")
    for n, most in ((lists, _MOST_LISTS), (values, _MOST_VALUES)):
        if n > most:
            raise LessonError(T("link.lesson_large", n=n, most=most))
