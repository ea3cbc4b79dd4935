"""Computation of the Mechanisms page: outputs on neighbouring data sets, at every ε, δ and group size k."""

from __future__ import annotations

from dpcore.experiments import mechanisms
from dpcore.experiments.mechanisms import MechanismsParams, Outputs
from ui.runner import Context, Pipeline, Stage

__all__ = ["PIPELINE"]


def _outputs(problem: None, params: MechanismsParams, context: Context) -> Outputs:
    return mechanisms.run(params)


PIPELINE = Pipeline[MechanismsParams](
    name="mechanisms", stages=[Stage("outputs", _outputs, uses=("noise", "seed"), behind=False)]
)
