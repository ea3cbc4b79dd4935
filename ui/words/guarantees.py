"""Words for a guarantee's status and neighbouring relation, and assumptions that a page adds to a guarantee."""

from __future__ import annotations

import math

from dpcore.guarantee import Guarantee
from ui.words import text

__all__ = ["LOOKING", "NEIGHBOURS", "PROOF", "on_page"]

T = text.load_text(__file__)
NEIGHBOURS = T.group("neighbours")
PROOF = T.group("proof")
LOOKING, SECRET, SEED = T("noise.looking"), T("noise.secret"), T("noise.seed")


def on_page(guarantee: Guarantee, *, draws: bool = True) -> Guarantee:
    """Return the guarantee with the assumptions of a page.

    One assumption is that a real release uses other noise, since the seed of a page is public. A guarantee that is
    nominal or has ε = ∞ is returned unchanged.

    ``draws``: whether the page draws noise at all.
    """
    if guarantee.status == "nominal" or math.isinf(guarantee.epsilon):
        return guarantee
    return guarantee.assuming(f"{SECRET} {SEED}" if draws else SECRET)
