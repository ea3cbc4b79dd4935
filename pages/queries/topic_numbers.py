"""Topic of the page "Asking again": many numbers in one answer.

Laplace noise is scaled to the numbers' joint L1 sensitivity, Gaussian noise to their joint L2 sensitivity.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.experiments.queries import Numbers, QueriesParams, guarantees
from dpcore.experiments.queries.params import NUMBERS
from pages.queries.topic import Topic, grown, scale_table
from ui.figure_kit.common import array
from ui.figure_kit.odds_pictogram import people
from ui.live import Array, Axis, Panel, Readout, Text, layers
from ui.live.depth import Depth
from ui.words import text

__all__ = ["TOPIC"]

T = text.load_text(__file__)
_K = np.array(NUMBERS, float)
_COORDS = {"sl": "laplace_of", "sg": "gaussian_of"}


def _arrays(params: QueriesParams, numbers: Numbers) -> dict[str, Array]:
    laplace, far = scale_table(numbers.laplace, "epsilon", "n_numbers")
    gaussian, wide = scale_table(numbers.gaussian, "epsilon", "delta", "n_numbers")
    shown = np.arange(len(numbers.counts)) < _K[:, None]
    truth = np.where(shown, numbers.counts, 0)

    def noisy(noise: Any, reach: float) -> Any:
        return np.where(shown, grown(numbers.counts, noise, reach)[:, None], 0)

    one = {} if np.isinf(numbers.crossing).all() else {
        "crossing": array(numbers.crossing, "epsilon", "delta"),
        "crossing_whole": array(np.floor(numbers.crossing) + 1, "epsilon", "delta"),
    }  # fmt: skip
    return one | {
        "laplace_of": laplace,
        "gaussian_of": gaussian,
        "truth": array(truth, "n_numbers"),
        "with_laplace": array(noisy(numbers.noise[0], far), "sl", "n_numbers"),
        "with_gaussian": array(noisy(numbers.noise[1], wide), "sg", "n_numbers"),
        "laplace": array(numbers.laplace, "epsilon"),
        "gaussian": array(numbers.gaussian, "epsilon", "delta"),
        "laplace_now": array(numbers.laplace, "epsilon", "n_numbers"),
        "gaussian_now": array(numbers.gaussian, "epsilon", "delta", "n_numbers"),
        "first": array(numbers.first, "n_numbers"),
        "second": array(numbers.second, "n_numbers"),
        "numbers_now": array(_K, "n_numbers"),
    }


def _panels(params: QueriesParams, numbers: Numbers) -> list[Panel]:
    return [
        _bars("counts_laplace", "with_laplace"),
        _bars("counts_gaussian", "with_gaussian"),
        _spread(params),
    ]


def _bars(key: str, heights: str) -> Panel:
    n = 20
    places = [float(k) for k in range(n + 1)]
    panel = Panel(
        key=key, height=360, y=Axis(range=(-20.0, 62.0)),
        x=Axis(range=(0.0, float(n)), ticks=(0.5, 4.5, 9.5, 14.5, 19.5), words=("1", "5", "10", "15", "20")),
        layers=[
            layers.Bars(edges=places, heights=heights, label=T("panels.counts_laplace.published")),
            layers.Bars(edges=places, heights="truth", role="nonprivate", hollow=True,
                        label=T("panels.counts_laplace.true")),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _spread(params: QueriesParams) -> Panel:
    crossing = layers.VLine(
        at="crossing", role="danger", width=1.2, label=T("panels.spread.crossing")
    )
    panel = Panel(
        key="spread", height=380, depth=Depth.UNDERSTAND,
        x=Axis(range=(0.9, 110.0), log=True, ticks=(1, 2, 5, 10, 20, 50, 100)),
        y=Axis(range=(0.05, 3000.0), log=True),
        layers=[
            *([] if params.shape == "histogram" else [crossing]),
            layers.Line(x=_K.tolist(), y="laplace", role="other", label=T("panels.spread.laplace")),
            layers.Line(x=_K.tolist(), y="gaussian", label=T("panels.spread.gaussian")),
            layers.Dot(x="numbers_now", y="laplace_now", role="other"),
            layers.Dot(x="numbers_now", y="gaussian_now"),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _readouts(params: QueriesParams) -> list[Readout]:
    more: dict[str, Any] = {"depth": Depth.UNDERSTAND}
    crossing = [] if params.shape == "histogram" else [
        T.readout(Readout(value="crossing_whole", format="d", **more)),
    ]  # fmt: skip
    return [
        T.readout(Readout(value="laplace_now", format=".3g")),
        T.readout(Readout(value="gaussian_now", format=".3g", role="private")),
        T.readout(Readout(value="first", format=".3g", **more)),
        T.readout(Readout(value="second", format=".3g", **more)),
        *crossing,
    ]


def _meaning(params: QueriesParams, numbers: Numbers) -> Text:
    return Text(strings=[T(f"meaning.numbers.{params.shape}")])


def _odds(params: QueriesParams, numbers: Numbers) -> list[Text]:
    return [people(guarantees(params))]


TOPIC = Topic(
    title=T("topics.numbers"),
    shows=("epsilon", "n_numbers", "shape", "relation", "noise", "delta", "seed"),
    arrays=_arrays, panels=_panels, readouts=_readouts, meaning=_meaning, odds=_odds,
    draws="counts_laplace", tables=("spread",), coords=_COORDS,
)  # fmt: skip
