"""Training of a small model at many noise levels together, with one noise level per lane of a vector register."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpcore import sgd
from dpcore.lvq import contributions
from dpcore.lvq._lane_count import LANES

if TYPE_CHECKING:
    from dpcore.lvq.plan import Plan

__all__ = ["LANES", "fits", "run"]

_COMPANY = 8  # fewest levels for which a pass of 32 is faster than one after the other
_SMALL = 160  # largest model whose 32 copies fit into the L1 cache


def fits(n_runs: int, size: int) -> bool:
    """Return whether training ``n_runs`` models of ``size`` numbers in vector lanes is faster than one by one."""
    return n_runs >= _COMPANY and size <= _SMALL


def run(
    X: NDArray[np.float32],
    y: NDArray[np.int32],
    W: NDArray[np.float32],
    lots: sgd.Lots,
    plan: Plan,
    rows: slice,
    key: NDArray[np.uint32],
    stop: NDArray[np.int64],
    out: NDArray[np.float32],
) -> None:
    """Train GLVQ models at up to 32 noise levels, one per vector lane; write snapshots to ``out`` (k, S, P, d).

    ``rows`` selects the k levels of ``plan``. W (k, P, d) are their initial prototypes. In the lanes gradients are in
    units of the clip norm. A level without clipping is therefore trained separately. Lanes without a level have a
    learning rate of 0. Setting ``stop[0]`` cancels the training; ``stop[1]`` is the number of the last step.
    """
    from dpcore.lvq import _compiled, _lanes_compiled

    clip, noise, rates = plan.clip[rows], plan.noise[rows], plan.rates[rows]
    free = clip >= contributions.FREE
    path = np.zeros((len(plan.snapshot_steps), *W.shape[1:], LANES), np.float32)
    inputs = (X, y), (plan.labels, (lots.indices, lots.offsets))
    ending = (plan.weights, key, plan.snapshot_steps, plan.low, plan.high, stop)
    _lanes_compiled.run(
        *inputs[0], _lanes(np.moveaxis(W, 0, -1)), *inputs[1], _lanes(noise),
        _lanes(np.where(free, 1, clip), 1.0), _lanes(np.where(free, 0, rates.T)), *ending, path,
    )  # fmt: skip
    out[:] = np.moveaxis(path[..., : len(W)], -1, 0)
    if free.any():
        alone = np.zeros_like(out[free])
        _compiled.run(
            *inputs[0], W[free], *inputs[1], noise[free], clip[free], rates[free], *ending, alone
        )
        out[free] = alone


def _lanes(values: NDArray[Any], fill: float = 0.0) -> NDArray[np.float32]:
    lanes = np.full((*values.shape[:-1], LANES), fill, np.float32)
    lanes[..., : values.shape[-1]] = values
    return lanes
