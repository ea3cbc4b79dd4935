"""Texts of a page, read from its file ``text.toml``.

Dotted paths address the sentences.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ui.words.numbers import show

if TYPE_CHECKING:
    from ui.live import Panel, Readout

__all__ = ["FIELD", "IN_BROWSER", "FieldText", "Text", "load_text"]

FIELD = re.compile(r"(?<![\w\\^}])\{(?!trend:)([A-Za-z_]\w*)(?::([^{}]*))?\}")
"""Pattern of a field of a template: its name, and the code for `ui.words.numbers.show`.

Braces directly after a letter, ``_``, ``^``, ``\\`` or ``}`` belong to LaTeX. The browser fills ``{trend:...}``."""
IN_BROWSER = ("panels", "readouts", "meaning", "odds", "outcomes")
"""Sections with fields that the browser fills with values of arrays and controls."""


@dataclass(frozen=True, kw_only=True)
class FieldText:
    """Words for one parameter: label, help, ends of its slider, options, unit.

    - ``options``: words for the values of a choice, by their code in links.
    - ``words``: texts in place of the numbers of a slider's grid.
    - ``press``: label of a button that moves the slider one step on.
    - ``idle``: reason why the parameter has no effect.
    """

    label: str = ""
    help: str = ""
    ends: tuple[str, str] = ("", "")
    options: Mapping[str, str] | None = None
    words: tuple[str, ...] = ()
    unit: str = ""
    press: str = ""
    idle: str = ""


class Text:
    """Sentences of one ``text.toml``, addressed by dotted paths.

    A sentence with numbers is a template: ``{name}`` is replaced by the text passed as ``name``, and
    ``{name:code}`` by the number passed, as `ui.words.numbers.show` formats it. Braces of LaTeX are not
    fields. In the sections `IN_BROWSER` a field that is not passed remains, since the browser fills it.

    Parameters
    ----------
    content : mapping
        Content of the file as `tomllib` reads it: tables, lists of strings, and strings.
    source : str
        Name of the file, for error messages.

    Examples
    --------
    >>> text = Text({"cost": "All {n:count answer} together cost ε = {epsilon:.3g}."})
    >>> text("cost", n=2, epsilon=0.123456)
    'All 2 answers together cost ε = 0.123.'
    """

    def __init__(self, content: Mapping[str, Any], source: str = "text.toml") -> None:
        self._content, self.source = content, source

    def __call__(self, path: str, **fields: object) -> str:
        """Return the sentence at a path, with its fields filled.

        Raises
        ------
        LookupError
            When the path does not exist, a passed field is not in the template, or a field is missing. In the
            sections `IN_BROWSER` fields may be missing.
        """
        return self._filled(path, self._sentence(path), fields)

    def lines(self, path: str) -> tuple[str, ...]:
        """Return the list of sentences, without fields, at a path."""
        return tuple(self._at(path, list))

    def group(self, path: str) -> Mapping[str, str]:
        """Return the sentences without fields in the table at a path, by key."""
        return {key: self(f"{path}.{key}") for key in self._at(path, dict)}

    def __contains__(self, path: str) -> bool:
        return self._find(path) is not None

    def field(self, name: str) -> FieldText:
        """Return the words for the parameter ``name``, from the table ``fields.<name>``.

        Without this table the words are empty.
        """
        return FieldText(**self.field_words(name))

    def field_words(self, name: str) -> dict[str, Any]:
        """Return the words in the table ``fields.<name>``, by the names in `FieldText`.

        Missing words are empty.
        """
        words = self._find(f"fields.{name}") or {}
        return words | {key: tuple(words[key]) for key in ("ends", "words") if key in words}

    def panel(self, panel: Panel, variant: str = "", **fields: object) -> Panel:
        """Return a panel with its words added.

        The words are in ``panels.<key>.{title,caption,alt,tab,x,y,rows,captions}``.

        With a ``variant``, ``title_<variant>``, ``caption_<variant>`` and ``alt_<variant>`` are used if they exist.
        Passed fields are inserted into the templates that contain them.
        """
        table = self._at(f"panels.{panel.key}", dict)
        names = {name for name in ("title", "caption", "alt", "tab") if name in table}
        chosen = {name: f"{name}_{variant}" for name in ("title", "caption", "alt")}
        paths = {name: name for name in names} | {
            name: other for name, other in chosen.items() if other in table
        }
        words: dict[str, Any] = {
            name: self._part(f"panels.{panel.key}.{path}", fields) for name, path in paths.items()
        }
        if "alt" not in words and panel.alt == replace(panel, alt="").alt:
            words["alt"] = ""  # made of the panel's words, and now anew of these
        for axis in ("x", "y"):
            if axis in table:
                words[axis] = replace(
                    getattr(panel, axis), title=self._part(f"panels.{panel.key}.{axis}", fields)
                )
        words |= {
            name: self.lines(f"panels.{panel.key}.{name}")
            for name in ("rows", "captions")
            if name in table
        }
        return replace(panel, **words)

    def readout(
        self, readout: Readout, variant: str = "", key: str = "", **fields: object
    ) -> Readout:
        """Return a readout with its words added.

        The words are in ``readouts.<value>.{label,note,brief,help,alone}``.

        ``key`` is the name of the table if it differs from the readout's ``value``. With a ``variant``,
        ``label_<variant>`` (and so on for the other words) is used if it exists.
        """
        where = f"readouts.{key or readout.value}"
        table = self._at(where, dict)
        words: dict[str, Any] = {}
        for name in ("label", "note", "brief", "help", "alone"):
            chosen = next((one for one in (f"{name}_{variant}", name) if one in table), "")
            if chosen:
                words[name] = self._part(f"{where}.{chosen}", fields)
        return replace(readout, **words)

    def templates(self) -> Iterator[tuple[str, str]]:
        """Yield every sentence with its path.

        The path of a sentence in a list ends with the index.
        """
        yield from _leaves("", self._content)

    def _part(self, path: str, fields: Mapping[str, object]) -> str:
        sentence = self._sentence(path)
        known = _names(sentence)
        return self._filled(path, sentence, {k: v for k, v in fields.items() if k in known})

    def _filled(self, path: str, sentence: str, fields: Mapping[str, object]) -> str:
        known = _names(sentence)
        unknown = sorted(fields.keys() - known)
        missing = sorted(known - fields.keys()) if path.split(".")[0] not in IN_BROWSER else []
        if unknown or missing:
            raise LookupError(
                f"{self.source}: {path!r} has the fields {sorted(known)}: missing {missing}, unknown {unknown}."
            )
        return FIELD.sub(lambda match: _value(match, fields), sentence)

    def _sentence(self, path: str) -> str:
        return str(self._at(path, str))

    def _at(self, path: str, kind: type) -> Any:
        content = self._find(path)
        if not isinstance(content, kind):
            raise LookupError(f"{self.source} has no {kind.__name__} at {path!r}.")
        return content

    def _find(self, path: str) -> Any:
        content: Any = self._content
        for key in path.split("."):
            content = content.get(key) if isinstance(content, Mapping) else None
        return content


@cache
def _names(template: str) -> frozenset[str]:
    """Return the names of a template's fields, cached because a page fills a template with many values."""
    return frozenset(match[1] for match in FIELD.finditer(template))


def _value(match: re.Match[str], fields: Mapping[str, object]) -> str:
    name, code = match[1], match[2]
    if name not in fields:
        return match[0]
    value = fields[name]
    if code is None:
        return str(value)
    if not isinstance(value, int | float):
        value = float(str(value))
    return show(value, code)


def _leaves(path: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(f"{path}.{key}" if path else key, inner)
    else:
        for place, inner in enumerate(value):
            yield from _leaves(f"{path}.{place}", inner)


def load_text(file: str) -> Text:
    """Return the texts in the folder of a module: ``T = load_text(__file__)``.

    A package without its own ``text.toml`` uses the file of its parent folder; ``figure/`` uses the file of its page.

    Raises
    ------
    FileNotFoundError
        When there is no ``text.toml`` in the folder or a parent folder.
    """
    own = Path(file).parent / "text.toml"
    return _read(own if own.exists() else own.parents[1] / own.name)


@cache
def _read(path: Path) -> Text:
    with path.open("rb") as file:
        return Text(tomllib.load(file), f"{path.parent.name}/{path.name}")
