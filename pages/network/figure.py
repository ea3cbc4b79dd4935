"""Interactive figure of the Deep networks page: test digits, training with and without privacy, and MNIST runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpcore.experiments import network
from dpcore.experiments.network import Curve, NetworkParams, Outcomes, published
from pages.network.arrays import COORDS, arrays, mnist_arrays, outcome_arrays
from pages.network.controls import CONTROLS
from pages.network.known import Known, known
from pages.network.measured import mnist_curves, seed_accuracies
from ui import live
from ui.figure_kit import common
from ui.figure_kit.estimates import difference_readout, median_readout
from ui.figure_kit.odds_pictogram import people
from ui.figure_kit.outcomes import breathing
from ui.live import Axis, Panel, Readout, layers
from ui.live.depth import Depth
from ui.words import text
from ui.words.numbers import percent

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure", "since"]

T = text.load_text(__file__)


def figure(state: PageState[NetworkParams]) -> live.Figure:
    """Return the interactive figure of the results available so far."""
    params, curves, along = state.params, mnist_curves(), state.previews().get("epsilon")
    others, private = seed_accuracies(params), known(state)
    digits = arrays(params, private, state["plain"], state["other"], state["spent"], along)
    # σ and the share that is spent are shown from Understand on; until they lie over ε, Python answers.
    drawn_ahead = along is not None or state["spent"] is None
    draws, stepping = _stepped(params, state["outcomes"])
    return common.figure(
        state,
        CONTROLS,
        arrays=digits | mnist_arrays(curves) | draws,
        coords=COORDS,
        previews={"epsilon": {}} if drawn_ahead else {},
        panels=[
            _wall(), _training(params, private), *_schedules(params), _cost_by_epoch(params),
            *(_mnist(curves) if curves else []),
        ],
        readouts=_readouts(0 if others is None else len(others)),
        texts=[people(network.guarantees(params))],
        breathing=stepping,
    )  # fmt: skip


def _stepped(
    params: NetworkParams, outcomes: Outcomes | None
) -> tuple[dict[str, live.Array], live.Breathing | None]:
    """Return the arrays of trainings repeated with other noise at the current ε, and the animation through them.

    If there are no such trainings, there are no arrays and the animation is None.
    """
    if outcomes is None:
        return {}, None
    stepping = breathing(
        len(outcomes.reads), "", {"votes": "outcome_votes"}, at={"epsilon": params.epsilon}
    )
    return outcome_arrays(outcomes), stepping


def _epochs(params: NetworkParams) -> Axis:
    return Axis(range=(0, params.epochs * 1.02))


def _wall() -> Panel:
    """Return the panel of test digits, with the predictions of the private and of the non-private network."""
    panel = Panel(
        key="wall", kind="mosaic", tiles="wall", shape=(8, 8), range=(0.0, 1.0), columns=14, height=440,
        leads=True,
        layers=[
            layers.Readings(votes="votes", truth="truth", marks=True),
            layers.Readings(votes="plain_votes", truth="truth", role="nonprivate"),
        ],
    )  # fmt: skip
    return T.panel(panel, n=network.N_WALL)


def _training(params: NetworkParams, private: Known | None) -> Panel:
    before = None if private is None else private.before
    panel = Panel(
        key="training", height=400, depth=Depth.UNDERSTAND, x=_epochs(params), y=Axis(range=(0, 1.0), format=".0%"),
        layers=[
            layers.HLine(at=0.1, role="muted", dash=True, width=1.2, label=T("panels.training.guessing")),
            layers.Line(x="epoch", y="plain_curve", role="nonprivate", label=T("panels.training.plain"),
                        label_short=T("panels.training.plain_short")),
            layers.Line(x="private_epoch", y="nearest_curve", width=2, dash=True, alpha=0.5, keep=False,
                        label=T("panels.training.nearest") if before is None else since(params, before),
                        label_short=T("panels.training.nearest_short")),
            layers.Line(x="private_epoch", y="private_curve", width=3, label=T("panels.training.private")),
            layers.Dot(x="epochs_done", y="private_now"),
        ],
    )  # fmt: skip
    return T.panel(panel)


def since(params: NetworkParams, before: NetworkParams) -> str:
    """Return the label of a curve whose training had other parameters, ``before``, than the current ones.

    If only ε was changed, the label states the earlier ε.
    """
    if before.but(epsilon=params.epsilon) == params:
        return T("since.epsilon", epsilon=before.epsilon)
    return T("since.other")


def _cost_by_epoch(params: NetworkParams) -> Panel:
    panel = Panel(
        key="spent", height=400, depth=Depth.UNDERSTAND, x=_epochs(params), y=Axis(range=(0, 1.08), format=".0%"),
        layers=[
            layers.HLine(at=1.0, role="muted", dash=True, width=1.2, label=T("panels.spent.all")),
            layers.Line(x="epoch", y="spent", width=2.6, label=T("panels.spent.spent")),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _schedules(params: NetworkParams) -> list[Panel]:
    """Return two panels that compare the learning-rate schedules: the rates, and the accuracies."""
    options = T.field("schedule").options or {}
    present = options[params.schedule]
    other = next(words for name, words in options.items() if name != params.schedule)
    rates = Panel(
        key="rates", height=400, depth=Depth.UNDERSTAND, x=_epochs(params),
        y=Axis(range=(0, params.learning_rate * 1.1)),
        layers=[
            layers.Line(x="epoch", y="other_rate", role="other", dash=True, label=other),
            layers.Line(x="epoch", y="rate", width=2.6, label=present),
        ],
    )  # fmt: skip
    accuracies = Panel(
        key="schedules", height=400, depth=Depth.UNDERSTAND, x=_epochs(params),
        y=Axis(range=(0, 1.0), format=".0%"),
        layers=[
            layers.Line(x="epoch", y="other_curve", role="other", dash=True, label=other),
            layers.Line(x="private_epoch", y="private_curve", width=2.6, label=present),
        ],
    )  # fmt: skip
    return [T.panel(rates), T.panel(accuracies)]


def _mnist(curves: tuple[Curve, ...]) -> list[Panel]:
    """Return two panels for published MNIST settings: the measured accuracy, and the spent ε, after each epoch."""
    x, private = (
        Axis(range=(0, 62)),
        [k for k, curve in enumerate(curves) if curve.epsilon[-1] is not None],
    )
    accuracy = Panel(
        key="mnist", height=400, depth=Depth.UNDERSTAND, x=x, y=Axis(range=(0.8, 1.0), format=".0%"),
        layers=[layer for k, curve in enumerate(curves) for layer in _mnist_accuracy(k, curve)],
    )  # fmt: skip
    cost = Panel(
        key="mnist_spent", height=400, depth=Depth.UNDERSTAND, x=x, y=Axis(range=(0, 7.5)),
        layers=[_mnist_cost(k, published(curves[k].name).epsilon or 0.0) for k in private],
    )  # fmt: skip
    return [T.panel(accuracy), T.panel(cost)]


def _mnist_accuracy(k: int, curve: Curve) -> list[layers.Layer]:
    """Return the layers of the k-th published MNIST setting: our accuracy curve, and the published accuracy."""
    epsilon, reached = curve.epsilon[-1], percent(published(curve.name).accuracy)
    if epsilon is None:
        label, short = T("panels.mnist.plain"), T("panels.mnist.plain_short")
    else:
        label = T("panels.mnist.ours", epsilon=epsilon)
        short = T("panels.mnist.ours_short", epsilon=epsilon)
    role = "nonprivate" if epsilon is None else k
    return [
        layers.Line(x=f"mnist_x{k}", y=f"mnist_y{k}", role=role, width=2.4, label=label, label_short=short),
        layers.Points(xy=f"mnist_point{k}", labels=f"mnist_label{k}", role=role, size=6,
                      label=T("panels.mnist.published", accuracy=reached), label_short=reached),
    ]  # fmt: skip


def _mnist_cost(k: int, epsilon: float) -> layers.Line:
    return layers.Line(
        x=f"mnist_x{k}", y=f"mnist_e{k}", role=k, width=2.4,
        label=T("panels.mnist_spent.published", epsilon=epsilon),
        label_short=T("panels.mnist_spent.published_short", epsilon=epsilon),
    )  # fmt: skip


def _readouts(n_seeds: int) -> list[Readout]:
    private = median_readout(
        "", "private_median", code="in 100", n_draws=n_seeds, draw="private_now", role="private"
    )
    plain = median_readout("", "plain_median", code="in 100", n_draws=n_seeds, draw="plain_now")
    return [
        T.readout(private),
        T.readout(plain),
        T.readout(Readout(value="epsilon_now", about="private")),
        _cost(n_seeds),
        T.readout(Readout(value="sigma", about="private", depth=Depth.UNDERSTAND)),
        T.readout(Readout(value="steps", about="private", format="d", depth=Depth.UNDERSTAND)),
    ]


def _cost(n_seeds: int) -> Readout:
    """Return the readout of the accuracy lost to privacy.

    The loss is estimated from ``n_seeds`` repetitions. If there are none, it is the loss of the displayed training.
    """
    if not n_seeds:
        words = T.readout(Readout(value="privacy_cost", format="points", depth=Depth.UNDERSTAND))
        return Readout(
            label=words.label, value="cost", format="points", note=words.alone, depth=Depth.UNDERSTAND
        )  # fmt: skip
    return T.readout(
        difference_readout(
            "", "privacy_cost", code="points", n_draws=n_seeds, draw="cost", depth=Depth.UNDERSTAND
        )
    )
