"""Events that an interactive figure sends to Python, read from the browser's untrusted messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Event", "identifiers", "read"]


@dataclass(frozen=True)
class Event:
    """Event sent to Python by a figure in the browser.

    - ``phase``: what has happened. "drag": a control is moving. "commit": it has its final value. "action": the
      button with the name ``action`` was pressed. "tick": the browser polls for results. "look": the visible
      panels have changed. "missing": arrays could not be fetched. "refused": a message exceeded the limit
      that ``action`` names (set by `ui.live.inbox`). "": no event.
    - ``values``: untrusted control values, to be validated like the values of a link.
    - ``tab``: the open tab; None if the browser did not send it.
    - ``near``: the controls near the pointer or the focus; None if the browser did not send them.
    """

    phase: str = ""
    action: str = ""
    values: Mapping[str, object] = field(default_factory=dict)
    seq: int = 0
    tab: str | None = None
    near: tuple[str, ...] | None = None


def read(raw: object) -> Event:
    """Return the event in a browser's message.

    Malformed parts of the message are ignored.
    """
    if not isinstance(raw, Mapping):
        return Event()
    values = raw.get("values")
    seq, tab, near = raw.get("seq"), raw.get("tab"), raw.get("near")
    return Event(
        phase=str(raw.get("phase", ""))[:20],
        action=str(raw.get("action") or "")[:40],
        values=dict(values) if isinstance(values, Mapping) else {},
        seq=seq if isinstance(seq, int) and not isinstance(seq, bool) else 0,
        tab=tab[:80] if isinstance(tab, str) else None,
        near=tuple(str(name)[:40] for name in near[:40]) if isinstance(near, list) else None,
    )


def identifiers(raw: object, what: str) -> frozenset[str]:
    """Return the identifiers of arrays that a browser's message lists under ``what``: "held" or "wanted"."""
    names = raw.get(what) if isinstance(raw, Mapping) else None
    named = names if isinstance(names, list) else []
    return frozenset(item for item in named if isinstance(item, str))
