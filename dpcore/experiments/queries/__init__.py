"""The experiment behind the page on answers: eight ways of asking, and what each gives away."""

from dpcore.experiments.queries.afterwards import Processing, processed, processing
from dpcore.experiments.queries.choices import Choosing, choosing, noisy_best, noisy_winner
from dpcore.experiments.queries.groups import Group, for_group, for_one, group
from dpcore.experiments.queries.guarantee import Found, guarantee, guarantees, run
from dpcore.experiments.queries.own_options import Options, options
from dpcore.experiments.queries.params import QueriesParams
from dpcore.experiments.queries.read_bounds import Bounds, bounds
from dpcore.experiments.queries.records import Publish, Publishing, publish, somebody
from dpcore.experiments.queries.relations import ASKED, Neighbours, neighbours, worst_pair
from dpcore.experiments.queries.repeats import PLACES, Again, Remembered, again, hit_rate
from dpcore.experiments.queries.vectors import Numbers, numbers, sensitivities

__all__ = [
    "ASKED", "PLACES", "Again", "Bounds", "Choosing", "Found", "Group", "Neighbours", "Numbers", "Options",
    "Processing", "Publish", "Publishing", "QueriesParams", "Remembered", "again", "bounds", "choosing",
    "for_group", "for_one", "group", "guarantee", "guarantees",
    "hit_rate", "neighbours", "noisy_best", "noisy_winner",
    "numbers", "options", "processed", "processing", "publish", "run", "sensitivities", "somebody",
    "worst_pair",
]  # fmt: skip
