"""Controls of the Autoencoder page, each with the level of detail from which it is shown."""

from __future__ import annotations

from typing import Any

from dpcore.experiments.autoencoder import AutoencoderParams
from ui.figure_kit.availability import is_here
from ui.figure_kit.controls import PageControl, grouped, page_controls
from ui.words import text

__all__ = ["CONTROLS"]


def _is_another_method(params: AutoencoderParams) -> bool:
    """Return whether the page offers no network trained by DP-SGD.

    Such networks are left out if the method is the generator, or if the data set is MNIST, whose images are large.
    """
    return params.real or params.dataset != "digits"


T = text.load_text(__file__)
_TRAINED: dict[str, Any] = {
    "mode": "local", "absent": _is_another_method, "tab": T("panels.trained.tab"),
}  # fmt: skip

CONTROLS = page_controls(  # a person is the number of a picture: no rank in per cent
    T,
    AutoencoderParams,
    look=[
        "epsilon",
        "delta",
        *grouped(
            "trained",
            PageControl("clip_norm", **_TRAINED),
            PageControl("sample_rate", **_TRAINED),
        ),
        "real",
    ],
    understand=[
        PageControl("kind", mode="local"),
        *grouped("starts", PageControl("dataset", offered=is_here), "trained_on"),
        *grouped("who", "digit", "person", "other", PageControl("draws", mode="local"), "seed"),
    ],
)
