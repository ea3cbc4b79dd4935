"""Controls of the Affine hulls page, each with the level of detail from which it is shown."""

from __future__ import annotations

from dpcore.experiments.kahm import KahmParams
from ui.figure_kit.availability import is_here
from ui.figure_kit.controls import PageControl, grouped, page_controls
from ui.words import text

__all__ = ["CONTROLS"]

CONTROLS = page_controls(
    text.load_text(__file__),
    KahmParams,
    look=["epsilon", PageControl("stage", mode="local", play=True), "shape"],
    understand=[
        *grouped(
            "learns",
            "n_components",
            "ridge",
            "rounds",
            "noise",
            PageControl("delta"),  # Python answers: the account of a record is computed for each δ
        ),
        *grouped(
            "starts",
            "n_records",
            PageControl("table", offered=is_here),
            "table_components",
            "block_size",
            "n_layers",
            PageControl("n_parties", mode="local"),
            "skew",
            PageControl("lambda_step", mode="local", play=True),
        ),
        *grouped("who", "person", "seed"),
        PageControl("person_dx", hidden=True, mode="local"),
        PageControl("person_dy", hidden=True, mode="local"),
        PageControl("query_x", hidden=True, mode="local"),
        PageControl("query_y", hidden=True, mode="local"),
    ],
    check=grouped(
        "learns", "stop", "atom", "operator", PageControl("turn", mode="local", play=True)
    ),
)
