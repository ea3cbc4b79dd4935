"""Seeded generators of hostile links, events, ledgers and files, and a limit on their processor time."""

from __future__ import annotations

import json
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dpcore.experiments.params import Control, Params

__all__ = ["Hang", "event", "file", "ledger", "link", "watched"]

_TEXTS = [
    "", " ", "nan", "inf", "-inf", "1e400", "-0", "0x10", "1_000", "１", "٣", "1,5", "1e-400", "None", "yes",
    "![x](http://a.example)", "[a](http://a.example)", "<script>alert(1)</script>", ":smile: $x$", "a\nb",
    "\x00", "\u202e1", "\ud800", "'", '"', "\\", "../../etc/passwd", "=cmd|' /C calc'!A0", "%s%n", "{0}",
    "{0.__class__}", "${x}", "`a`", "😀" * 50, "9" * 400, "9" * 6000, "-" * 3000, "a" * 20_000, "[" * 3000,
]  # fmt: skip
_LETTERS = "LGSEP?*"


class Hang(Exception):
    """Raised when a case takes more processor time than allowed."""


@contextmanager
def watched(seconds: float) -> Iterator[None]:
    """Raise `Hang` when the block takes more than ``seconds`` of this process's processor time."""

    def late(number: int, frame: Any) -> None:
        raise Hang(f"more than {seconds:g} s of processor time")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _number(draw: random.Random) -> str:
    value = draw.choice([0.001, 0.5, 1, 3, 100, 1e5, 1e-4, 10 ** draw.uniform(-6, 9)])
    return draw.choice(["{:g}", "{:.12g}", "{:e}", "{:.1f}", "-{:g}"]).format(value)


def ledger(draw: random.Random) -> str:
    """Return a random ledger in short form, mostly well formed, with numbers from the whole range."""
    parts = []
    for _ in range(draw.choice([1, 1, 2, 3, 8, 30, 31])):
        kind = draw.choice(_LETTERS)
        count = {"S": 3, "P": 0}.get(kind, 1) if draw.random() < 0.9 else draw.randrange(5)
        numbers = [_number(draw) for _ in range(count)]
        if kind == "S" and count == 3:
            numbers[1:] = f"{10 ** draw.uniform(-4, 0):g}", f"{int(10 ** draw.uniform(0, 5))}"
        times = draw.choice(["", "", "*3", "*10000", "*0", "*99999999", "*" + "9" * 5000])
        parts.append(kind + "/".join(numbers) + times)
    return ",".join(parts)


def _legal(item: Control, draw: random.Random) -> Any:
    if item.text is not None:
        return ledger(draw)
    if item.choices is not None:
        return draw.choice(item.choices)
    if item.grid is not None:
        return draw.choice(item.grid)
    return draw.randint(item.low or 0, item.high or 10**6)


def link(cls: type[Params], draw: random.Random) -> dict[str, str]:
    """Return a random link whose values are allowed, nearly allowed, hostile, or of unknown names."""
    found = {}
    for name, item in cls.controls().items():
        match draw.randrange(5):
            case 0:
                found[name] = item.show(_legal(item, draw))
            case 1:
                found[name] = draw.choice(_TEXTS)
            case 2:
                found[name] = _number(draw) if item.text is None else ledger(draw)
    if draw.random() < 0.3:
        found[draw.choice(["v", "x" * 500, "__class__", "_controls", "but", "page"])] = draw.choice(
            _TEXTS
        )
    return found


def _value(item: Control | None, draw: random.Random, depth: int = 0) -> Any:
    pick = draw.randrange(9)
    if pick < 3 and item is not None:
        return _legal(item, draw)
    if pick == 3 and depth < 3:
        return [_value(item, draw, depth + 1) for _ in range(draw.randrange(4))]
    if pick == 4 and depth < 3:
        return {
            draw.choice(_TEXTS): _value(item, draw, depth + 1) for _ in range(draw.randrange(4))
        }
    numbers = [0, -1, 1e300, 10**25, 10**400, 0.1 + 0.2, True, False, None, 2**53 + 1]
    return draw.choice(numbers) if pick < 7 else draw.choice(_TEXTS)


def event(cls: type[Params], draw: random.Random) -> str:
    """Return the JSON of a figure's state as a browser, or somebody who forges one, could send it."""
    items = cls.controls()
    names = [*draw.sample(list(items), draw.randrange(len(items))), "__class__", "x" * 90]
    values = {name: _value(items.get(name), draw) for name in names}
    found: Any = {
        "seq": draw.choice([1, 2, -1, "3", None, 10**25, True, 1.5]),
        "phase": draw.choice(["drag", "commit", "tick", "action", "missing", "refused", "", [], 7]),
        "action": draw.choice(
            ["redraw", "reset", "paper", "document", "cancel", None, {}, *_TEXTS]
        ),
        "values": draw.choice([values, values, values, values, [], None, "x"]),
        "held": draw.choice([[], ["a"], [1, None], "x", {}]),
    }
    text = json.dumps({"event": draw.choice([found] * 8 + [None, [], 1, "x"])})
    match draw.randrange(8):
        case 0:  # cut off, or a long number inside
            return text[: draw.randrange(len(text))]
        case 1:
            return text.replace(": 1", ": " + "1" * draw.choice([20, 400, 6000]), 1)
        case 2:
            return "[" * draw.choice([3, 20, 5000]) + text
    return text


def file(draw: random.Random) -> bytes:
    """Return a random file: a table with an error in it, or not a table at all."""
    columns, rows = draw.randrange(1, 12), draw.randrange(0, 60)
    mark = draw.choice([",", ",", ",", ";", "\t", "|"])
    cell = [
        "1",
        "2.5",
        "-3e2",
        "a",
        "",
        "nan",
        "inf",
        "1e999",
        "9" * 400,
        '"a,b"',
        '"open',
        "=1+1",
        *_TEXTS,
    ]
    plain = draw.random() < 0.6
    lines = [
        mark.join(
            draw.choice(["x", "y", "", "class", *_TEXTS[:20]]) + str(k) for k in range(columns)
        )
    ]
    for _ in range(rows):
        width = columns + (draw.choice([-1, 1, 5]) if draw.random() < 0.02 else 0)
        lines.append(
            mark.join(draw.choice(cell[:3] if plain else cell) for _ in range(max(width, 0)))
        )
    text = draw.choice(["\n", "\r\n", "\r"]).join(lines)
    found = bytearray(text.encode(draw.choice(["utf-8", "utf-16", "utf-8-sig"]), "surrogatepass"))
    match draw.randrange(8):
        case 0:
            for _ in range(draw.randrange(1, 20)):
                found.insert(draw.randrange(len(found) + 1), draw.randrange(256))
        case 1:
            return draw.randbytes(draw.randrange(2000))
        case 2:
            return bytes(found) * draw.randrange(1, 20)
        case 3:
            return b"," * draw.choice([0, 1, 100_000])
    return bytes(found)
