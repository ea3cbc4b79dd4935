"""Parsed query of an embedded figure: page, parameters, panels, controls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from ui.figure_kit.controls import labels
from ui.frame.controls import LINK_VERSION, of_older_or_strange
from ui.frame.page_spec import PageSpec
from ui.live.depth import Depth
from ui.words.text import load_text

__all__ = ["MOST", "THEMES", "FigureRequest", "parse_request"]

T = load_text(__file__)
MOST = 2000  # signs of a query
THEMES = ("auto", "light", "dark")
_LISTS = ("panel", "locked", "hidden")


@dataclass(frozen=True, kw_only=True)
class FigureRequest:
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
        ``locked``: controls that are shown but cannot be moved. ``hidden``: controls that are not shown.
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
        """Return the query of the full page with the requested parameters and level of detail."""
        return {**self.params.to_link(), **self._depth(), "v": LINK_VERSION}

    def query(self) -> dict[str, str]:
        """Return the query of this embedded figure for a lesson.

        Values equal to the version's defaults are left out.
        """
        return {**self.params.to_link(), **self._depth(), **self._lists(), "v": LINK_VERSION}

    def whole_query(self) -> dict[str, str]:
        """Return the query of this embedded figure with all values.

        A later change of the defaults then does not change the figure.
        """
        values = {
            name: item.show(getattr(self.params, name))
            for name, item in self.params.controls().items()
        }
        return {**values, **self._depth(), **self._lists(), "v": LINK_VERSION}

    def _depth(self) -> dict[str, str]:
        return {} if self.depth is Depth.LOOK else {"depth": self.depth.in_link}

    def _lists(self) -> dict[str, str]:
        lists = {name: ",".join(getattr(self, name)) for name in _LISTS}
        theme = {} if self.theme == "auto" else {"theme": self.theme}
        return {**{name: text for name, text in lists.items() if text}, **theme}


def parse_request(spec: PageSpec[Any], query: Mapping[str, str]) -> FigureRequest:
    """Return the request for a figure from its query.

    An invalid value is replaced by the default, and a message about it is added.

    Examples
    --------
    ``epsilon=0.5&locked=epsilon,delta&depth=understand&theme=dark``
    """
    params, problems = spec.params.from_link(query, labels(spec.params))
    problems += of_older_or_strange(spec.params, query, (*_LISTS, "theme"))
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
    return FigureRequest(
        spec=spec, params=params, depth=depth, panel=_list(query.get("panel", "")), locked=locked,
        hidden=hidden, theme=cast(Literal["auto", "light", "dark"], theme), problems=tuple(problems),
    )  # fmt: skip


def _list(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


def _named(
    name: str, query: Mapping[str, str], known: Sequence[str], problems: list[str]
) -> tuple[str, ...]:
    """Return the known names in the comma-separated list ``query[name]``.

    The list ``all`` stands for all names in ``known``. For each unknown name a message is added to ``problems``.
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
