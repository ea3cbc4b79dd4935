"""Replication of Table 1 of Brinkrolf, Berger and Hammer (2018), with further recipes.

`run` trains every cell on threads, processes or a Dask cluster. Finished tasks are stored, so that
an interrupted run can be resumed. `page` compares the rows with the paper's numbers.

The paper's Figure 1 and its sweep over clipping norm C, epochs E and sampling rate q are the same
trainings at other settings. The commands are ``python -m dpcore table1``, ``table1-page``,
``figure1`` and ``sweep``.
"""

from dpcore.experiments.table1.command import (
    FIGURE_EPSILONS,
    cells,
    curve,
    figure_means,
    page,
    read,
    verdicts,
)
from dpcore.experiments.table1.run import Settings, run, tasks, work_through, write
from dpcore.experiments.table1.settings_sweep import (
    AXES,
    CENTRE,
    PRINTED_SPREAD,
    SWEEP_EPSILONS,
    WholeCurve,
    best,
    break_counts,
    broken,
    read_whole,
    rows_of,
    save_whole,
    settings,
    spread,
    summary,
    sweep_tasks,
)
from dpcore.experiments.table1.training import (
    DATA,
    EPSILONS,
    MODELS,
    PRINTED,
    RECIPES,
    Recipe,
    Row,
    Task,
    means,
    read_means,
    run_task,
)
from dpcore.journal import Journal, Refused

__all__ = [
    "AXES",
    "CENTRE",
    "DATA",
    "EPSILONS",
    "FIGURE_EPSILONS",
    "MODELS",
    "PRINTED",
    "PRINTED_SPREAD",
    "RECIPES",
    "SWEEP_EPSILONS",
    "Journal",
    "Recipe",
    "Refused",
    "Row",
    "Settings",
    "Task",
    "WholeCurve",
    "best",
    "break_counts",
    "broken",
    "cells",
    "curve",
    "figure_means",
    "means",
    "page",
    "read",
    "read_means",
    "read_whole",
    "rows_of",
    "run",
    "run_task",
    "save_whole",
    "settings",
    "spread",
    "summary",
    "sweep_tasks",
    "tasks",
    "verdicts",
    "work_through",
    "write",
]
