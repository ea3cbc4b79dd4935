import numpy as np
import plotly.graph_objects as go

from dpcore.experiments import budget
from dpcore.experiments.composition_tables import STEPS_GRID

params = budget.BudgetParams()
curves = budget.run(params.mechanism)  # every rule at all values of the sliders
place = budget.place(params)  # of the noise, the sampling rate and δ

figure = go.Figure()
for rule, name in budget.RULES.items():
    epsilon = getattr(curves, rule)[place]
    there = np.isfinite(epsilon)  # the others are off the tables
    if there.any():
        figure.add_scatter(x=np.array(STEPS_GRID)[there], y=epsilon[there], name=name)
figure.add_hline(y=params.epsilon, line_dash="dash", annotation_text="the budget")
figure.update_xaxes(type="log", title="answers T")
figure.update_yaxes(type="log", title=f"ε of all answers at δ = {params.delta!r}")
figure.show()
