"""Comparison of measured noise with a stated guarantee.

The code that makes a release is run, and the scale of the noise in its results is measured. The ε of this noise is
compared with the ε of the guarantee that the code states. The comparison fails if the noise is too small for the
stated ε, or much larger than the stated ε requires.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dpcore import accounting, sgd
from dpcore.accounting import closed_form
from dpcore.audit.check_result import Check
from dpcore.guarantee import Guarantee, Neighbouring

__all__ = ["NoiseDraw", "loop_noise", "ratio", "reached", "steps_event"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class NoiseDraw:
    """Noise measured in a release, and the guarantee that the release claims.

    Parameters
    ----------
    what : str
        Name of the release.
    promised : Guarantee
        The claimed guarantee.
    event : dpcore.accounting.Event
        Privacy event with the measured noise scales, sampling rates and numbers of steps.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation for which the accountant computes the ε of ``event``.
    delta : float or None
        δ of the comparison; None stands for the δ of ``promised``.
    epsilon : float or None
        Claimed ε, which the ε of ``event`` must not exceed; None stands for the ε of ``promised``.
    least : float
        Smallest allowed ratio of the measured ε to the claimed ε. A smaller ratio means that the guarantee does not
        describe this noise. If the guarantee adds up the ε of several releases, ``least`` must be smaller, because
        the joint ε of the releases is smaller than the sum.
    room : float
        Relative error of the measured noise scale.
    """

    what: str
    promised: Guarantee
    event: accounting.Event
    neighbouring: Neighbouring = "add_remove"
    delta: float | None = None
    epsilon: float | None = None
    least: float = 0.8
    room: float = 0.01

    def check(self) -> Check:
        """Compute the ε of the measured noise, and return a check that this ε agrees with the claimed ε.

        The relative tolerance for ε is 3 ``room``.
        """
        epsilon = self.promised.epsilon if self.epsilon is None else self.epsilon
        delta = self.promised.delta if self.delta is None else self.delta
        if delta:
            measured = accounting.spent(self.event, delta, neighbouring=self.neighbouring)
        else:
            measured = closed_form.pure(self.event, neighbouring=self.neighbouring)
        # ε of Gaussian noise moves by up to twice as much as σ does, in logarithms.
        room = 1 + 3 * self.room
        holds = self.least * epsilon / room <= measured <= epsilon * room
        return Check(
            name=f"{self.what}: ε of what was drawn",
            declared=epsilon,
            measured=measured,
            holds=holds,
        )


class _Reached(Exception):
    """Exception that stops a computation at the first call of the watched function."""


def reached(
    owner: Any, name: str, run: Callable[[], object]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Run a computation up to the first call of the function ``owner.name``; return the arguments of this call.

    ``run`` is the computation. It is stopped by an exception when it calls ``owner.name``.

    Raises
    ------
    LookupError
        When the function is not called.
    """
    original, noted = getattr(owner, name), []

    def ending(*args: Any, **named: Any) -> Any:
        noted.append((args, named))
        raise _Reached

    setattr(owner, name, ending)
    try:
        run()
    except _Reached:
        pass
    finally:
        setattr(owner, name, original)
    if not noted:
        raise LookupError(f"{name} was not called.")
    return noted[0]


def loop_noise(module: Any, named: dict[str, Any], *, matrix: bool = False) -> Floats:
    """Return the measured noise multipliers that a prototype training loop applies to K models.

    They are measured in steps without records, in which only noise moves the prototypes.

    Parameters
    ----------
    module : module
        `dpcore.lvq.train` or `dpcore.lvq.matrix_train`.
    named : dict
        Keyword arguments of a call of the module's function ``sweep``.
    matrix : bool
        Whether the loop trains a relevance matrix as well.

    Returns
    -------
    ndarray (K,)
        Standard deviation of the noise divided by the clipping norm. It is 0 for a model without clipping.
    """
    sigma, clip = np.broadcast_arrays(np.atleast_1d(named["noise_multiplier"]), named["clip_norm"])
    steps, (eta, lot) = 400, (named["learning_rate"], named["expected_lot"])
    first = (np.eye(8),) if matrix else ()
    path = module.sweep(
        np.zeros((1, 8)), [0], np.zeros((len(sigma), 2, 8)), *first, [0, 1],
        sgd.Lots(np.zeros(0, np.int32), np.zeros(steps + 1, np.int64)),
        **{**named, "snapshots": np.arange(steps + 1), "bounds": None, "average": False,
           "schedule": "constant", "progress": None, "check": None},
    )  # fmt: skip
    parts = path if matrix else (path,)
    moves = [np.diff(part.astype(float), axis=1).reshape(len(sigma), -1) for part in parts]
    spread = np.min([part.std(1) for part in moves], axis=0)
    scale = np.where(np.isfinite(clip), eta * clip / lot, np.inf)
    return cast(Floats, spread / scale)


def ratio(noise: Any, unit: Any) -> float:
    """Return the factor by which ``noise`` is a multiple of ``unit``, an array of draws of scale 1."""
    a, b = np.asarray(noise, float).ravel(), np.asarray(unit, float).ravel()
    return float((a @ b) / (b @ b))


def steps_event(
    sigma: float, lots: sgd.Lots, n_records: int, n_steps: int, *, fixed: bool = False
) -> accounting.Event:
    """Return the event of ``n_steps`` Gaussian steps with noise multiplier ``sigma`` on lots (batches).

    The sampling rate is measured. It is the mean size of ``lots`` divided by ``n_records``. If ``fixed`` is True,
    lots are random subsets of a fixed size; otherwise they are Poisson samples.
    """
    rate = len(lots.indices) / (n_records * (len(lots.offsets) - 1))
    step = accounting.GaussianEvent(sigma)
    one: accounting.Event = (
        accounting.FixedSizeSampled(min(rate, 1.0), step)
        if fixed
        else accounting.sampled(step, min(rate, 1.0))
    )
    return accounting.Repeated(one, n_steps)
