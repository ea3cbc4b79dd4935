"""The server has as many open files as the system lets it have, and the system's limit stays."""

import resource
import subprocess
import sys

import pytest

from ui.server import open_files
from ui.server.open_files import WANTED

CODE = """
import resource
from ui.server import open_files
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
open_files.raise_limit()
print(*resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@pytest.mark.parametrize(
    ("soft", "hard", "found"), [(256, 900, 900), (256, 256, 256), (900, 900, 900)]
)
def test_the_limit_is_raised_to_what_is_allowed(soft, hard, found):
    told = subprocess.run(
        [sys.executable, "-c", CODE.format(soft=soft, hard=hard)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert told.stdout.split() == [str(found), str(hard)]


@pytest.mark.parametrize(
    ("soft", "hard", "raised"), [(1024, -1, WANTED), (1024, 10**6, WANTED), (10**6, 10**6, None)]
)
def test_no_more_than_wanted_is_asked_for(monkeypatch, soft, hard, raised):
    asked = []
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda kind, limits: asked.append(limits))
    open_files.raise_limit()
    assert asked == ([] if raised is None else [(raised, hard)])
