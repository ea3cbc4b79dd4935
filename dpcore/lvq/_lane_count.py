"""How many noise levels the compiled loop trains side by side."""

__all__ = ["LANES"]

LANES = 32  # levels in one pass; always as many, so that all are rounded alike
