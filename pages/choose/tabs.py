"""The tab of the page Choose ε that its work and its figure both name."""

__all__ = ["PEOPLE"]

PEOPLE = "How much data"
