"""The paper's Table 1 run again: its protocol, recipes beside the printed one, a resumable runner.

`run` trains every cell on threads, processes or a Dask cluster and keeps a journal; `page` puts the
rows beside the printed numbers. On the command line: ``python -m dpcore table1`` and ``table1-page``.
"""

from dpcore.experiments.table1.recipes import PRINTED, RECIPES, Recipe
from dpcore.experiments.table1.report import cells, page, read, verdicts
from dpcore.experiments.table1.run import Settings, run, tasks, write
from dpcore.experiments.table1.work import Task, run_task
from dpcore.journal import Journal, Refused

__all__ = [
    "PRINTED",
    "RECIPES",
    "Journal",
    "Recipe",
    "Refused",
    "Settings",
    "Task",
    "cells",
    "page",
    "read",
    "run",
    "run_task",
    "tasks",
    "verdicts",
    "write",
]
