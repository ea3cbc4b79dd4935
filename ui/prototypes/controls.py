"""Controls common to the two prototype pages (Relevance learning, Relevance matrix)."""

from __future__ import annotations

from collections.abc import Sequence

from dpcore.experiments.relevance import RelevanceParams
from ui.figure_kit.availability import is_here
from ui.figure_kit.controls import PageControl, grouped, page_controls
from ui.words import text
from ui.words.text import Text

__all__ = ["prototype_controls"]

Items = Sequence[str | PageControl]
T = text.load_text(__file__)


def prototype_controls(
    own: Text,
    params: type[RelevanceParams],
    *,
    look: Items = (),
    epochs: str | PageControl,
    person: str | PageControl,
    understand: Items = (),
    check: Items = (),
) -> tuple[PageControl, ...]:
    """Return the controls for private training of prototypes, with the words of a page's text.

    Parameters
    ----------
    own : Text
        Text of the page. Missing words are taken from the text common to both pages.
    params : type
        Class of the page's parameters.
    look, understand, check
        Controls that only this page has, added to the common ones at each level of detail.
    epochs, person
        Controls of these two parameters. One page computes their changes in Python, the other in the
        browser.
    """
    per_class = "prototypes_per_class"
    return page_controls(
        own,
        params,
        look=[
            "epsilon",
            *grouped("learns", "clip_norm", "sample_rate", "delta"),
            PageControl("dataset", offered=is_here),
            *look,
        ],
        understand=[
            *grouped("learns", epochs, "learning_rate", "lots", *understand),
            *(() if per_class in look else grouped("starts", per_class)),
            *grouped("starts", "init_share", "project"),
            *grouped("who", person, "seed"),
            PageControl("record", hidden=True),
            PageControl("person_dx", hidden=True),
            PageControl("person_dy", hidden=True),
        ],
        check=grouped("learns", "recipe", *check),
        shared=[T],
    )
