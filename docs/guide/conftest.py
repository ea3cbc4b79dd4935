"""Examples of the guide that need an optional package."""

from importlib.util import find_spec

import pytest

NEEDS = {"notebook.md": "anywidget"}


def pytest_collection_modifyitems(items):
    """Skip the examples of a page whose package is not installed."""
    for item in items:
        package = NEEDS.get(item.path.name)
        if package and item.path.parent.name == "guide" and find_spec(package) is None:
            item.add_marker(pytest.mark.skip(reason=f"{package} is not installed"))
