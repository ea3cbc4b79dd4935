"""What pages put around their live figure: cards, formulas, code, own data."""
