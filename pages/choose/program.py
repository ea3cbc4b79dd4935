import plotly.graph_objects as go

from dpcore.experiments import choose
from dpcore.experiments.grids import EPSILON_GRID

params = choose.ChooseParams()
problem = choose.named_problem(params.dataset)
found = choose.run(params, problem)  # every method at the same guarantee

figure = go.Figure()
for method, tried in found.tried.items():
    low, median, high = tried.quantiles()
    figure.add_scatter(x=EPSILON_GRID, y=median, name=problem.names[method])
for name, error in {"without privacy": found.best, "one answer for all": found.trivial}.items():
    figure.add_scatter(x=EPSILON_GRID, y=[error] * len(EPSILON_GRID), name=name, line_dash="dash")
figure.update_xaxes(type="log", title="ε")
figure.update_yaxes(title="share of mistakes, or error in the target's unit (median)")
figure.show()
