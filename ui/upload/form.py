"""Declarations about an uploaded table, and the widgets that edit them.

The declarations are stored in the session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import streamlit as st

from ui.upload.draft import Draft

__all__ = ["TableForm", "fact", "pair", "place_of"]

Fold = Callable[[Draft, Any], dict[str, Any]]


class TableForm:
    """Declarations about one uploaded table, and the names of their widgets.

    When a button is pressed, the values of the widgets are stored first. A widget may have changed in the same run of
    the script.
    """

    def __init__(self, key: str, draft: Draft) -> None:
        self.key, self.draft = key, draft
        self._open: dict[str, Fold] = {}
        self.keep()

    def name(self, field: str) -> str:
        """Return the name of the widget for ``field``, unique to the upload."""
        return f"{self.key}_{self.draft.token[:8]}_{field}"

    def keep(self, **answers: Any) -> None:
        """Store declarations in the session, where they remain when their widgets are no longer drawn."""
        self.draft = replace(self.draft, **answers)
        st.session_state[f"{self.key}_draft"] = self.draft

    def asks(self, field: str, fold: Fold) -> str:
        """Register the widget of a declaration for this step; return the name to give to the widget.

        ``fold`` converts the widget's value to the declaration.

        The caller sets the widget's initial value by an argument of the widget, not by
        ``st.session_state``. A value in the session state is sent to the browser once, and can be
        lost when two runs follow each other closely.
        """
        name = self.name(field)
        self._open[name] = fold
        return name

    def take(self) -> None:
        """Store the current values of the widgets of the open step."""
        for name, fold in self._open.items():
            if name in st.session_state:
                self.keep(**fold(self.draft, st.session_state[name]))

    def go(self, step: int) -> None:
        """Store this step's declarations and open another step.

        The same step stays open if the target column has just been changed.
        """
        self.take()
        target = st.session_state.get(self.name("target"), self.draft.target)
        self.keep(step=step if target == self.draft.target else self.draft.step)


def fact(name: str) -> Fold:
    """Return a function that converts a checkbox's value to a declaration.

    The declaration states whether the fact ``name`` is public.
    """

    def fold(draft: Draft, said: bool) -> dict[str, Any]:
        others = tuple(fact for fact in draft.public if fact != name)
        return {"public": (*others, name) if said else others}

    return fold


def pair(name: str) -> Fold:
    """Return a function that converts a text to the declared bounds of the column ``name``."""
    return lambda draft, text: {"pairs": {**draft.pairs, name: text}}


def place_of(names: Iterable[str], chosen: str | None) -> int | None:
    """Return the index of ``chosen`` among names.

    Return None if nothing is chosen.
    """
    places = {name: at for at, name in enumerate(names)}
    return places.get(chosen or "")
