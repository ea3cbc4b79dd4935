"""What the software under attack promises, and the program that draws the attack."""

from __future__ import annotations

from dataclasses import replace

from dpcore.experiments.audit.params import AuditParams
from dpcore.experiments.audit.targets import target_of, worlds_of
from dpcore.guarantee import Guarantee

__all__ = ["code", "guarantee"]


def guarantee(params: AuditParams) -> Guarantee:
    """Return the guarantee of one release of what is attacked: a bug has none, and says what it claims."""
    target = target_of(params.target)
    claim = worlds_of(params.target, params.built).claim()
    if not target.bug:
        return claim
    return replace(
        claim, status="nominal", claimed_epsilon=None, argument=target.bug.story,
        not_protected=("whoever is in the data: this copy has a bug",),
    )  # fmt: skip


def code(params: AuditParams) -> str:
    """Return the program that draws the bound against the number of trainings."""
    return f"""\
import plotly.graph_objects as go
from dpcore.experiments.audit import AuditParams, attack, bounds, worlds_of
from dpcore.plots import name_curves

params = {params.to_code()}
*_, found = attack(params)  # the last of ever better results
worlds = worlds_of(params.target, params.built)
shown = bounds(found.target.counts, params.delta, gaussian=worlds.gaussian)

figure = go.Figure()
figure.add_scatter(x=found.target.counts.n, y=shown.bound, name="proved by the attack")
figure.add_scatter(x=found.target.counts.n, y=shown.ceiling, name="most that so many can prove")
figure.add_hline(y=params.epsilon, annotation_text="claim")
figure.update_xaxes(type="log", title="trainings with, and without")
figure.update_yaxes(title="ε")
name_curves(figure).show()
print(worlds.neighbours, worlds.canary, worlds.score, sep="\\n")
"""
