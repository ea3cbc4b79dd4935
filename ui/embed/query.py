"""Parsed query of an embedded figure: page, state, panels, controls, and which of these are fixed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from ui.figure_kit.controls import labels
from ui.frame.page_spec import PageSpec
from ui.live.depth import Depth
from ui.words.text import beside

__all__ = ["MOST", "THEMES", "Asked", "asked"]

T = beside(__file__)
MOST = 2000  # signs of a query
THEMES = ("auto", "light", "dark")
_LISTS = ("panel", "locked", "hidden")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Request for one embedded figure.

    Parameters
    ----------
    spec : PageSpec
        The page of the figure.
    params : Params
        The page's parameters.
    depth : Depth
        Level of detail of the page.
    panel : tuple of str
        Keys of the requested panels; () for all panels outside of tabs.
    locked, hidden : tuple of str
        Controls that are shown but cannot be moved, and controls that are not shown.
    theme : "auto", "light" or "dark"
        Colour theme; "auto" follows the user's device.
    problems : tuple of str
        A message for each invalid part of the request.
    """

    spec: PageSpec[Any]
    params: Any
    depth: Depth = Depth.LOOK
    panel: tuple[str, ...] = ()
    locked: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    theme: Literal["auto", "light", "dark"] = "auto"
    problems: tuple[str, ...] = ()

    def link(self) -> dict[str, str]:
        """Return the query of the full page at the requested state."""
        depth = {} if self.depth is Depth.LOOK else {"depth": self.depth.in_link}
        return {**self.params.to_link(), **depth}

    def query(self) -> dict[str, str]:
        """Return the query of this embedded figure."""
        lists = {name: ",".join(getattr(self, name)) for name in _LISTS}
        theme = {} if self.theme == "auto" else {"theme": self.theme}
        return {**self.link(), **{name: text for name, text in lists.items() if text}, **theme}


def asked(spec: PageSpec[Any], query: Mapping[str, str]) -> Asked:
    """Return the request for a figure, parsed from a query; an invalid value is replaced by the default, with a
    message.

    Examples
    --------
    ``epsilon=0.5&locked=epsilon,delta&depth=understand&theme=dark``
    """
    params, problems = spec.params.from_link(query, labels(spec.params))
    depth = Depth.LOOK
    try:
        depth = Depth.from_link(query.get("depth", depth.in_link))
    except ValueError as error:
        problems.append(str(error))
    theme = query.get("theme", "auto")
    if theme not in THEMES:
        problems.append(T("link.theme", theme=theme[:40], themes=", ".join(THEMES)))
        theme = "auto"
    data = spec.pipeline.data
    if data is not None and data.own and getattr(params, data.choice) == "own":
        problems.append(T("link.own", name=data.choice))
        params = params.but(**{data.choice: spec.params.controls()[data.choice].default})
    names = tuple(spec.params.controls())
    locked, hidden = (_named(name, query, names, problems) for name in ("locked", "hidden"))
    return Asked(
        spec=spec, params=params, depth=depth, panel=_list(query.get("panel", "")), locked=locked,
        hidden=hidden, theme=cast(Literal["auto", "light", "dark"], theme), problems=tuple(problems),
    )  # fmt: skip


def _list(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


def _named(
    name: str, query: Mapping[str, str], known: Sequence[str], problems: list[str]
) -> tuple[str, ...]:
    """Return the names in the comma-separated list ``query[name]`` that are in ``known``; ``all`` stands for all
    of them.

    A message is added to ``problems`` for each other name.
    """
    entries = _list(query.get(name, ""))
    if entries == ("all",):
        return tuple(known)
    controls = ", ".join(known)
    problems += [
        T("link.control", name=name, control=item[:40], controls=controls)
        for item in entries
        if item not in known
    ]
    return tuple(item for item in entries if item in known)
