"""DP Explorer as an installed application, the program ``dp-explorer``, and its figures in notebooks.

This folder holds the application's own packages ``pages`` and ``ui``, which have these names in the program alone.

Examples
--------
In a notebook, with ``pip install dp-explorer[notebook]``::

    import dp_explorer

    fig = dp_explorer.figure("relevance?epsilon=1")
    fig
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dp_explorer import live
    from ui.notebook.widget import LiveWidget

__all__ = ["figure", "live", "main"]


def figure(link: str) -> LiveWidget:
    """Return a page's live figure for a notebook.

    Parameters
    ----------
    link : str
        The page with its state, as in the application's links: ``relevance?epsilon=1``, and as in links of embedded
        figures ``panel``, ``locked``, ``hidden``, ``depth`` and ``theme``. Invalid values are replaced by defaults;
        sentences above the figure say so.

    Returns
    -------
    LiveWidget
        The figure. Its ``values`` follow the handles, and move them.

    Raises
    ------
    ValueError
        When the link is too long, or names no page with a figure.
    MissingPackage
        When anywidget is not installed.
    """
    from dp_explorer import _home  # noqa: F401
    from pages import specs
    from ui.notebook.page_source import request_of
    from ui.notebook.widget import page_figure

    return page_figure(request_of(link, specs()))


def __getattr__(name: str) -> ModuleType:
    """Import the module ``live`` when it is used first."""
    if name == "live":
        return import_module("dp_explorer.live")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def main(words: Sequence[str] | None = None) -> int:
    """Run ``dp-explorer``; return its exit status.

    ``words`` are the command and its options; None stands for the command line of the process.
    """
    from dp_explorer._home import HOME

    # For the processes that this one starts.
    os.environ["PYTHONPATH"] = os.pathsep.join(
        filter(None, [str(HOME), os.environ.get("PYTHONPATH")])
    )
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when numpy is loaded

    from pages.__main__ import main as run

    return run(words, prog="dp-explorer")
