"""The panels of the page Autoencoder that show what attackers find."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams
from dpcore.experiments.autoencoder.similar import BINS
from ui.figure_kit.common import EPSILONS, epsilon_axis
from ui.frame.depth import Depth
from ui.live import Axis, Panel, layers
from ui.words.numbers import show

if TYPE_CHECKING:
    from pages.autoencoder.shown import Shown

__all__ = ["FOUND", "NOW", "attackers", "histograms", "membership"]


_ALARMS = [float(a) for a in autoencoder.FALSE_ALARMS]


_DRAWS = [float(k) for k in autoencoder.DRAWS]


FOUND = Axis(range=(0, 1.03), title="share found", format=".0%")


NOW = layers.VLine(at="epsilon_now", role="muted", width=1, label="your ε")


def attackers() -> list[Panel]:
    return [
        Panel(
            key="averages", title="The mean of k releases", tab="Attackers", height=330,
            depth=Depth.UNDERSTAND,
            x=Axis(range=(0.9, 34), title="releases k", log=True, ticks=autoencoder.DRAWS), y=FOUND,
            caption="Each release has fresh noise, so the mean of k has √k times less of it. The more "
            "releases an attacker can average, the easier a picture is found.",
            alt="Share found again from the mean of k releases at ε = {epsilon}.",
            layers=[
                layers.Line(x=_DRAWS, y="averages", label="found by eye"),
                layers.Dot(x="draws_now", y="averages_now"),
            ],
        ),
        Panel(
            key="true", title="Claimed and true ε", tab="Attackers", height=330,
            depth=Depth.UNDERSTAND,
            x=epsilon_axis("claimed ε"),
            y=Axis(range=(0.01, 1e6), title="ε", log=True,
                   ticks=(0.01, 0.1, 1, 10, 100, 1e3, 1e4, 1e5),
                   words=("0.01", "0.1", "1", "10", "100", "1000", "10\u202f000", "100\u202f000")),
            caption="The claim beside what really holds between two pictures. A guarantee would have to hold "
            "for any two.",
            alt="Claimed ε {epsilon_now}, true ε between these two {true_epsilon}.",
            layers=[
                NOW,
                layers.Line(x=EPSILONS, y=EPSILONS, role="danger", dash=True, label="claimed"),
                layers.Line(x=EPSILONS, y="typical_curve", role="nonprivate",
                            label="two pictures drawn by chance", label_short="by chance"),
                layers.Line(x=EPSILONS, y="pair_curve", width=2.5,
                            label="the two chosen pictures", label_short="these two"),
                layers.Dot(x="epsilon_now", y="true_epsilon"),
            ],
        ),
    ]  # fmt: skip


def histograms(answer: Shown) -> list[Panel]:
    edges = [i / BINS for i in range(BINS + 1)]
    other = show(answer.baselines.other_digit, ".3f")
    return [
        Panel(
            key="bins", title="How often each shade occurs", tab="Histograms", height=330,
            depth=Depth.CHECK,
            x=Axis(range=(0, 1), title="ink of a pixel"),
            y=Axis(range=(0, 1), title="share of the pixels", format=".0%"),
            caption="Jain et al. (2021) call pictures similar when these shares agree, wherever the pixels are.",
            alt="Histograms of the original and of the release.",
            layers=[
                layers.Bars(edges=edges, heights="own_bins", role="nonprivate", alpha=0.55, label="original"),
                layers.Bars(edges=edges, heights="bins", role="private", alpha=0.5, label="one release"),
            ],
        ),
        Panel(
            key="hellinger", title="Their measure, Hellinger's H", tab="Histograms", height=330,
            depth=Depth.CHECK,
            x=epsilon_axis("claimed ε"), y=Axis(range=(0, 0.7), title="H (0: the same histogram)"),
            caption="By this measure a release soon counts as similar. So does another digit, and the "
            "same pixels in another order would score 0.",
            alt="Hellinger distance against ε; now {h_now}, another digit {h_other}.",
            layers=[
                layers.Band(x="node_x", low="h_low", high="h_high", label="middle 90 % of releases",
                            label_short="90 %"),
                layers.HLine(at="h_other", role="nonprivate", label=f"another digit, {other}",
                             label_short="other digit"),
                layers.HLine(at="h_same", role="nonprivate", dash=True,
                             label=f"another picture of this digit, {show(answer.baselines.same_digit, '.3f')}",
                             label_short="same digit"),
                layers.Line(x="node_x", y="h_middle",
                    label="this picture, median", label_short="this picture"),
                layers.Cloud(xy="h_paper", labels="zero", role="danger", size=4, alpha=0.9,
                             label="Jain et al., MNIST", label_short="Jain et al."),
                layers.Dot(x="epsilon_now", y="h_now"),
            ],
        ),
    ]  # fmt: skip


def membership(params: AutoencoderParams) -> list[Panel]:
    few = params.trained_on == "few"
    hint = "" if few else " Let the network learn 212 pictures by heart to see it."
    return [
        Panel(
            key="roc", title="Was it in the training set?", tab="Membership", height=330,
            depth=Depth.UNDERSTAND,
            x=Axis(range=(0, 1), title="outsiders taken for members", format=".0%"),
            y=Axis(range=(0, 1.01), title="members found", format=".0%"),
            caption="A [[membership attack]]: a picture that comes back with a low error was probably used for "
            "training. The further a curve lies above guessing, the more often that is right." + hint,
            alt="Membership: area {area_now} at ε = {epsilon}.",
            layers=[
                layers.Line(x=[0.0, 1.0], y=[0.0, 1.0], role="muted", dash=True, width=1, label="guessing"),
                layers.Line(x=_ALARMS, y="plain_hits", role="nonprivate", label="without noise"),
                layers.Line(x=_ALARMS, y="refit_hits", role="other",
                    label="biases fitted anew", label_short="refitted"),
                layers.Line(x=_ALARMS, y="hits", label="with noise at your ε", label_short="with noise"),
            ],
        ),
        Panel(
            key="area", title="How often the ranking is right", tab="Membership", height=330,
            depth=Depth.UNDERSTAND,
            x=epsilon_axis("claimed ε"), y=Axis(range=(0.4, 1.02), title="area under the curve",
                                                format=".0%"),
            caption="Of a member and an outsider, how often has the member the lower error? An "
            "[[adversary|attacker]] who fits the biases anew does as well at any ε.",
            alt="Area under the membership curve against ε.",
            layers=[
                layers.HLine(at=0.5, role="muted", dash=True, width=1, label="guessing"),
                layers.HLine(at="plain_area", role="nonprivate", label="without noise"),
                layers.HLine(at="refit_area", role="other", label="biases fitted anew",
                             label_short="refitted"),
                NOW,
                layers.Line(x="level_x", y="area_curve", label="with noise"),
                layers.Dot(x="epsilon_now", y="area_now"),
            ],
        ),
    ]  # fmt: skip
