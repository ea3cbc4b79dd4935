"""The experiment of the Mechanisms page: additive noise on a number, or a private choice among options."""

from dpcore.experiments.mechanisms.additive import (
    Comparison,
    Outputs,
    compare,
    displayed_outputs,
    for_groups,
    guarantee,
    guarantees,
    mechanism,
    run,
    shown_epsilon,
)
from dpcore.experiments.mechanisms.params import (
    EXAMPLES,
    QUERIES,
    Choices,
    Example,
    MechanismsParams,
    Query,
    choices,
    query,
)

__all__ = [
    "EXAMPLES",
    "QUERIES",
    "Choices",
    "Comparison",
    "Example",
    "MechanismsParams",
    "Outputs",
    "Query",
    "choices",
    "compare",
    "displayed_outputs",
    "for_groups",
    "guarantee",
    "guarantees",
    "mechanism",
    "query",
    "run",
    "shown_epsilon",
]
