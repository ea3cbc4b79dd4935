"""How the parameters of Affine hulls are set."""

from __future__ import annotations

from pages.kahm.figure_picture import STAGE_WORDS
from ui.figure_kit import shared_controls
from ui.figure_kit.availability import is_here
from ui.figure_kit.controls import PageControl
from ui.frame.depth import Depth

__all__ = ["CONTROLS"]

CONTROLS = (
    shared_controls.epsilon(
        label="privacy parameter of one value",
        help="Every value of the table gets noise of its own. A person with p values has p times this ε: that ε "
        "stands under the figure.",
    ),
    PageControl(
        "stage",
        words=STAGE_WORDS,
        ends=("original", "smoothed"),
        mode="local",
        play=True,
        help="First you see the original data, then the data with noise. Each further stage is one more round of "
        "smoothing.",
    ),
    PageControl(
        "shape",
        label="picture",
        help="Data with two values per person, so that we can draw what happens.",
    ),
    PageControl(
        "n_components",
        ends=("a curve", "a surface"),
        depth=Depth.UNDERSTAND,
        help="How many principal directions of a class its machine looks at.",
    ),
    PageControl(
        "ridge",
        ends=("follows the points", "stiff"),
        depth=Depth.UNDERSTAND,
        help="Kumar, Moser and Fischer ask for λ above the training error; code of the first author adds τ = 2 mean "
        "squares. A larger τ draws the image towards the mean of the "
        "class.",
    ),
    PageControl(
        "n_records",
        label="records in the picture",
        ends=("few", "many"),
        depth=Depth.UNDERSTAND,
        help="Smoothing averages over the records of a class. With more of them, more of the shape is left.",
    ),
    PageControl(
        "n_parties",
        ends=("one", "many"),
        mode="local",
        depth=Depth.UNDERSTAND,
        help="How many parties keep their own records and answer with distances only (tab *Federated*).",
    ),
    PageControl(
        "skew",
        ends=("all alike", "each class at one party"),
        depth=Depth.UNDERSTAND,
        help="How unequally the classes are spread over the parties: Dirichlet shares of concentration 1/skew.",
    ),
    shared_controls.delta(
        mode="server",
        depth=Depth.UNDERSTAND,
        help="By how much the probability of any set of results may exceed the bound of the tight ε of a whole "
        "record, and of the class means beside it. No exact values are published for it.",
    ),
    PageControl(
        "table",
        label="table measured in the tabs",
        offered=is_here,
        depth=Depth.UNDERSTAND,
        help="Accuracy, membership and parties are measured on these records, 2000 at most. MNIST comes from a "
        "folder on the server.",
    ),
    PageControl(
        "rounds",
        ends=("noisy only", "smooth"),
        depth=Depth.UNDERSTAND,
        help="How many rounds of smoothing: a fixed, public number. All tabs use it.",
    ),
    PageControl(
        "noise",
        depth=Depth.UNDERSTAND,
        help="Laplace or staircase noise: both give every value the same ε.",
    ),
    PageControl(
        "block_size",
        ends=("many machines", "one machine"),
        depth=Depth.UNDERSTAND,
        help="A large class is shared among several machines. The nearest one counts.",
    ),
    PageControl(
        "n_layers",
        ends=("one layer", "deep"),
        depth=Depth.UNDERSTAND,
        help="Machines that hand on their image. More than one layer changed no accuracy that we measured.",
    ),
    PageControl(
        "table_components",
        label="dimensions, in the tabs",
        ends=("few", "many"),
        depth=Depth.UNDERSTAND,
        help="The same n for the table, and never more than it has features.",
    ),
    PageControl(
        "person",
        depth=Depth.UNDERSTAND,
        help="Whose record differs between the two runs.",
    ),
    PageControl(
        "stop",
        depth=Depth.CHECK,
        help="Kumar, Moser and Fischer stop at the modelling error of the original data. That is another look at "
        "the data, and no ε accounts for it.",
    ),
    PageControl(
        "atom",
        ends=("none", "every tenth"),
        depth=Depth.CHECK,
        help="The δ > 0 of Kumar, Moser and Fischer: with this probability a value is published exactly as it is.",
    ),
    PageControl(
        "operator",
        depth=Depth.CHECK,
        help="The introduction leaves open how the map is repeated. You see two readings and a proved one.",
    ),
    PageControl(
        "person_dx",
        hidden=True,
        mode="local",
        depth=Depth.UNDERSTAND,
        help="How far to the right Ada's record lies in the other run.",
    ),
    PageControl(
        "person_dy",
        hidden=True,
        mode="local",
        depth=Depth.UNDERSTAND,
        help="How far up Ada's record lies in the other run.",
    ),
    PageControl(
        "lambda_step",
        mode="local",
        play=True,
        depth=Depth.UNDERSTAND,
        help="How many steps of the search for λ are drawn (tab *One machine*).",
    ),
    PageControl(
        "turn",
        mode="local",
        play=True,
        depth=Depth.CHECK,
        help="From where the bodies are seen (tab *Three dimensions*).",
    ),
    PageControl(
        "query_x",
        hidden=True,
        mode="local",
        depth=Depth.UNDERSTAND,
        help="How far to the right of the middle the query stands (tab *One machine*).",
    ),
    PageControl(
        "query_y",
        hidden=True,
        mode="local",
        depth=Depth.UNDERSTAND,
        help="How far above the middle the query stands (tab *One machine*).",
    ),
    shared_controls.seed(),
)
