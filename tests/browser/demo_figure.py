"""A small application around one interactive figure: private class means of bounded data, computed with numpy."""

import time

import numpy as np
import streamlit as st

from ui import live
from ui.live import layers
from ui.live.component import event as told
from ui.live.component import show

GRID = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
CLIP = tuple(round(0.1 * k, 1) for k in range(1, 21))
STEPS = tuple(range(0, 101, 10))
FIRST = {"epsilon": 1.0, "clip": 1.0, "progress": 100, "seed": 0, "kind": "all", "limit": True}
SPOT = tuple(round(0.05 * k, 2) for k in range(-20, 21))


def data() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(7)
    labels = np.arange(300, dtype=np.int32) % 3
    centres = np.array([[-0.5, -0.3], [0.5, -0.3], [0.0, 0.5]])
    return centres[labels] + rng.normal(0, 0.15, (300, 2)), labels


def private_means(clip: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return means at every ε (E, 3, 2), and their path from the origin (S, E, 3, 2)."""
    points, labels = data()
    norms = np.linalg.norm(points, axis=1, keepdims=True)
    held = points * np.minimum(1, clip / norms)
    means = np.stack([held[labels == k].mean(0) for k in range(3)])
    noise = np.random.default_rng(seed).laplace(size=(3, 2))
    ends = np.stack([means + noise * 2 * clip / (100 * epsilon) for epsilon in GRID])
    share = np.linspace(0, 1, len(STEPS))[:, None, None, None]
    return ends, share * ends


def errors(means: np.ndarray) -> np.ndarray:
    points, labels = data()
    truth = np.stack([points[labels == k].mean(0) for k in range(3)])
    return np.linalg.norm(means - truth, axis=-1).mean(-1)


def live_figure(values: dict, busy: live.Busy | None = None) -> live.Figure:
    points, labels = data()
    ends, path = private_means(values["clip"], values["seed"])
    arrays = {
        "u_of": live.Array(np.arange(len(GRID)), ("epsilon",)),
        "t_of": live.Array(np.linspace(0, len(STEPS) - 1, len(STEPS)), ("progress",)),
        "means": live.Array(path, ("t", "u", None, None)),
        "path": live.Array(np.moveaxis(path, 0, 1), ("u", None, None, None)),
        "labels": live.Array(np.arange(3, dtype=np.int32), (None,)),
        "points": live.Array(points, (None, None)),
        "point_labels": live.Array(labels, (None,)),
        "error": live.Array(errors(path), ("t", "u")),
        "epsilon_now": live.Array(np.array(GRID), ("epsilon",)),
        "tiles": live.Array(_tiles(ends), ("u", None, None, None), scale=(0.0, 1.0)),
    }
    axes = {"x": live.Axis(range=(-1, 1)), "y": live.Axis(range=(-1, 1))}
    return live.Figure(
        controls=[
            live.Slider(name="epsilon", symbol="ε", label="privacy parameter", grid=GRID, mode="local",
                        ends=("more private", "less private"), help="Smaller is more private."),
            live.Slider(name="clip", symbol="C", label="clipping norm", grid=CLIP),
            live.Slider(name="progress", label="training", grid=STEPS, mode="local", play=True,
                        unit=" %"),
            live.Choice(name="kind", label="data", options=[("all", "All"), ("some", "Some")]),
            live.Toggle(name="limit", label="clip at all", more=True),
            live.Number(name="seed", label="seed", low=0, high=None, more=True),
            live.Slider(name="spot_x", grid=SPOT, hidden=True, more=True),
            live.Slider(name="spot_y", grid=SPOT, hidden=True, more=True),
            live.Buttons(name="actions", actions=[
                ("reset", "Reset", "Back to the first settings"),
                ("pin", "Pin", "Keep this result"),
                ("slow", "Slow answer", "An answer that takes a second"),
                ("work", "Work", "Something is computed from now on"),
            ]),
        ],
        values=values,
        arrays=arrays,
        coords={"u": "u_of", "t": "t_of"},
        panels=[
            live.Panel(key="map", kind="map", title="Private means", height=380, **axes,
                       alt="Three private class means at ε = {epsilon}: error {error}.",
                       layers=[
                           layers.Regions(centres="means", labels="labels"),
                           layers.Points(xy="points", labels="point_labels"),
                           layers.Paths(xy="path", upto="t", labels="labels"),
                           layers.Markers(xy="means", labels="labels"),
                           layers.Handle(x="spot_x", y="spot_y", origin=[0.0, 0.0],
                                         label="a person"),
                       ]),
            live.Panel(key="curve", title="Error", height=380,
                       x=live.Axis(range=(0.09, 11), log=True, title="ε"),
                       y=live.Axis(range=(0, 1), title="mean error"),
                       layers=[layers.Line(x=list(GRID), y=errors(ends).tolist()),
                               layers.VLine(at="epsilon_now")]),
            live.Panel(key="tiles", kind="mosaic", title="Density of each class", tiles="tiles",
                       shape=(8, 8), columns=3, captions=["a", "b", "c"], tab="Pictures",
                       range=(0, 1), height=180),
            live.Panel(key="text", title="Another", tab="Other", height=200,
                       layers=[layers.HLine(at=0.5, label="<b>&</b>")]),
        ],
        readouts=[live.Readout(label="error", value="error", format=".3f", role="private")],
        texts=[live.Text(strings=[f"At ε = {e:g} noise hides one person." for e in GRID],
                         dims=("epsilon",))],
        busy=busy,
    )  # fmt: skip


def _tiles(ends: np.ndarray) -> np.ndarray:
    side = np.linspace(-1, 1, 8)
    cells = np.stack(np.meshgrid(side, -side), -1)
    far = ((cells[None, None] - ends[:, :, None, None]) ** 2).sum(-1)
    return np.rint(255 * np.exp(-4 * far)).astype(np.uint8)


def on_event() -> None:
    event = told("demo")
    st.session_state.told = [*st.session_state.get("told", []), f"{event.phase} {event.action}"]
    if event.action == "reset":
        st.session_state.figure_values = dict(FIRST) | {"spot_x": 0.0, "spot_y": 0.0}
    else:
        st.session_state.figure_values |= {k: v for k, v in event.values.items() if k in FIRST or
                                        k.startswith("spot")}  # fmt: skip


def main() -> None:
    st.set_page_config(layout="wide")
    st.session_state.setdefault("figure_values", FIRST | {"spot_x": 0.0, "spot_y": 0.0})

    @st.fragment
    def room() -> None:
        if told("demo").action == "slow":
            time.sleep(1.0)
        working = "work" in " ".join(st.session_state.get("told", []))
        busy = live.Busy(progress=0.5, text="Training along noise: 3 s left") if working else None
        show(live_figure(st.session_state.figure_values, busy), key="demo", on_event=on_event)

    room()
    st.button("rerun")


if __name__ == "__main__":
    main()
