"""One real server for all tests in this folder that only send requests."""

from pathlib import Path

import pytest

from tests.browser.serving import served


@pytest.fixture(scope="session")
def address():
    with served(Path(__file__).resolve().parents[3] / "app.py") as found:
        yield found
