"""Many numbers at once: Laplace noise by the L1 norm, Gaussian noise by the L2 norm."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.experiments.queries import Numbers, QueriesParams
from dpcore.experiments.queries.guarantee import guarantees
from dpcore.experiments.queries.params import NUMBERS
from pages.queries.topic import Topic, grown, scale_table
from ui.figure_kit.common import array
from ui.frame.depth import Depth
from ui.live import Array, Axis, Panel, Readout, Text, layers
from ui.words.odds_pictogram import people

__all__ = ["TOPIC"]

_K = np.array(NUMBERS, float)
_COORDS = {"sl": "laplace_of", "sg": "gaussian_of"}


def _arrays(params: QueriesParams, found: Numbers) -> dict[str, Array]:
    laplace, far = scale_table(found.laplace, "epsilon", "n_numbers")
    gaussian, wide = scale_table(found.gaussian, "epsilon", "delta", "n_numbers")
    shown = np.arange(len(found.counts)) < _K[:, None]
    truth = np.where(shown, found.counts, 0)

    def noisy(noise: Any, reach: float) -> Any:
        return np.where(shown, grown(found.counts, noise, reach)[:, None], 0)

    one = {} if np.isinf(found.crossing).all() else {
        "crossing": array(found.crossing, "epsilon", "delta"),
        "crossing_whole": array(np.floor(found.crossing) + 1, "epsilon", "delta"),
    }  # fmt: skip
    return one | {
        "laplace_of": laplace,
        "gaussian_of": gaussian,
        "truth": array(truth, "n_numbers"),
        "with_laplace": array(noisy(found.noise[0], far), "sl", "n_numbers"),
        "with_gaussian": array(noisy(found.noise[1], wide), "sg", "n_numbers"),
        "laplace": array(found.laplace, "epsilon"),
        "gaussian": array(found.gaussian, "epsilon", "delta"),
        "laplace_now": array(found.laplace, "epsilon", "n_numbers"),
        "gaussian_now": array(found.gaussian, "epsilon", "delta", "n_numbers"),
        "first": array(found.first, "n_numbers"),
        "second": array(found.second, "n_numbers"),
        "numbers_now": array(_K, "n_numbers"),
    }


def _panels(params: QueriesParams, found: Numbers) -> list[Panel]:
    return [
        _bars("counts_laplace", "With Laplace noise", "with_laplace"),
        _bars("counts_gaussian", "With Gaussian noise", "with_gaussian"),
        _spread(params),
    ]


def _bars(key: str, title: str, heights: str) -> Panel:
    n = 20
    places = [float(k) for k in range(n + 1)]
    return Panel(
        key=key, title=title, height=360,
        x=Axis(range=(0.0, float(n)), title="which number (the first 20 at most)", ticks=(0.5, 4.5, 9.5, 14.5, 19.5),
               words=("1", "5", "10", "15", "20")),
        y=Axis(range=(-20.0, 62.0), title="count"),
        caption="Filled: what is published. Outlined: what is true.",
        alt="{n_numbers} published counts beside the true ones.",
        layers=[
            layers.Bars(edges=places, heights=heights, label="published"),
            layers.Bars(edges=places, heights="truth", role="nonprivate", hollow=True, label="true"),
        ],
    )  # fmt: skip


def _spread(params: QueriesParams) -> Panel:
    cross = [] if params.shape == "histogram" else [
        layers.VLine(at="crossing", role="danger", width=1.2, label="crossing"),
    ]  # fmt: skip
    return Panel(
        key="spread", title="The noise of each number", height=380, depth=Depth.UNDERSTAND,
        x=Axis(range=(0.9, 110.0), log=True, title="how many numbers k", ticks=(1, 2, 5, 10, 20, 50, 100)),
        y=Axis(range=(0.05, 3000.0), log=True, title="standard deviation"),
        caption="When one person counts in all k numbers, Laplace noise grows like k and Gaussian noise like √k. "
        "When a person counts in one cell, neither grows, and Laplace noise is the smaller.",
        alt="Standard deviation of each number: Laplace noise {laplace_now}, Gaussian noise {gaussian_now}.",
        layers=[
            *cross,
            layers.Line(x=_K.tolist(), y="laplace", role="other", label="Laplace"),
            layers.Line(x=_K.tolist(), y="gaussian", label="Gaussian"),
            layers.Dot(x="numbers_now", y="laplace_now", role="other"),
            layers.Dot(x="numbers_now", y="gaussian_now"),
        ],
    )  # fmt: skip


def _readouts(params: QueriesParams) -> list[Readout]:
    more: dict[str, Any] = {"depth": Depth.UNDERSTAND}
    cross = [] if params.shape == "histogram" else [
        Readout(label="Gaussian noise is smaller from", value="crossing_whole", format="d", note="numbers", **more),
    ]  # fmt: skip
    return [
        Readout(label="Laplace noise: off by", value="laplace_now", format=".3g", note="standard deviation"),
        Readout(label="Gaussian noise: off by", value="gaussian_now", format=".3g", note="standard deviation",
                role="private"),
        Readout(label="L1 sensitivity", value="first", format=".3g", note="sum of all changes", **more),
        Readout(label="L2 sensitivity", value="second", format=".3g", note="root of their squares", **more),
        *cross,
    ]  # fmt: skip


def _meaning(params: QueriesParams, found: Numbers) -> Text:
    who = "one" if params.shape == "histogram" else "all"
    return Text(
        strings=[
            f"A person counts in {who} of the {{n_numbers}} numbers. Laplace noise on each has a standard deviation "
            "of {laplace_now}, Gaussian noise of {gaussian_now}."
        ]
    )


def _odds(params: QueriesParams, found: Numbers) -> list[Text]:
    return [people(guarantees(params))]


TOPIC = Topic(
    title="Many numbers",
    shows=("epsilon", "n_numbers", "shape", "relation", "noise", "delta", "seed"),
    arrays=_arrays, panels=_panels, readouts=_readouts, meaning=_meaning, odds=_odds,
    draws="counts_laplace", tables=("spread",), coords=_COORDS,
)  # fmt: skip
