from dataclasses import dataclass

import numpy as np

from dpcore.accounting import LaplaceEvent
from dpcore.audit.claims import NoiseDraw
from dpcore.experiments import shared
from dpcore.experiments.params import Params
from dpcore.mechanisms import Laplace
from ui.export.from_figure import bundle
from ui.figure_kit import common, shared_controls
from ui.frame.explanation import Explanation
from ui.frame.page_spec import PageSpec, open_page
from ui.live import Array, Axis, Figure, Panel, Text, layers
from ui.runner import PageState, Pipeline, Stage
from ui.words.protection import tells

EACH = [Laplace(epsilon=epsilon) for epsilon in common.EPSILONS]
CONTROLS = shared_controls.epsilon(help="More noise or less."), shared_controls.seed()


@dataclass(frozen=True, kw_only=True)
class CountParams(Params):
    epsilon: float = shared.epsilon()
    seed: int = shared.seed()


def mean_errors(params: CountParams) -> Array:
    u = np.random.default_rng(params.seed).random(1000)
    return common.array([abs(noise.quantile(u)).mean() for noise in EACH])


def figure(state: PageState[CountParams]) -> Figure:
    curve = layers.Line(x=common.EPSILONS, y="mean", label="mean error")
    x, y = common.epsilon_axis(), Axis(range=(0, 22), title="mean error")
    panel = Panel(key="cost", title="Mean error", layers=[curve], x=x, y=y)
    return common.figure(state, CONTROLS, arrays={"mean": state["mean"]}, panels=[panel])


def noise_draws(params: CountParams) -> list[NoiseDraw]:
    noise, means = Laplace(epsilon=params.epsilon), mean_errors(params).values
    event = LaplaceEvent(float(means[common.EPSILONS.index(params.epsilon)]))
    return [NoiseDraw(what="a count", promised=noise.privacy, event=event, room=0.05)]


def words(state: PageState[CountParams]) -> Explanation:
    return Explanation(
        formula=r"\tilde c = c + \mathrm{Lap}(1/\varepsilon)", tasks="1. Halve ε. What happens to the mean error?",
        bundle=bundle(PAGE, state, Laplace(epsilon=state.params.epsilon).privacy),
        shown=f"1000 draws cost ε = **{1000 * state.params.epsilon:g}** together. Publish one.",
    )  # fmt: skip


STAGE = Stage("mean", lambda data, params, _: mean_errors(params), uses=("seed",), behind=False)
PAGE = PageSpec(
    key="example", group="Ideas", title="Noisy count", question="How far off is it?", params=CountParams,
    opening="We count people and add [[noise]]. Drag ε.", controls=CONTROLS, figure=figure, noise=noise_draws,
    pipeline=Pipeline[CountParams](name="example", stages=[STAGE]), words=words, meaning=lambda state: Text(
        strings=[f"One noisy count {tells(one.privacy, 'Ada')}." for one in EACH], dims=["epsilon"]),
)  # fmt: skip

if __name__ == "__main__":
    open_page(PAGE)
