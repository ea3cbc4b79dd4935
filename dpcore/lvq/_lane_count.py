"""Number of noise levels that the compiled loop trains together in one vector."""

__all__ = ["LANES"]

LANES = 32  # levels in one pass, always the same number so that all round alike
