"""How the parameters of Affine hulls are set."""

from __future__ import annotations

from ui.depth import Depth
from ui.figure_kit import shared_controls
from ui.figure_kit.controls import PageControl

__all__ = ["CONTROLS"]

CONTROLS = (
    shared_controls.epsilon(
        help="Every value of the table gets noise of scale 1/ε of its range. A record of p values "
        "has p times this loss: it stands beside the figure."
    ),
    PageControl(
        "stage",
        ends=("original", "smoothed"),
        mode="local",
        play=True,
        help="0: the original data. 1: with noise. Then one more round of smoothing each.",
    ),
    PageControl(
        "n_components",
        ends=("a curve", "a surface"),
        help="How many principal directions of a class its machine looks at.",
    ),
    PageControl(
        "ridge",
        ends=("follows the points", "stiff"),
        depth=Depth.UNDERSTAND,
        help="The paper takes τ = 2 mean squares. More of it pulls the image towards the class mean.",
    ),
    PageControl(
        "n_records",
        label="records in the picture",
        ends=("few", "many"),
        help="Smoothing averages over the records of a class: more of them, more shape is left.",
    ),
    PageControl(
        "shape",
        label="picture",
        help="Two-dimensional data, to see what happens. Use the digits for claims.",
    ),
    PageControl(
        "n_parties",
        ends=("one", "many"),
        mode="local",
        help="Who keep their own records and only answer distances (tab Federated).",
    ),
    PageControl(
        "skew",
        ends=("all alike", "each class at one party"),
        help="How unequally the classes are spread: Dirichlet shares of concentration 1/skew.",
    ),
    shared_controls.delta(
        mode="server",
        help="By how much the probability of any set of results may exceed the bound by the tight "
        "ε of a whole record, and of its rival. No exact values are published for it.",
    ),
    PageControl(
        "table",
        label="table measured in the tabs",
        help="Accuracy, membership, parties: measured on these records.",
    ),
    PageControl(
        "rounds",
        ends=("noisy only", "smooth"),
        depth=Depth.UNDERSTAND,
        help="A fixed, public number of rounds. Used in all tabs.",
    ),
    PageControl(
        "stop",
        depth=Depth.UNDERSTAND,
        help="The paper stops at the error of the original data: another look that nothing pays for.",
    ),
    PageControl("noise", depth=Depth.UNDERSTAND, help="Both give every value the same ε."),
    PageControl(
        "atom",
        ends=("none", "every tenth"),
        depth=Depth.UNDERSTAND,
        help="The paper's δ > 0: with this chance a value is published exactly as it is.",
    ),
    PageControl(
        "operator",
        depth=Depth.UNDERSTAND,
        help="The introduction leaves open how the map is repeated: two readings and a proved one.",
    ),
    PageControl(
        "block_size",
        ends=("many machines", "one machine"),
        depth=Depth.UNDERSTAND,
        help="A large class is shared by several machines; the nearest one counts.",
    ),
    PageControl(
        "n_layers",
        ends=("one layer", "deep"),
        depth=Depth.UNDERSTAND,
        help="Machines that hand on their image. More than one changed no accuracy we measured.",
    ),
    PageControl(
        "table_components",
        label="dimensions, in the tabs",
        ends=("few", "many"),
        depth=Depth.UNDERSTAND,
        help="The same n for the table; never more than it has features.",
    ),
    PageControl(
        "person", depth=Depth.UNDERSTAND, help="The record that differs between the two worlds."
    ),
    PageControl(
        "person_dx",
        hidden=True,
        mode="local",
        depth=Depth.UNDERSTAND,
        help="How far to the right Ada's record lies in the other world.",
    ),
    PageControl(
        "person_dy",
        hidden=True,
        mode="local",
        depth=Depth.UNDERSTAND,
        help="How far up Ada's record lies in the other world.",
    ),
    shared_controls.seed(),
)
