"""The experiment behind the page Affine hulls: data fabricated from noise, and what is left of it."""

from dpcore.experiments.kahm.baseline import RecordLevelBaseline, run_baseline
from dpcore.experiments.kahm.data import (
    StudyDataset,
    picture_data,
    study_dataset,
    study_table,
)
from dpcore.experiments.kahm.draws import Draws, NeighbouringRuns, neighbouring_runs, run_draws
from dpcore.experiments.kahm.guarantee import code, guarantee
from dpcore.experiments.kahm.layers import Layers, run_layers
from dpcore.experiments.kahm.machine import FixedPoint, OneMachine, run_fixed_point, run_machine
from dpcore.experiments.kahm.params import KahmParams
from dpcore.experiments.kahm.parties import Holdings, Parties, owners, run_holdings, run_parties
from dpcore.experiments.kahm.picture import Picture, run, run_near, run_one
from dpcore.experiments.kahm.regions import DecisionRegions, run_regions
from dpcore.experiments.kahm.space import Space, run_space
from dpcore.experiments.kahm.study import STUDY_EPSILONS, Study, run_study

__all__ = [
    "STUDY_EPSILONS",
    "DecisionRegions",
    "Draws",
    "FixedPoint",
    "Holdings",
    "KahmParams",
    "Layers",
    "NeighbouringRuns",
    "OneMachine",
    "Parties",
    "Picture",
    "RecordLevelBaseline",
    "Space",
    "Study",
    "StudyDataset",
    "code",
    "guarantee",
    "neighbouring_runs",
    "owners",
    "picture_data",
    "run",
    "run_baseline",
    "run_draws",
    "run_fixed_point",
    "run_holdings",
    "run_layers",
    "run_machine",
    "run_near",
    "run_one",
    "run_parties",
    "run_regions",
    "run_space",
    "run_study",
    "study_dataset",
    "study_table",
]
