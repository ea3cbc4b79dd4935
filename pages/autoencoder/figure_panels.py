"""The panels of the live figure of the autoencoder page: pictures first, then what they give away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams
from pages.autoencoder.figure_arrays import FAR
from pages.autoencoder.figure_attack_panels import FOUND, NOW, attackers, histograms, membership
from pages.autoencoder.figure_printed import printed_panels
from pages.autoencoder.figure_rivals import rival_panels
from ui.figure_kit.common import EPSILONS, epsilon_axis
from ui.frame.depth import Depth
from ui.live import Axis, Panel, layers
from ui.words.numbers import show
from ui.words.units import whose_records

if TYPE_CHECKING:
    from pages.autoencoder.shown import Shown

__all__ = ["panels"]

_SHARE = (0.0, 1.0)
_SIDE = FAR / 2 + 3.6  # of the picture of two bells, in widths of the noise


def panels(params: AutoencoderParams, answer: Shown, made: dict[str, Any]) -> list[Panel]:
    """Return the panels for the arrays that are there."""
    if params.real:
        return _real(answer, made)
    return [
        *_main(answer, made),
        _found(answer, made),
        _people(answer),
        *attackers(),
        *_two_worlds(answer),
        *histograms(answer),
        *membership(params),
        *rival_panels(answer),
        *printed_panels(answer),
    ]


def _mosaic(answer: Shown, **more: Any) -> Panel:
    return Panel(kind="mosaic", **{"shape": answer.problem.shape, "range": _SHARE, **more})


def _half(answer: Shown) -> tuple[int, int]:
    high, wide = answer.problem.shape
    return (high, wide) if high <= 16 else (high // 2, wide // 2)


def _main(answer: Shown, made: dict[str, Any]) -> list[Panel]:
    title = answer.problem.title
    return [
        _mosaic(answer, key="large", title="One picture at your ε", still="large_still", tiles="large",
                columns=4, height=150,
                captions=("original", "no noise", "one release", "mean of several"),
                caption=f"{title}. Does one published picture still show the digit? And does the mean of "
                "several?",
                alt="The chosen digit released at ε = {epsilon} with noise on the {kind}, and the mean "
                "of {draws} releases."),
        _mosaic(answer, key="draws", title="Thirty releases of it", tiles="draws", columns=6,
                depth=Depth.UNDERSTAND,
                height=265, shape=_half(answer),
                caption="The same picture thirty times, each with its own noise.",
                alt="Thirty noisy releases of the same picture at ε = {epsilon}."),
    ]  # fmt: skip


def _people(answer: Shown) -> Panel:
    return _mosaic(
        answer, key="people", still="people", title="Ten pictures, one release", tiles="released", tab="Ten pictures",
        columns=10, height=380, depth=Depth.UNDERSTAND, rows=("original", "no noise", "hidden", "output", "both"),
        caption="In each of the three lower rows (noise on the biases of the hidden layer, of the output, of both) "
        "all pictures have the same noise. The same pattern stands in each of them, so an "
        "attacker can take it away.",
        alt="One picture of each digit: original, reconstruction, and the three kinds of noise at "
        "ε = {epsilon}.",
    )  # fmt: skip


def _found(answer: Shown, made: dict[str, Any]) -> Panel:
    return Panel(
        key="found", title="Which pictures attackers find", height=235,
        x=epsilon_axis("claimed ε"), y=FOUND,
        caption=f"Attackers look for the right picture in a list of {show(len(answer.problem.everyone), 'd')}: by "
        f"eye, or with the network at hand. {whose_records(answer.problem.unit)}",
        alt="Share of pictures found again in the list against the claimed ε.",
        layers=[
            NOW,
            layers.Line(x="level_x", y="cancelled_curve", role="danger",
                        label="100 pictures, network", label_short="100, network"),
            layers.Line(x="level_x", y="batch_curve", role="other", depth=Depth.UNDERSTAND,
                        label="100 pictures, by eye", label_short="100, by eye"),
            layers.Line(x="level_x", y="informed_curve", role="nonprivate", depth=Depth.UNDERSTAND,
                        label="one picture, network", label_short="one, network"),
            layers.Line(x="level_x", y="alone_curve", label="one picture, by eye", label_short="one, by eye"),
            layers.Dot(x="epsilon_now", y="batch_now", role="other", size=5, depth=Depth.UNDERSTAND),
            layers.Dot(x="epsilon_now", y="alone_now"),
        ],
    )  # fmt: skip


def _bells(here: str, there: str, role: str = "private") -> list[layers.Layer]:
    return [
        layers.Line(x="bell_there", y="bell", role="other", label=there),
        layers.Line(x="bell_here", y="bell", role=role, label=here),
        layers.Cloud(xy="dots_there", labels="zero", role="other", size=3.2, alpha=0.7),
        layers.Cloud(xy="dots_here", labels="zero", role=role, size=3.2, alpha=0.7),
    ]


def _world_panel(title: str, caption: str, here: str, there: str) -> Panel:
    return Panel(
        key="worlds", title=title, tab="Two worlds", height=330, depth=Depth.UNDERSTAND,
        x=Axis(range=(-_SIDE, _SIDE), title="place between the two, in widths of noise"),
        y=Axis(range=(-0.36, 1.1), ticks=(), title="likelihood"),
        caption=caption,
        alt="Releases of two worlds on one line, {ratio} widths of the noise apart.",
        layers=_bells(here, there),
    )  # fmt: skip


def _two_worlds(answer: Shown) -> list[Panel]:
    return [
        _mosaic(answer, key="two", still="two_still", title="Either of two pictures", tiles="two", tab="Two worlds",
                columns=2, height=330, depth=Depth.UNDERSTAND,
                captions=("first picture", "second picture", "released", "released"),
                caption="Can you tell from a picture below which of the two above it came from?",
                alt="Releases of the two pictures at ε = {epsilon}."),
        _world_panel(
            "Which picture was it?",
            "The more the two bells overlap, the less a release tells which picture it was, even to somebody who "
            f"has the network. Bells more than {show(FAR, 'd')} widths apart are drawn {show(FAR, 'd')} apart.",
            "first picture", "second picture",
        ),
    ]  # fmt: skip


def _real(answer: Shown, made: dict[str, Any]) -> list[Panel]:
    if "invented" not in made:
        return [
            _mosaic(answer, key="people", title="Real digits", tiles="originals", columns=10,
                    height=225, caption="The digits are being invented.", alt="Ten real digits."),
        ]  # fmt: skip
    return [
        _mosaic(answer, key="invented", title="Invented digits at your ε", tiles="invented",
                still="originals", columns=10, height=225,
                rows=("real", "invented", "", ""),
                caption="Above are ten real digits. The thirty below are invented, from noisy averages over all "
                "pictures.",
                alt="Ten real digits above thirty invented ones at ε = {epsilon}."),
        Panel(
            key="useful", title="How well they teach", height=225, x=epsilon_axis(),
            y=Axis(range=(0, 1), title="right on real digits", format=".0%"),
            caption="A network learns from invented digits alone, then reads real ones. The further the curve lies "
            "below the lines, the more privacy costs.",
            alt="Accuracy on real digits against ε.",
            layers=[
                layers.HLine(at="taught_real", role="nonprivate", label="taught by real digits",
                             label_short="real"),
                layers.HLine(at="noiseless", role="nonprivate", dash=True,
                             label="invented without noise", label_short="no noise"),
                NOW,
                layers.Line(x=EPSILONS, y="useful_curve", label="invented at your ε", label_short="invented"),
                layers.Dot(x="epsilon_now", y="useful"),
            ],
        ),
        *_audit(),
        _world_panel(
            "With and without the worst picture",
            "The more the two bells overlap, the less the sums tell about the picture that moves them most. For "
            "every other picture the bells lie no further apart.",
            "without the picture", "with the picture",
        ),
    ]  # fmt: skip


def _audit() -> list[Panel]:
    return [
        Panel(
            key="audit", title="What an attack can demonstrate", tab="Audit", height=330,
            depth=Depth.UNDERSTAND,
            x=epsilon_axis("promised ε"),
            y=Axis(range=(0.01, 30), title="ε", log=True, ticks=(0.01, 0.1, 1, 10)),
            caption="If the curve were above the line, the attack would have refuted the promise. From "
            f"{show(autoencoder.TRIALS, 'd')} releases it can show ε = 7.9 at most, at a confidence of "
            f"{show(autoencoder.CONFIDENCE, '.0%')} for each ε.",
            alt="Promised ε {epsilon_now}; an attack demonstrates at least {demonstrated}.",
            layers=[
                NOW,
                layers.Line(x=EPSILONS, y=EPSILONS, role="nonprivate", dash=True, label="promised"),
                layers.Line(x=EPSILONS, y="demonstrated_curve", width=2.5,
                            label="demonstrated by the best attack", label_short="demonstrated"),
                layers.Dot(x="epsilon_now", y="demonstrated"),
            ],
        ),
    ]  # fmt: skip
