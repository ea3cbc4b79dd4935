"""Grids of parameter values, shared by sliders, links, tables and caches.

Since parameters are on grids, a result that many users request is computed only once. A link
restores exactly the parameters that it was copied from.
"""

__all__ = [
    "CLIP_NORM_GRID",
    "DELTA_GRID",
    "EPOCHS_GRID",
    "EPSILON_GRID",
    "INIT_SHARE_GRID",
    "LEARNING_RATE_GRID",
    "SAMPLE_RATE_GRID",
]

# fmt: off
EPSILON_GRID: tuple[float, ...] = (
    0.05, 0.06, 0.07, 0.08, 0.1, 0.12, 0.15, 0.17, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7,
    0.75, 0.8, 0.9, 1.0, 1.1, 1.2, 1.35, 1.5, 1.6, 1.8, 2.0, 2.2, 2.4, 2.5, 2.8, 3.2, 3.6, 4.0,
    4.5, 5.0, 5.5, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.5, 15.0, 16.5, 18.0, 20.0,
)
DELTA_GRID: tuple[float, ...] = (1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3)
SAMPLE_RATE_GRID: tuple[float, ...] = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
EPOCHS_GRID: tuple[int, ...] = (1, 2, 5, 10, 20, 30, 50, 75, 100)
CLIP_NORM_GRID: tuple[float, ...] = (
    0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0, 5.0,
)
INIT_SHARE_GRID: tuple[float, ...] = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)
LEARNING_RATE_GRID: tuple[float, ...] = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0)
# fmt: on
