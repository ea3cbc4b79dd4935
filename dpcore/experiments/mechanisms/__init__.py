"""The experiment behind the page Mechanisms: one number or one choice, hidden by noise."""

from dpcore.experiments.mechanisms.compare import Comparison, compare
from dpcore.experiments.mechanisms.guarantee import (
    for_groups,
    guarantee,
    guarantees,
    mechanism,
    shown_epsilon,
)
from dpcore.experiments.mechanisms.options import EXAMPLES, Choices, Example, choices
from dpcore.experiments.mechanisms.outputs import Outputs, drawn, run
from dpcore.experiments.mechanisms.params import MechanismsParams
from dpcore.experiments.mechanisms.queries import QUERIES, Query, query

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
    "drawn",
    "for_groups",
    "guarantee",
    "guarantees",
    "mechanism",
    "query",
    "run",
    "shown_epsilon",
]
