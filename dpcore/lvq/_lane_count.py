"""Number of noise levels that are trained together, one per lane of a vector register."""

__all__ = ["LANES"]

LANES = 32  # levels in one pass, always the same number so that all round alike
