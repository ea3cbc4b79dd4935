"""Data sets whose feature bounds are part of them, marked public, declared or estimated."""

from dpcore.datasets.catalogue import Info, available, info, load, names
from dpcore.datasets.csv import DataError, Limits, Table, read_csv
from dpcore.datasets.dataset import Dataset, plane

__all__ = [
    "DataError",
    "Dataset",
    "Info",
    "Limits",
    "Table",
    "available",
    "info",
    "load",
    "names",
    "plane",
    "read_csv",
]
