"""Guarantee of a page as one paragraph of HTML, for files that need no server."""

from __future__ import annotations

from html import escape
from typing import Any

from ui.frame.page_spec import PageSpec
from ui.runner import PageState
from ui.words.guarantees import LOOKING, PROOF, on_page
from ui.words.odds import odds_sentence
from ui.words.text import load_text

__all__ = ["guarantee_paragraph"]

T = load_text(__file__)


def guarantee_paragraph(spec: PageSpec[Any], state: PageState[Any]) -> str:
    """Return an HTML paragraph with the guarantee that a page states for its results, or "" if the page has none."""
    words = spec.words(state)
    if words is None:
        return ""
    guarantee = on_page(words.bundle.guarantee, draws=words.bundle.draws)
    sentence = T(
        "handout.sentence", epsilon=guarantee.epsilon, delta=guarantee.delta, proof=PROOF[guarantee.status],
        meaning=odds_sentence(guarantee),
    )  # fmt: skip
    looking = [LOOKING] if words.bundle.draws else []
    said = escape(" ".join([sentence, *looking]))
    return f'<p class="dp-guarantee"><strong>{T("handout.guarantee")}</strong> {said}</p>'
