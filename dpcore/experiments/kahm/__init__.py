"""The experiment behind the page Affine hulls: data fabricated from noise, and what is left of it."""

from dpcore.experiments.kahm.draws import Draws, Worlds, run_draws, run_worlds
from dpcore.experiments.kahm.material import Material, material, picture_data
from dpcore.experiments.kahm.params import KahmParams
from dpcore.experiments.kahm.parties import Holdings, Parties, owners, run_holdings, run_parties
from dpcore.experiments.kahm.picture import LINES, Line, Picture, run, run_line, run_one
from dpcore.experiments.kahm.promise import code, guarantee
from dpcore.experiments.kahm.sober import Sober, run_sober
from dpcore.experiments.kahm.study import STUDY_EPSILONS, Study, run_study

__all__ = [
    "LINES",
    "STUDY_EPSILONS",
    "Draws",
    "Holdings",
    "KahmParams",
    "Line",
    "Material",
    "Parties",
    "Picture",
    "Sober",
    "Study",
    "Worlds",
    "code",
    "guarantee",
    "material",
    "owners",
    "picture_data",
    "run",
    "run_draws",
    "run_holdings",
    "run_line",
    "run_one",
    "run_parties",
    "run_sober",
    "run_study",
    "run_worlds",
]
