"""The tabs of the page Audit, and how often each bug is run: what its work and its figure both name."""

__all__ = ["BUGS_TAB", "CANARIES_TAB", "ERRORS_TAB", "REACHABLE_TAB", "SCORED", "WRONG_TAB"]

ERRORS_TAB, BUGS_TAB, WRONG_TAB, CANARIES_TAB, REACHABLE_TAB = (
    "Two errors", "Twenty bugs", "A wrong auditor", "One training", "Impossible numbers",
)  # fmt: skip
SCORED = 500  # trials at most for each of the twenty bugs
