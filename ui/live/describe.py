"""Generator of TypeScript types, and of the table in docs/live.md, from the Python classes of figures.

Run ``python -m ui.live.describe`` after a change of these classes. A test fails if a generated file is outdated.
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Mapping as AbstractMapping
from collections.abc import Sequence as AbstractSequence
from pathlib import Path
from typing import Annotated, ClassVar, Literal, NotRequired, get_args, get_origin, get_type_hints

from ui.live import breathing, figure, inputs, predict, transport
from ui.live.layers import LAYERS, Layer

__all__ = ["FILES", "main", "with_table"]

_ROOT = Path(__file__).resolve().parents[2]
_LIVE = _ROOT / "assets" / "live"
_HEAD = "// Written by `python -m ui.live.describe` from the classes of ui/live: do not edit.\n"
_MARKS = "<!-- layers: written by python -m ui.live.describe -->", "<!-- end of layers -->"
_SHORT = {"array": "Slot", "scalar": "ScalarSlot", "dimension": "string", "slider": "string"}
_PLAIN = {
    bool: "boolean", float: "number", int: "number", str: "string", type(None): "null",
    figure.Axis: "Axis", predict.Guess: "Guess", predict.Bets: "Bets", predict.FaceOff: "FaceOff",
    Layer: "Layer", transport.TextSpec: "TextSpec",
    transport.ArraySpec: "ArraySpec", transport.FileSpec: "FileSpec",
}  # fmt: skip
_CONTROLS = get_args(inputs.Control)


def typescript(hint: object) -> str:
    """Return the TypeScript type that corresponds to a Python type.

    Examples
    --------
    >>> typescript(tuple[float, ...]), typescript(dict[str, int] | None)
    ('number[]', 'Record<string, number> | null')
    """
    origin, parts = get_origin(hint), get_args(hint)
    if isinstance(hint, type) and hint in _PLAIN:
        return _PLAIN[hint]
    if origin is Annotated:
        return _SHORT.get(str(parts[1]), str(parts[1]))
    if origin is Literal:
        return " | ".join(json.dumps(part) for part in parts)
    if origin is types.UnionType:
        return " | ".join(dict.fromkeys(typescript(part) for part in parts))
    return _several(origin, [typescript(part) for part in parts if part is not ...], parts)


def _several(origin: object, inner: list[str], parts: tuple[object, ...]) -> str:
    if origin is NotRequired:
        return inner[0]
    if origin is tuple and ... not in parts:
        return f"[{', '.join(inner)}]"
    if origin in (list, tuple, AbstractSequence):
        mixed = "|" in inner[0] and not inner[0].startswith("[")
        return f"({inner[0]})[]" if mixed else f"{inner[0]}[]"
    if origin in (dict, AbstractMapping):
        return f"Record<string, {inner[1]}>"
    raise TypeError(f"{origin!r} has no TypeScript here: add it to `ui.live.describe`.")


def _summary(thing: object) -> str:
    return (thing.__doc__ or "").partition("\n")[0].replace("``", "`")


def _interface(name: str, lines: Iterable[str], thing: object) -> str:
    body = "".join(f"  {line};\n" for line in lines)
    return f"/** {_summary(thing)} */\nexport interface {name} {{\n{body}}}\n"


def _described(message_type: type, *, kind: str = "") -> str:
    """Return the TypeScript interface of a dataclass or typed dictionary."""
    hints = get_type_hints(message_type, include_extras=True)
    travelling = {
        name: hint
        for name, hint in hints.items()
        if get_origin(hint) is not ClassVar and name not in transport.UNTOLD
    }
    lines = [f'kind: "{kind}"'] if kind else []
    lines += [
        f"{name}{'?' if get_origin(hint) is NotRequired else ''}: {typescript(hint)}"
        for name, hint in travelling.items()
    ]
    own = message_type.__name__ in (*_PLAIN.values(), "Message", "SameMessage")
    return _interface(
        message_type.__name__ if own else f"{message_type.__name__}Spec", lines, message_type
    )


def _options(layer: type[Layer]) -> dict[str, tuple[str, bool]]:
    """Return the TypeScript types of a layer's arguments, and whether each is optional."""
    hints = get_type_hints(layer, include_extras=True)
    return {
        field.name: (
            typescript(hints[field.name]).removesuffix(" | null"),
            field.default is None or isinstance(field.default, bool | str),
        )
        for field in layer.sent()
    }


def _layer_type(layer: type[Layer]) -> str:
    own = {n: known for n, known in _options(layer).items() if n not in _options(Layer)}
    lines = [
        f'kind: "{layer.kind}"',
        *(f"{n}{'?' if may else ''}: {t}" for n, (t, may) in own.items()),
    ]
    return _interface(f"{layer.__name__}Layer extends LayerBase", lines, layer)


def message_types() -> str:
    """Return the content of assets/live/message.d.ts, the types of messages to the browser."""
    blocks = [_HEAD, 'import type { Arrays, ScalarSlot, Slot, Values } from "./types.d.ts";\n']
    blocks += [_described(control, kind=control.kind) for control in _CONTROLS]
    blocks.append(_union("ControlSpec", [f"{control.__name__}Spec" for control in _CONTROLS]))
    base = [f"{name}?: {kind}" for name, (kind, _) in _options(Layer).items()]
    blocks.append(_interface("LayerBase", [*base, "ghost?: boolean"], Layer))
    blocks += [_layer_type(layer) for layer in LAYERS.values()]
    blocks.append(_union("Layer", [f"{layer.__name__}Layer" for layer in LAYERS.values()]))
    parts = (
        figure.Axis,
        predict.Guess,
        predict.Bets,
        predict.FaceOff,
        figure.Panel,
        figure.Readout,
        figure.Busy,
        breathing.Breathing,
    )
    blocks += [
        _described(part)
        for part in (*parts, transport.ArraySpec, transport.FileSpec, transport.TextSpec)
    ]
    blocks.append(_described(transport.Message))
    return "\n".join(
        [*blocks, _described(transport.SameMessage), _described(transport.LaterMessage)]
    )


def _union(name: str, parts: list[str]) -> str:
    line = f"export type {name} = {' | '.join(parts)};\n"
    return (
        line if len(line) <= 120 else f"export type {name} =\n  | " + "\n  | ".join(parts) + ";\n"
    )


def layer_kinds() -> str:
    """Return the content of assets/live/draw/layer_kinds.js, the properties of each kind of layer."""
    rows = "".join(
        f"  {layer.kind}: {{ slots: [{', '.join(json.dumps(s) for s in _slots(layer))}],"
        f" moves: {json.dumps('dimension' in layer.named().values())},"
        f' under: {json.dumps(layer.under)}, pinned: "{layer.pinned}" }},\n'
        for layer in LAYERS.values()
    )
    return (
        f"{_HEAD}\n/** @typedef {{{{ slots: string[], moves: boolean, under: boolean,"
        ' pinned: "" | "private" | "moving" }} Known */\n\n'
        "/**\n * Properties of each kind of layer: its arguments that may name arrays, whether it always moves,\n"
        " * whether it lies under the frame, and when *Pin* keeps it.\n"
        ' * @type {Record<import("../message.d.ts").Layer["kind"], Known>}\n */\n'
        f"export const KINDS = {{\n{rows}}};\n"
    )


def _slots(layer: type[Layer]) -> list[str]:
    return [name for name, what in layer.named().items() if what in ("array", "scalar")]


def table() -> str:
    """Return the table of layers for docs/live.md, in Markdown."""
    rows = ["| layer | is given | lies | *Pin* keeps it | draws |", "|---|---|---|---|---|"]
    pinned = {"": "", "private": "when private", "moving": "when it moves"}
    for layer in LAYERS.values():
        lies = "under" if layer.under else "over"
        cells = (
            f"`{layer.__name__}`",
            _argument_words(layer),
            lies,
            pinned[layer.pinned],
            _summary(layer),
        )
        rows.append(f"| {' | '.join(cells)} |".replace("|z − c|²", "&#124;z − c&#124;²"))
    return "\n".join(rows)


def _argument_words(layer: type[Layer]) -> str:
    hints = get_type_hints(layer, include_extras=True)
    own = {n: optional for n, (_, optional) in _options(layer).items() if n not in _options(Layer)}
    shapes = {name: "".join(getattr(hints[name], "__metadata__", ())[1:]) for name in own}
    slots = [f"{name} {shapes[name]}".strip() for name, optional in own.items() if not optional]
    return ", ".join([*slots, *(f"*{name}*" for name, optional in own.items() if optional)])


def with_table(text: str) -> str:
    """Return the text of docs/live.md with an updated table."""
    start, end = (text.index(mark) for mark in _MARKS)
    return f"{text[: start + len(_MARKS[0])]}\n{table()}\n{text[end:]}"


FILES: Mapping[Path, Callable[[], str]] = {
    _LIVE / "message.d.ts": message_types,
    _LIVE / "draw" / "layer_kinds.js": layer_kinds,
    _ROOT / "docs" / "live.md": lambda: with_table((_ROOT / "docs" / "live.md").read_text("utf-8")),
}


def main() -> None:
    """Write all generated files."""
    for path, content in FILES.items():
        path.write_text(content(), "utf-8")


if __name__ == "__main__":
    main()
