"""How the parameters of Autoencoder are set."""

from __future__ import annotations

from ui.figure_kit import shared_controls
from ui.figure_kit.availability import is_here
from ui.figure_kit.controls import PageControl
from ui.frame.depth import Depth

__all__ = ["CONTROLS"]

CONTROLS = (
    shared_controls.epsilon(
        ends=("more noise", "less noise"),
        help="The ε that the method claims. It sets the noise. What is really promised stands "
        "in the guarantee.",
    ),
    PageControl(
        "digit",
        help="Which digit the picture shown large is of. The network did not train on this picture.",
    ),
    PageControl(
        "real",
        label="a method with a proof",
        help="Shows invented pictures instead, drawn from noisy averages. For them, ε is proved.",
    ),
    PageControl(
        "kind",
        mode="local",
        depth=Depth.UNDERSTAND,
        help="Which numbers of the trained network get the noise. All its other weights stay as they are.",
    ),
    PageControl(
        "person",
        ends=("first", "tenth"),
        depth=Depth.UNDERSTAND,
        help="Which of ten pictures of that digit. The network has not seen these pictures.",
    ),
    PageControl(
        "draws",
        ends=("one release", "many"),
        mode="local",
        depth=Depth.UNDERSTAND,
        help="How often the same picture is published, each time with fresh noise. Jain et al. (2021) make "
        "ten runs.",
    ),
    shared_controls.delta(
        depth=Depth.UNDERSTAND,
        help="A part of the noise formula of Jain et al. (2021), who use 0.00001.",
    ),
    PageControl(
        "other",
        depth=Depth.UNDERSTAND,
        help="Which picture could have been published instead. The two worlds differ in this.",
    ),
    PageControl(
        "dataset",
        offered=is_here,
        depth=Depth.UNDERSTAND,
        help="MNIST comes from OpenML or from a folder on the server. Its network is trained when it is first "
        "asked for.",
    ),
    PageControl(
        "trained_on",
        depth=Depth.UNDERSTAND,
        help="A network that has learnt a few pictures by heart shows which pictures were among them.",
    ),
    shared_controls.seed(),
)
