"""Gradients of single records of any torch module: clipped, summed, and given noise.

For a network of any layers; `dpcore.network.clipping` does the same for one kind of network, faster.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dpcore import _checks
from dpcore._torch import need_torch

__all__ = ["ROOM", "clipped_sum", "gradients", "noisy"]

_NUMBERS_AT_ONCE = 2**21  # of single gradients: what a processor's cache holds, or little more
ROOM = 0.01
"""Share of C left for the last digits of float32, in which torch may round other records' gradients
differently when one is missing."""


def gradients(
    module: Any, params: Mapping[str, Any], loss: Callable[..., Any], batch: tuple[Any, ...]
) -> Any:
    """Return every record's own gradient, a tensor (m, p): nothing is private about it.

    Parameters
    ----------
    module : torch.nn.Module
        Called with inputs (1, ...); none of its layers may mix records (no batch normalisation).
    params : mapping of tensors
        By name, as ``dict(module.named_parameters())``; p numbers in all, flat in this order.
    loss : callable
        ``loss(output, *targets)`` of one record: a scalar.
    batch : tuple of tensors
        Inputs (m, ...) and targets (m, ...), m ≥ 1.

    Returns
    -------
    torch tensor (m, p)

    See Also
    --------
    clipped_sum
    """
    func = need_torch().func

    def of_one(weights: Mapping[str, Any], x: Any, *targets: Any) -> Any:
        output = func.functional_call(module, weights, (x.unsqueeze(0),))
        return loss(output.squeeze(0), *targets)

    places = (None, *(0 for _ in batch))
    found = func.vmap(func.grad(of_one), in_dims=places)(dict(params), *batch)
    return need_torch().cat([found[name].flatten(1) for name in params], dim=1)


def clipped_sum(
    module: Any,
    params: Mapping[str, Any],
    loss: Callable[..., Any],
    batch: tuple[Any, ...],
    clip_norm: float,
) -> Any:
    """Return Σ_i g_i min(1, C/‖g_i‖) over the records of a batch (Abadi et al. 2016, Algorithm 1).

    Whatever the records and the weights hold, each adds a vector of norm at most C: norms and sums are
    taken in double precision, where nothing overflows, and a gradient that is not finite adds 0.

    Parameters
    ----------
    module, params, loss, batch : as for `gradients`
        The batch may be empty: a Poisson lot is, now and then.
    clip_norm : float
        C in [1e-30, 1e30].

    Returns
    -------
    torch tensor (p,), float64
        Adding or removing a record moves it by at most C in L2.

    Raises
    ------
    ValueError
        When ``clip_norm`` is outside its range.

    See Also
    --------
    noisy, gradients

    References
    ----------
    M. Abadi et al., "Deep learning with differential privacy", CCS, 2016.
    """
    torch = need_torch()
    most = (1 - ROOM) * _checks.scale("clip_norm", clip_norm)
    size = sum(value.numel() for value in params.values())
    total = torch.zeros(size, dtype=torch.float64)
    if not len(batch[0]):
        return total
    rows = max(1, _NUMBERS_AT_ONCE // size)
    for part in zip(*(values.split(rows) for values in batch), strict=True):
        total += _clipped(gradients(module, params, loss, part).double(), most)
    return total


def _clipped(each: Any, most: float) -> Any:
    """The sum of rows (m, p) shortened to a norm; squares of float32 stay in the range of a double."""
    torch = need_torch()
    norms = torch.linalg.vector_norm(each, dim=1)
    finite = norms.isfinite()
    if not finite.all():
        each, norms = each[finite], norms[finite]
    return (most / norms.clamp(min=most)) @ each


def noisy(total: Any, noise_multiplier: float, clip_norm: float, rng: np.random.Generator) -> Any:
    """Return a sum (p,) of `clipped_sum` plus σ C Z with standard normal Z: what may be released."""
    torch = need_torch()
    unit = torch.from_numpy(rng.standard_normal(len(total)))
    return total + (noise_multiplier * clip_norm) * unit
