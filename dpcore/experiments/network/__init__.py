"""The experiment of the page Deep networks: digits trained live, and measured curves of MNIST."""

from dpcore.experiments.network.digits import (
    SAMPLE_RATE,
    STEPS_AN_EPOCH,
    Costs,
    NetworkParams,
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
from dpcore.experiments.network.mnist import PUBLISHED, SOURCE, Curve, Published, published, read

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
