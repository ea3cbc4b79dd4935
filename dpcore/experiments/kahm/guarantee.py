"""What fabricated data promise to a whole record, and the code that reproduces the figure."""

from __future__ import annotations

from dataclasses import replace

from dpcore.experiments.kahm.params import SHOWN_ROUNDS, KahmParams
from dpcore.guarantee import Guarantee
from dpcore.kahm.guarantee import record_guarantee
from dpcore.units import Unit

__all__ = ["code", "guarantee"]


def guarantee(
    params: KahmParams,
    n_features: int = 2,
    *,
    estimated: tuple[str, ...] = (),
    unit: Unit | None = None,
    public: tuple[str, ...] = (),
) -> Guarantee:
    """Return what the published data promise to one record of ``n_features`` values.

    ``estimated``: what was read from the data, of "bounds", "n" and "classes": then nothing is proved.
    ``unit`` is what one record is, ``public`` what else is known of how the records were prepared.
    """
    found = record_guarantee(
        params.epsilon, params.atom, n_features, kind=params.noise,
        reads_original=params.stop == "paper",
    )  # fmt: skip
    # A value that is published as it is gives everything away; all others stay within ε.
    found = replace(
        found, loss_tail=found.delta, public=(*public, *found.public), unit=unit or found.unit
    )
    return found.having_read(*(_READ[fact] for fact in estimated))


_READ = {"bounds": "the bounds", "n": "n", "classes": "the classes"}


def code(params: KahmParams) -> str:
    """Return the program that draws the records original, noisy and published."""
    options = (
        f"n_components={params.n_components}, n_layers={params.n_layers}, "
        f'block_size={params.block_size},\n                      split="random", '
        f"tau_factor={params.ridge!r}"
    )
    return f"""\
import numpy as np
import plotly.graph_objects as go
from dpcore.experiments import kahm
from dpcore.kahm import HullOptions, fabricate

X, y = kahm.picture_data({params.shape!r}, {params.n_records})
options = HullOptions({options})
made = fabricate(  # noise on every value, then smoothing class by class
    X, y, epsilon={params.epsilon!r}, delta={params.atom!r}, rng=np.random.default_rng(({params.seed},)),
    rounds={SHOWN_ROUNDS}, operator={params.operator!r}, noise={params.noise!r}, options=options,
)
shown = {{"original": X, "noisy": made.stages[0], "published": made.stages[{params.rounds}]}}

figure = go.Figure()
for symbol, (name, places) in enumerate(shown.items()):
    colours = [f"hsl({{205 + 190 * k}}, 80%, 40%)" for k in y.tolist()]  # one for each class
    marker = {{"color": colours, "symbol": symbol}}
    figure.add_scatter(x=places[:, 0], y=places[:, 1], mode="markers", name=name, marker=marker)
figure.update_yaxes(scaleanchor="x")
figure.show()
print(made.guarantee)  # of a whole record, not of one value
"""
