"""Parameters of a page as exchanged between link, session and browser.

The validation is the same for all three.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

import streamlit as st

from dpcore.experiments.params import Params
from ui.figure_kit.controls import labels
from ui.live.depth import Depth
from ui.words import text

__all__ = [
    "LINK_VERSION", "LINK_VERSIONS", "SHARED", "apply", "current", "depth", "of_older_or_strange",
    "store",
]  # fmt: skip

T = text.load_text(__file__)
P = TypeVar("P", bound=Params)
SHARED = ("epsilon", "delta", "seed")  # the same on every page of a session
LINK_VERSION = "7"
LINK_VERSIONS = (
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    LINK_VERSION,
)  # a page's `Params.former_defaults` hold what older versions left out
_DEPTH = "depth"  # of the session, and in the link


def depth() -> Depth:
    """Return the level of detail that the user has chosen.

    All pages of the session have the same level.
    """
    level = st.session_state.get(_DEPTH)
    return level if isinstance(level, Depth) else Depth.LOOK


def _depth_of(link: Mapping[str, str]) -> list[str]:
    """Set the level of detail that a link requests, or the first level.

    Return messages if the requested level is invalid.
    """
    try:
        st.session_state[_DEPTH] = Depth.from_link(link.get(_DEPTH, Depth.LOOK.in_link))
    except ValueError as error:
        st.session_state[_DEPTH] = Depth.LOOK
        return [str(error)]
    return []


def of_older_or_strange(
    cls: type[Params], link: Mapping[str, str], others: Collection[str] = ()
) -> list[str]:
    """Return messages about a link with an unknown version or unknown names.

    ``others`` are further allowed names, after parameters, depth and version.
    """
    problems = []
    if link.get("v", LINK_VERSION) not in LINK_VERSIONS:
        known = T("link.versions", first=", ".join(LINK_VERSIONS[:-1]), last=LINK_VERSIONS[-1])
        problems.append(T("link.version", version=link["v"][:10], known=known))
    names = {*cls.controls(), *cls.former.values(), *others, *SHARED, _DEPTH, "v"}
    strange = [f"“{name[:40]}”" for name in link if name not in names]
    if strange:
        path = "link.strange_one" if len(strange) == 1 else "link.strange"
        problems.append(T(path, names=", ".join(strange[:5])))
    return problems


def current(cls: type[P], page: str) -> tuple[P, list[str]]:
    """Return the page's parameters, and a message for each invalid value of the link.

    A link is new if this page has not written it last: at the first visit, or when the user follows
    a link. The values of a new link are used, otherwise those of the session. ε, δ and the seed are
    shared by all pages.
    """
    link = dict(st.query_params)
    known, written = f"params.{page}", f"link.{page}"
    fresh = link and link != st.session_state.get(written)
    if fresh:
        params, problems = cls.from_link(link, labels(cls))
        problems += _depth_of(link)
        problems += of_older_or_strange(cls, link)
    else:
        shared = st.session_state.get("params.shared", {})
        params = st.session_state.get(known, cls()).but(
            **{name: value for name, value in shared.items() if name in cls.controls()}
        )
        problems = []
    st.session_state[f"problems.{page}"] = problems or (
        [] if fresh else st.session_state.get(f"problems.{page}", [])
    )
    store(params, page)
    return params, st.session_state[f"problems.{page}"]


def store(params: Params, page: str, *, link: bool = True) -> None:
    """Store the parameters of a page in the session.

    Unless ``link`` is False, the browser's link is updated as well.
    """
    st.session_state[f"params.{page}"] = params
    names = [name for name in SHARED if hasattr(params, name)]
    st.session_state["params.shared"] = st.session_state.get("params.shared", {}) | {
        name: getattr(params, name) for name in names
    }
    controls = params.controls()
    if not link:
        return
    shown = {name: controls[name].show(getattr(params, name)) for name in names}
    if depth() != Depth.LOOK:
        shown[_DEPTH] = depth().in_link
    shown = {**shown, **params.to_link(), "v": LINK_VERSION}
    st.session_state[f"link.{page}"] = shown
    if dict(st.query_params) != shown:
        st.query_params.from_dict(shown)


def apply(params: P, values: Mapping[str, Any]) -> tuple[P, list[str]]:
    """Return the parameters updated with the browser's values, and messages.

    There is a message for each invalid value.
    """
    problems, accepted = [], {}
    for name, value in values.items():
        item = params.controls().get(name)
        if item is None:
            continue
        try:
            accepted[name] = item.check(value)
        except ValueError as error:
            problems.append(str(error))
    return params.but(**accepted).following(params), problems
