"""The panels of Deep networks that stand deeper: what is spent, MNIST as measured, the step size."""

from __future__ import annotations

from dpcore.experiments.network import Curve, NetworkParams, published
from ui.frame.depth import Depth
from ui.live import Axis, Panel, layers
from ui.words.numbers import percent, show

__all__ = ["cost", "mnist", "schedules"]


def cost(params: NetworkParams) -> Panel:
    """Return the panel of ε by epoch."""
    return Panel(
        key="spent", title="What the training has cost by then", height=400, depth=Depth.UNDERSTAND,
        x=Axis(range=(0, params.epochs * 1.02), title="epochs"),
        y=Axis(range=(0, 1.08), title="share of your ε", format=".0%"),
        caption="The noise is chosen so that ε is used up when the last step is done. Whoever stops earlier "
        "has spent less.",
        alt="Share of ε = {epsilon} that is spent by epoch: it {trend:spent}.",
        layers=[
            layers.HLine(at=1.0, role="muted", dash=True, width=1.2, label="all of your ε"),
            layers.Line(x="epoch", y="spent", width=2.6, label="spent so far"),
        ],
    )  # fmt: skip


def mnist(curves: tuple[Curve, ...]) -> list[Panel]:
    """Return the panels of the published settings on 60,000 digits, as we measured them."""
    tab = "MNIST"
    x = Axis(range=(0, 62), title="epochs")
    lines: list[layers.Layer] = []
    spent: list[layers.Layer] = []
    for k, curve in enumerate(curves):
        row = published(curve.name)
        plain = row.epsilon is None
        name = "without privacy" if row.epsilon is None else f"ε = {show(row.epsilon, '.2f')}"
        ours = name if plain else f"ε = {show(curve.epsilon[-1] or 0.0, '.2f')}"
        role = "nonprivate" if plain else k
        lines += [
            layers.Line(x=f"mnist_x{k}", y=f"mnist_y{k}", role=role, width=2.4, label=f"ours, {ours}",
                        label_short=ours),
            layers.Points(xy=f"mnist_point{k}", labels=f"mnist_label{k}", role=role, size=6,
                          label=f"published {percent(row.accuracy)}", label_short=percent(row.accuracy)),
        ]  # fmt: skip
        if row.epsilon is not None:
            spent.append(
                layers.Line(x=f"mnist_x{k}", y=f"mnist_e{k}", role=role, width=2.4,
                            label=f"published as {name}", label_short=f"published {show(row.epsilon, '.2f')}")
            )  # fmt: skip
    return [
        Panel(
            key="mnist", title="60\u202f000 digits, as we measured them", tab=tab, height=400, x=x,
            depth=Depth.UNDERSTAND, y=Axis(range=(0.8, 1.0), title="new digits read right", format=".0%"),
            caption="The same recipe on MNIST, with a larger network of the same kind. The marks are what "
            "TensorFlow Privacy published for these settings. The values of ε that it published stand at the curves "
            "of the other picture.",
            alt="Measured test accuracy on MNIST by epoch, beside the published figures.",
            layers=lines,
        ),
        Panel(
            key="mnist_spent", title="What these trainings cost", tab=tab, height=400, x=x,
            depth=Depth.UNDERSTAND, y=Axis(range=(0, 7.5), title="ε of all steps so far, δ = 10⁻⁵"),
            caption="The published values of ε come from an older and looser account. The curves are drawn by the "
            "tight one: each ends below its published value, for the same training.",
            alt="ε of the measured trainings by epoch.",
            layers=spent,
        ),
    ]  # fmt: skip


def schedules(params: NetworkParams) -> list[Panel]:
    """Return the panels of the two step sizes over time."""
    tab, x = "The step size", Axis(range=(0, params.epochs * 1.02), title="epochs")
    here, there = "the same in every step", "falling to zero"
    if params.schedule == "linear":
        here, there = there, here
    return [
        Panel(
            key="rates", title="The step size over time", tab=tab, height=400, x=x, depth=Depth.UNDERSTAND,
            y=Axis(range=(0, params.learning_rate * 1.1), title="step size ηₜ"),
            caption="The step size ηₜ may change from step to step. A falling one takes large steps first, "
            "and small ones when mostly noise is left.",
            alt="The step size by epoch, constant and falling to zero.",
            layers=[
                layers.Line(x="epoch", y="other_rate", role="other", dash=True, label=there),
                layers.Line(x="epoch", y="rate", width=2.6, label=here),
            ],
        ),
        Panel(
            key="schedules", title="Which step size reads better", tab=tab, height=400, x=x, depth=Depth.UNDERSTAND,
            y=Axis(range=(0, 1.0), title="new digits read right", format=".0%"),
            caption="Two private networks with the same noise and the same ε. Only the step size differs, and that "
            "costs no privacy. A falling one is not always the better one.",
            alt="Share of new digits read right by epoch, for both step sizes.",
            layers=[
                layers.Line(x="epoch", y="other_curve", role="other", dash=True, label=there),
                layers.Line(x="epoch", y="private_curve", width=2.6, label=here),
            ],
        ),
    ]  # fmt: skip
