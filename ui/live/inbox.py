"""Size limits on messages of the browser, which are checked before a message is parsed.

Streamlit stores a widget's JSON unparsed and parses it at every run. Python refuses to parse a number of more than
4,300 digits, so that such a number would break every later run of the session. A value that exceeds a limit is
therefore replaced by an event with the phase "refused" and the same event number. The page acknowledges this event
with a message to the browser. Without an acknowledgement the browser would send its event again and again.
"""

from __future__ import annotations

import json
import re

from google.protobuf.message import DecodeError
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from ui.words.text import load_text

__all__ = ["REFUSED", "bounded", "fault", "whole"]

T = load_text(__file__)
MAX_LENGTH, MAX_DEPTH, MAX_ITEMS, MAX_DIGITS = 500_000, 16, 20_000, 30
REFUSED = {
    "length": T("refused.length", most=MAX_LENGTH),
    "depth": T("refused.depth", most=MAX_DEPTH),
    "items": T("refused.items", most=MAX_ITEMS),
    "digits": T("refused.digits", most=MAX_DIGITS),
    "form": T("refused.form"),
}
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_LONG = re.compile(rf"\d{{{MAX_DIGITS + 1}}}")
_SEQ = re.compile(r'"seq"\s*:\s*(\d{1,15})\b')


def bounded(message: bytes) -> bytes:
    """Return a browser's message in which refusals replace widget values that exceed a limit."""
    request = BackMsg()
    try:
        request.ParseFromString(message)
    except DecodeError:
        return message  # Streamlit closes such a connection
    changed = False
    for widget in request.rerun_script.widget_states.widgets:
        kind = widget.WhichOneof("value")
        if kind in ("json_value", "json_trigger_value"):
            changed |= _refuse(widget, kind)
    return request.SerializeToString() if changed else message


def whole(message: bytes) -> bytes | None:
    """Convert a request to rerun a fragment to a request to rerun the page.

    Return None for other messages.

    After a restart the server does not know the page's fragments. Streamlit then ignores a request
    to rerun a fragment, without an error. The browser requests the whole page by itself only if the
    last run was the run of a fragment.
    """
    request = BackMsg()
    try:
        request.ParseFromString(message)
    except DecodeError:
        return None
    if request.WhichOneof("type") != "rerun_script":
        return None
    request.rerun_script.ClearField("fragment_id")
    content: bytes = request.SerializeToString()
    return content


def _refuse(widget: WidgetState, kind: str) -> bool:
    wrong = fault(getattr(widget, kind), listed=kind == "json_trigger_value")
    if not wrong:
        return False
    if kind == "json_value":
        widget.json_value = _refusal(widget.json_value, wrong)
    else:
        widget.ClearField("json_trigger_value")
    return True


def _refusal(text: str, wrong: str) -> str:
    """Return the refusal that replaces an oversized event, with the same event number.

    ``wrong`` names the exceeded limit.
    """
    seq = _SEQ.search(text)
    event = {"phase": "refused", "action": wrong, "seq": int(seq[1]) if seq else 0}
    return json.dumps({"event": event})


def fault(text: str, *, listed: bool = False) -> str:
    """Return the name of the limit that a JSON text exceeds.

    The name is a key of `REFUSED`, or "" if no limit is exceeded.

    Examples
    --------
    >>> fault('{"a": 1' + "0" * 6000 + "}"), fault('{"a": "1"}')
    ('digits', '')
    """
    if len(text) > MAX_LENGTH:
        return "length"
    bare = _STRING.sub('""', text)
    if _LONG.search(bare):
        return "digits"
    if bare.count(",") + bare.count(":") > MAX_ITEMS:
        return "items"
    if _depth(bare) > MAX_DEPTH:
        return "depth"
    try:
        read = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return "form"
    return "" if isinstance(read, dict) or (listed and isinstance(read, list)) else "form"


def _depth(bare: str) -> int:
    depth = deepest = 0
    for mark in re.findall(r"[\[\]{}]", bare):
        depth += 1 if mark in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON.")
