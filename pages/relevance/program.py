import plotly.graph_objects as go

from dpcore.experiments import relevance
from dpcore.experiments.grids import EPSILON_GRID

params = relevance.RelevanceParams()
problem = relevance.problem_of(params)
sweep = relevance.run_sweep(problem, params)  # one training at every noise level at once
accuracy = [sweep.at(epsilon).accuracy for epsilon in EPSILON_GRID]
best = 1 - problem.best_error  # without privacy
here = f"ε = {params.epsilon:g}"

figure = go.Figure()
figure.add_scatter(x=EPSILON_GRID, y=accuracy, name="with privacy")
figure.add_scatter(
    x=EPSILON_GRID, y=[best] * len(accuracy), name="without privacy", line_dash="dash"
)
now = [sweep.at(params.epsilon).accuracy]
figure.add_scatter(x=[params.epsilon], y=now, mode="markers", marker_size=12, name=here)
figure.update_xaxes(type="log", title="ε")
figure.update_yaxes(title="test accuracy", tickformat=".0%")
figure.show()
