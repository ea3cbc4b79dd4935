"""Latency benchmark: an application that draws the scene with Streamlit's slider and a Plotly chart.

The chart is a new figure for every value of the slider.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from benchmarks.latency_apps.scene import scene
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.lvq import predict

st.set_page_config(layout="wide")
problem, sweep = scene()
epsilon = st.select_slider("ε, privacy parameter", EPSILON_GRID, 1.0)
model = sweep.at(epsilon)
side = np.linspace(-1, 1, 120)
cells = np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)
figure = go.Figure()
figure.add_heatmap(
    x=side, y=side, z=predict(cells, model.prototypes, labels=problem.labels).reshape(120, 120),
    opacity=0.3, showscale=False,
)  # fmt: skip
figure.add_scatter(x=problem.X[:, 0], y=problem.X[:, 1], mode="markers",
                   marker={"color": problem.y, "size": 4})  # fmt: skip
figure.add_scatter(x=model.prototypes[:, 0], y=model.prototypes[:, 1], mode="markers",
                   marker={"color": problem.labels, "size": 14})  # fmt: skip
figure.update_layout(title=f"epsilon = {epsilon}", height=420)
st.plotly_chart(figure, key="chart")
