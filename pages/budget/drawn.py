"""The page Budget draws no noise."""

NO_NOISE = "It accounts for noise that somebody else draws; its numbers are the account itself."
