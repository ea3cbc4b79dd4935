"""One real server for all tests of this folder that only ask it something."""

from pathlib import Path

import pytest

from tests.browser.serving import served


@pytest.fixture(scope="session")
def address():
    with served(Path(__file__).resolve().parents[3] / "app.py") as found:
        yield found
