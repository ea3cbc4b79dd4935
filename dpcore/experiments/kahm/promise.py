"""What fabricated data promise to a whole record, and the code that reproduces the figure."""

from __future__ import annotations

from dataclasses import replace

from dpcore.experiments.kahm.params import SHOWN_ROUNDS, KahmParams
from dpcore.guarantee import Guarantee
from dpcore.kahm.promise import record_promise

__all__ = ["code", "guarantee"]


def guarantee(params: KahmParams, n_features: int = 2, *, estimated: bool = False) -> Guarantee:
    """Return what the published data promise to one record of ``n_features`` values.

    ``estimated``: the box was read from the data, and then nothing is proved.
    """
    found = record_promise(
        params.epsilon, params.atom, n_features, kind=params.noise,
        reads_original=params.stop == "paper",
    )  # fmt: skip
    # A value that is published as it is gives everything away; all others stay within ε.
    found = replace(found, loss_tail=found.delta)
    if not estimated:
        return found
    return replace(
        found,
        status="nominal",
        argument=found.argument + " But the box was estimated from these records, which leaks.",
        not_protected=("the smallest and largest value of every feature", *found.not_protected),
    )


def code(params: KahmParams) -> str:
    """Return the program that reproduces the picture at the handle."""
    options = (
        f"n_components={params.n_components}, n_layers={params.n_layers}, "
        f'block_size={params.block_size},\n                      split="random", '
        f"tau_factor={params.ridge!r}"
    )
    return (
        "import numpy as np\n"
        "from dpcore.experiments import kahm\n"
        "from dpcore.experiments.kahm import KahmParams\n"
        "from dpcore.kahm import HullOptions, fabricate, record_epsilon\n\n"
        f"params = {params.to_code()}\n"
        "found = kahm.run_one(params)        # every stage, the shading and the nets\n"
        "print(found.stages.shape)           # (1, original + noisy + rounds, N, 2)\n\n"
        "# The same by hand: noise on every value, then smoothing class by class\n"
        "X, y = kahm.picture_data(params.shape, params.n_records)\n"
        f"options = HullOptions({options})\n"
        f"made = fabricate(X, y, {params.epsilon!r}, {params.atom!r}, "
        f"rng=np.random.default_rng(({params.seed},)),\n"
        f"                 rounds={SHOWN_ROUNDS}, operator={params.operator!r}, "
        f"noise={params.noise!r}, options=options)\n"
        "print(np.allclose(made.stages, found.stages[0, 1:]))\n"
        "print(made.guarantee)               # of a whole record, not of one value\n"
        f"print(record_epsilon({params.epsilon!r}, 64, {params.delta!r}, atom={params.atom!r}, "
        f"kind={params.noise!r}))   # of a digit\n"
    )
