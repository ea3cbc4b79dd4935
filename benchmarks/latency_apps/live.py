"""Latency benchmark: an application that draws the scene as a figure of this project."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import streamlit as st

from benchmarks.latency_apps.scene import PARAMS, scene
from pages.relevance import arrays as arrays_of
from pages.relevance.controls import CONTROLS
from ui import live
from ui.figure_kit.controls import live_controls
from ui.live import layers
from ui.live.component import show
from ui.prototypes.figure import PROGRESS

st.set_page_config(layout="wide")
problem, sweep = scene()
st.session_state["runs"] = st.session_state.get("runs", 0) + 1
arrays = arrays_of.still_arrays(problem) | arrays_of.main_arrays(problem, PARAMS, sweep)
layers = [
    layers.Regions(centres="proto", labels="labels"),
    layers.Points(xy="points", labels="point_labels"),
    layers.Boundary(centres="best", labels="labels"),
    layers.Paths(xy="path", upto="t", labels="labels"),
    layers.Markers(xy="proto", labels="labels"),
]
training = live.Slider(name="progress", label="training", grid=PROGRESS, mode="local", play=True)
show(
    live.Figure(
        controls=[*live_controls(CONTROLS, PARAMS), training],
        values={
            **{n: getattr(PARAMS, n) for n in PARAMS.controls()},
            "progress": PROGRESS[-1],
        },
        arrays=arrays,
        coords={"u": "u_of", "t": "t_of"},
        panels=[live.Panel(key="private", kind="map", title="Private", layers=layers, height=420)],
        readouts=[live.Readout(label="accuracy", value="accuracy", format=".1%")],
    ),
    key="bench",
)
st.html(f"<span id='script-runs'>{st.session_state['runs']}</span>")
