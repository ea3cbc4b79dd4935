"""The handles of the pages that the benchmark of latency moves: where they are, what they move, who answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["HANDLES", "Handles"]

_PANELS = {
    "relevance": "private", "mechanisms": "worlds", "queries": "answers", "budget": "spent",
    "descent": "border", "regression": "fits", "autoencoder": "draws", "kahm": "stage",
    "matrix": "profile", "network": "spent", "audit": "climb", "choose": "cost",
}  # fmt: skip


@dataclass(frozen=True)
class Handles:
    """Handles of one view: an address, sliders as their names read, and the panel that is watched.

    Most are drawn without asking Python, by the browser alone or ahead of the handle; True: Python has to
    answer. ``tab`` is opened first; ``watched`` is a panel other than the page's usual one.
    """

    path: str
    sliders: Mapping[str, bool]
    tab: str = ""
    watched: str = ""

    @property
    def key(self) -> str:
        """The page."""
        return self.path.split("?")[0]

    @property
    def panel(self) -> str:
        """The panel whose pixels are looked at."""
        return self.watched or _PANELS[self.key]

    @property
    def under(self) -> bool:
        """Whether what moves lies under the marks: a field of probabilities does."""
        return self.panel == "border"

    def named(self, label: str) -> str:
        """Return what a figure is called: page, tab, handle."""
        where = f", {self.tab}" if self.tab else ""
        return f"page {self.path.split('&')[0]}{where} {label.split(',')[0]}"


_LOCAL = {"ε, privacy parameter": False}
_PROTOTYPES = {
    "ε, privacy parameter": False, "C, clipping norm": False, "q, sampling rate": False,
    "E, epochs": False, "m, prototypes per class": False,
}  # fmt: skip
_PICTURES = {"ε, claimed privacy parameter": False, "digit": False, "picture": False}
HANDLES: tuple[Handles, ...] = (
    Handles("relevance?dataset=blobs&epsilon=2.5", {
        "C, clipping norm": False, "q, sampling rate": False, "m, prototypes per class": False,
    }),
    Handles("relevance?dataset=digits&epsilon=2.5", {
        "C, clipping norm": False, "q, sampling rate": False, "m, prototypes per class": True,
    }),
    Handles("relevance?dataset=blobs&epsilon=2.5", _LOCAL, "Figure 1 of 2018", "figure1_paper"),
    Handles("mechanisms", {"ε, privacy parameter": False, "k, people who differ": False}),
    Handles("mechanisms?noise=gaussian", {"δ, slack": False}),
    Handles("queries", {"ε, privacy parameter": False, "k, answers": False}),
    Handles("queries?topic=group&noise=gaussian", {
        "ε, privacy parameter": False, "k, people in the group": False, "δ, slack": False,
    }, watched="one"),
    Handles("queries?topic=neighbours&query=mean&relation=replace_one", {
        "ε, privacy parameter": False, "n, people": True,
    }, watched="relation"),
    Handles("queries?topic=numbers&noise=gaussian", {
        "ε, privacy parameter": False, "k, numbers": False,
    }, watched="counts_laplace"),
    Handles("queries?topic=processing", _LOCAL, watched="processed"),
    Handles("queries?topic=choosing", _LOCAL, watched="chosen"),
    Handles("queries?topic=bounds", {
        "ε, privacy parameter": False, "v, Ada's value": True, "w, everybody else's value": True,
    }, watched="means"),
    Handles("queries?topic=publish", {"δ, probability of a record": False}, watched="somebody"),
    Handles("audit", {"ε, what the software claims": False, "n, trials of each kind": True}),
    Handles("choose", {"ε, privacy parameter": False, "most that may go wrong, of 1000": False}),
    Handles("choose?dataset=diabetes", _LOCAL),
    Handles("budget", {"σ, noise multiplier": False, "T, questions": False, "q, sampling rate": False}),
    Handles("descent", {
        "σ, amount of noise": False, "C, clipping norm": False, "q, sampling rate": False,
        "T, steps": False, "η, learning rate": False,
    }),
    Handles("descent?asked=epsilon", {"ε, privacy parameter": False, "δ, slack": False}),
    Handles("descent", {
        "σ, amount of noise": False, "H, size of the model": False,
    }, "Model size", "sizes"),
    Handles("regression", {
        "ε, privacy parameter": False, "n, people (at most)": False, "d, features (at most)": False,
    }),
    Handles("regression?dataset=diabetes&n_features=10&method=gaussian&repair=floor2", {
        "n, people (at most)": False, "d, features (at most)": False, "δ, slack": False,
    }),
    Handles("regression", {
        "ε, privacy parameter": False, "k, answers, in the opening example": False,
    }, "The opening example", "opening"),
    Handles("matrix?epsilon=2.5", _PROTOTYPES),
    Handles("matrix?dataset=digits&epsilon=2.5", _PROTOTYPES),
    # The training itself starts when a handle is let go; what it will have cost is drawn while it moves.
    Handles("network", {"ε, privacy parameter": False, "epochs": True}),
    Handles("network", {"η, step size": True}, "The step size", "rates"),
    Handles("autoencoder", _PICTURES),
    Handles("autoencoder?dataset=mnist", _PICTURES),
    Handles("autoencoder", {"ε, claimed privacy parameter": False}, "Rivals", "taught"),
    Handles("autoencoder", {"digit": False, "picture": False}, "Figures 2 to 4", "figure_2"),
    Handles("kahm", {
        "ε, privacy parameter of one value": False, "n, dimensions of the image": False,
        "N, records in the picture": False,
    }),
    Handles("kahm", {"ε, privacy parameter of one value": False}, "Decision regions", "regions_noisy"),
    Handles("kahm", {"steps towards λ": False}, "One machine", "fixed_point"),
    Handles("kahm", {"ε, privacy parameter of one value": False}, "Layers", "layer_1"),
    Handles("kahm", {"turn of the bodies, in degrees": False}, "Three dimensions", "body_0"),
)  # fmt: skip
