"""The digits as prepared for the reference measurements: divided by 16, and split by class."""

from functools import cache

import pytest
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


@cache
def _digits(seed=0, test_size=0.3):
    X, y = load_digits(return_X_y=True)
    return train_test_split(X / 16, y, test_size=test_size, stratify=y, random_state=seed)


@pytest.fixture(scope="session")
def digits():
    """Return a function of (seed, test_size) that returns the records and labels for training and for testing."""
    return _digits
