from dataclasses import dataclass

import numpy as np
import streamlit as st

from dpcore.experiments import shared
from dpcore.experiments.params import Params
from dpcore.grids import EPSILON_GRID
from dpcore.mechanisms import Laplace
from ui.export.from_figure import bundle
from ui.figure_kit import common, shared_controls
from ui.frame.explanation import Explanation
from ui.frame.page_spec import PageSpec
from ui.live import Axis, Panel, layers
from ui.runner import Pipeline, Stage

EDGES = [float(edge) for edge in range(-20, 21)]


@dataclass(frozen=True, kw_only=True)
class CountParams(Params):
    epsilon: float = shared.epsilon()
    seed: int = shared.seed()


def run_sweep(problem, params, context):
    errors = np.random.default_rng(params.seed).laplace(size=1000) / np.array([EPSILON_GRID]).T
    counts = [np.histogram(row, EDGES)[0] / 1000 for row in errors]
    return {"mean": common.array(abs(errors).mean(1)), "counts": common.array(counts, "epsilon")}


def figure(state):
    cost = {"x": common.epsilon_axis(), "y": Axis(range=(0, 22), title="mean error")}
    curve = layers.Line(x=common.EPSILONS, y="mean")
    bars = layers.Bars(edges=EDGES, heights="counts")
    errors = {"x": Axis(range=(-20, 20), title="error"), "y": Axis(range=(0, 1), title="share")}
    panels = [
        Panel(key="cost", title="Mean error", layers=[curve], **cost),
        Panel(key="errors", title="Errors of 1000 draws", layers=[bars], **errors),
    ]
    return common.figure(state, CONTROLS, arrays=state["sweep"], panels=panels)


def words(state):
    return Explanation(
        formula=lambda: st.latex(r"\tilde c = c + \mathrm{Lap}(1/\varepsilon)"),
        bundle=bundle(PAGE, state, Laplace(epsilon=state.params.epsilon).privacy),
        tasks="1. **Twice as private.** Halve ε. What happens to the mean error?",
    )


CONTROLS = shared_controls.epsilon(help="How well one person is hidden."), shared_controls.seed()
SWEEP = Stage("sweep", run_sweep, ignores=("epsilon",), behind=False)
WORK = {"pipeline": Pipeline(name="example", stages=[SWEEP]), "figure": figure, "words": words}
TEXTS = {"key": "example", "title": "Noisy count", "question": "How far off is it?"}
PAGE = PageSpec(**TEXTS, **WORK, params=CountParams, controls=CONTROLS)
