"""The experiment behind the page Autoencoder: is a scrambled picture a private picture?"""

from dpcore.experiments.autoencoder.attack import (
    BATCH,
    FALSE_ALARMS,
    LEVELS,
    Attacks,
    nothing_found,
    run_attacks,
)
from dpcore.experiments.autoencoder.audit import CONFIDENCE, TRIALS, Audit, run_audit
from dpcore.experiments.autoencoder.guarantee import (
    guarantee,
    guarantees,
    pair_guarantees,
)
from dpcore.experiments.autoencoder.irregular import ROWS, STEPS, Irregular, run_irregular
from dpcore.experiments.autoencoder.neighbouring_runs import (
    Pair,
    noise_table,
    run_pair,
    second_person,
)
from dpcore.experiments.autoencoder.params import DRAWS, AutoencoderParams
from dpcore.experiments.autoencoder.problem import (
    Problem,
    digits_problem,
    effective_epsilon,
    named_problem,
    place_of,
)
from dpcore.experiments.autoencoder.renoised import RENOISED_TRIALS, Renoised, run_renoised
from dpcore.experiments.autoencoder.rivals import RIVAL_DELTA, Rivals, no_rivals, run_rivals
from dpcore.experiments.autoencoder.similar import (
    Baselines,
    Similarity,
    baselines,
    compare_tables,
    similarity_of,
)
from dpcore.experiments.autoencoder.sweep import N_DRAWS, Sweep, chosen, run, run_sweep
from dpcore.experiments.autoencoder.synthetic import Synthetic, fitted, run_synthetic

__all__ = [
    "BATCH",
    "CONFIDENCE",
    "DRAWS",
    "FALSE_ALARMS",
    "LEVELS",
    "N_DRAWS",
    "RENOISED_TRIALS",
    "RIVAL_DELTA",
    "ROWS",
    "STEPS",
    "TRIALS",
    "Attacks",
    "Audit",
    "AutoencoderParams",
    "Baselines",
    "Irregular",
    "Pair",
    "Problem",
    "Renoised",
    "Rivals",
    "Similarity",
    "Sweep",
    "Synthetic",
    "baselines",
    "chosen",
    "compare_tables",
    "digits_problem",
    "effective_epsilon",
    "fitted",
    "guarantee",
    "guarantees",
    "named_problem",
    "no_rivals",
    "noise_table",
    "nothing_found",
    "pair_guarantees",
    "place_of",
    "run",
    "run_attacks",
    "run_audit",
    "run_irregular",
    "run_pair",
    "run_renoised",
    "run_rivals",
    "run_sweep",
    "run_synthetic",
    "second_person",
    "similarity_of",
]
