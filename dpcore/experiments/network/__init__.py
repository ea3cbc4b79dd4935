"""The experiment of the page Deep networks: digits live, MNIST as it was measured."""

from dpcore.experiments.network.digits import (
    SAMPLE_RATE,
    STEPS_AN_EPOCH,
    Costs,
    Problem,
    Training,
    costs,
    guarantee,
    guarantees,
    problem,
    recipe,
    run,
    spent,
    trained,
    trained_apart,
)
from dpcore.experiments.network.measured import Curve, read
from dpcore.experiments.network.params import NetworkParams
from dpcore.experiments.network.tutorial import PUBLISHED, SOURCE, Published, published

__all__ = [
    "PUBLISHED",
    "SAMPLE_RATE",
    "SOURCE",
    "STEPS_AN_EPOCH",
    "Costs",
    "Curve",
    "NetworkParams",
    "Problem",
    "Published",
    "Training",
    "costs",
    "guarantee",
    "guarantees",
    "problem",
    "published",
    "read",
    "recipe",
    "run",
    "spent",
    "trained",
    "trained_apart",
]
