"""The experiment behind the page Affine hulls: data fabricated from noise, and what is left of it."""

from dpcore.experiments.kahm.baseline import RecordLevelBaseline, run_baseline
from dpcore.experiments.kahm.data import StudyDataset, picture_data, study_dataset
from dpcore.experiments.kahm.draws import Draws, NeighbouringRuns, neighbouring_runs, run_draws
from dpcore.experiments.kahm.guarantee import code, guarantee
from dpcore.experiments.kahm.params import KahmParams
from dpcore.experiments.kahm.parties import Holdings, Parties, owners, run_holdings, run_parties
from dpcore.experiments.kahm.picture import Picture, run, run_near, run_one
from dpcore.experiments.kahm.study import STUDY_EPSILONS, Study, run_study

__all__ = [
    "STUDY_EPSILONS",
    "Draws",
    "Holdings",
    "KahmParams",
    "NeighbouringRuns",
    "Parties",
    "Picture",
    "RecordLevelBaseline",
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
    "run_holdings",
    "run_near",
    "run_one",
    "run_parties",
    "run_study",
    "study_dataset",
]
