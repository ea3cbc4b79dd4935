"""How the parameters of Autoencoder are set."""

from __future__ import annotations

from ui.depth import Depth
from ui.figure_kit import shared_controls
from ui.figure_kit.controls import PageControl

__all__ = ["CONTROLS"]

CONTROLS = (
    shared_controls.epsilon(
        ends=("more private?", "less private?"),
        help="What the paper claims. It sets the noise; what is really promised stands on the card.",
    ),
    PageControl(
        "kind",
        mode="local",
        help="Which numbers of the trained network are blurred. All its other weights stay as "
        "they are.",
    ),
    PageControl(
        "real",
        help="Shows invented pictures from noisy averages instead: there ε and δ are proved.",
    ),
    PageControl("digit", help="Whose picture is shown large. The paper shows a nine."),
    PageControl(
        "person",
        ends=("first writer", "tenth"),
        help="Which of ten people who wrote that digit. The network has not seen these pictures.",
    ),
    PageControl(
        "draws",
        ends=("one release", "many"),
        mode="local",
        help="How often the same picture is released with fresh noise. The paper makes ten runs.",
    ),
    shared_controls.delta(help="Enters the paper's noise formula. Jain et al. use 0.00001."),
    PageControl(
        "other",
        depth=Depth.UNDERSTAND,
        help="Whose picture could have been released instead: the two worlds.",
    ),
    PageControl(
        "dataset",
        depth=Depth.UNDERSTAND,
        help="MNIST comes from OpenML or a local folder; its network is trained at first use.",
    ),
    PageControl(
        "trained_on",
        depth=Depth.UNDERSTAND,
        help="A network that has learnt few pictures by heart tells who was among them.",
    ),
    shared_controls.seed(),
)
