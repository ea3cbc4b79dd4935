"""Data sets with bounds of their features, where every data set states whether its bounds are public or estimated."""

from dpcore.datasets.catalogue import Info, available, info, load, names
from dpcore.datasets.csv import DataError, Limits, Table, read_csv
from dpcore.datasets.csv_subprocess import read_csv_in_subprocess
from dpcore.datasets.dataset import Dataset, plane
from dpcore.datasets.marks import mark
from dpcore.datasets.own_table import (
    Groups,
    OwnChoices,
    OwnTable,
    left_out,
    own_regression,
    own_table,
)
from dpcore.datasets.regression import (
    RegressionDataset,
    load_regression,
    regression_available,
    regression_info,
    regression_names,
)

__all__ = [
    "DataError",
    "Dataset",
    "Groups",
    "Info",
    "Limits",
    "OwnChoices",
    "OwnTable",
    "RegressionDataset",
    "Table",
    "available",
    "info",
    "left_out",
    "load",
    "load_regression",
    "mark",
    "names",
    "own_regression",
    "own_table",
    "plane",
    "read_csv",
    "read_csv_in_subprocess",
    "regression_available",
    "regression_info",
    "regression_names",
]
