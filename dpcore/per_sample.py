"""Per-sample gradients of any torch module, with functions that clip and sum them and add noise.

The torch module may have any layers that treat records separately. `dpcore.network.clipping` is a much faster version
for one architecture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dpcore import _checks, _draws
from dpcore._torch import need_torch, one_thread

__all__ = ["ROOM", "clipped_sum", "gradients", "noisy"]

ROOM = 1e-4
"""Fraction of the clipping norm C that is reserved for rounding errors in the sum over a lot.

For n records these errors are at most 2 · n² · 2⁻⁵² · C, so the reserve is sufficient for n ≤ 400,000.
"""


def gradients(
    module: Any, params: Mapping[str, Any], *, loss: Callable[..., Any], batch: tuple[Any, ...]
) -> Any:
    """Return the gradients (m, p) of the losses of m records, without clipping or noise.

    Parameters
    ----------
    module : torch.nn.Module
        Model, which is called with inputs (1, ...) of one record. Its layers must not mix records, which excludes
        batch normalisation.
    params : mapping of tensors
        Parameters by name, as in ``dict(module.named_parameters())``. They contain p numbers in total.
    loss : callable
        Function ``loss(output, *targets)`` that returns the scalar loss of one record.
    batch : tuple of tensors
        Inputs (m, ...) and targets (m, ...), m ≥ 1.

    Returns
    -------
    torch tensor (m, p)
        One gradient per record, with the parameters flattened in the order of ``params``.

    See Also
    --------
    clipped_sum
    """
    func = need_torch().func

    def of_one(weights: Mapping[str, Any], x: Any, *targets: Any) -> Any:
        output = func.functional_call(module, weights, (x.unsqueeze(0),))
        return loss(output.squeeze(0), *targets)

    places = (None, *(0 for _ in batch))
    by_name = func.vmap(func.grad(of_one), in_dims=places)(dict(params), *batch)
    return need_torch().cat([by_name[name].flatten(1) for name in params], dim=1)


def clipped_sum(
    module: Any,
    params: Mapping[str, Any],
    *,
    loss: Callable[..., Any],
    batch: tuple[Any, ...],
    clip_norm: float,
) -> Any:
    """Return Σ_i g_i min(1, C/‖g_i‖) over the records of a batch (Abadi et al. 2016, Algorithm 1).

    g_i is the gradient of record i, and C is the clipping norm. For any records and weights, each record contributes
    a vector of norm at most C. Norms and sums are computed in double precision, without overflow. A non-finite
    gradient contributes 0.

    Records are processed one by one on a single thread, so that the gradient of a record does not depend on the other
    records in the lot (batch). In torch's products over a whole lot, the rounding of a gradient depends on the
    position of the record, and for large weights rounding may decide whether a unit is active. Each record takes a
    few hundred microseconds. `dpcore.network` and the private autoencoder have faster compiled loops.

    Parameters
    ----------
    module, params, loss, batch
        Model, its parameters by name, loss of one record, and (inputs, targets); see `gradients`. The batch may be
        empty, as Poisson lots sometimes are.
    clip_norm : float
        C in [1e-30, 1e30].

    Returns
    -------
    torch tensor (p,), float64
        The sum. Adding or removing a record changes the sum by at most C in the L2 norm.

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
    with one_thread():
        for i in range(len(batch[0])):
            one = tuple(values[i : i + 1].clone() for values in batch)
            total += _clipped(gradients(module, params, loss=loss, batch=one).double()[0], most)
    return total


def _clipped(gradient: Any, most: float) -> Any:
    """Return a gradient (p,), scaled down to norm ``most`` if it is longer; zeros if it is not finite."""
    torch = need_torch()
    norm = torch.linalg.vector_norm(gradient)
    if not norm.isfinite():
        return torch.zeros_like(gradient)
    return (most / norm.clamp(min=most)) * gradient


def noisy(
    total: Any, noise_multiplier: float, *, clip_norm: float, rng: np.random.Generator
) -> Any:
    """Return a sum (p,) from `clipped_sum` plus Gaussian noise; the result may be released.

    The standard deviation of the noise is σC, where σ is the noise multiplier and C the clipping norm.
    """
    torch = need_torch()
    unit = torch.from_numpy(_draws.normal(rng, len(total)))
    return total + (noise_multiplier * clip_norm) * unit
