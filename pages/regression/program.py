import plotly.graph_objects as go

from dpcore import regression as estimators
from dpcore.experiments import regression
from dpcore.experiments.grids import EPSILON_GRID

params = regression.RegressionParams()
problem = regression.problem_of(params)
part = problem.setting(params)
*_, (comparison, _done) = regression.compare(part, params)  # many draws of every method at every ε

figure = go.Figure()
for name, (_low, median, _high) in comparison.test.items():
    width = 4 if name == params.method else 1.5
    figure.add_scatter(x=EPSILON_GRID, y=median, name=name, line_width=width)
best = float(part.test.mse(part.best))
figure.add_hline(y=best, line_dash="dash", annotation_text="without privacy")
figure.update_xaxes(type="log", title="ε")
figure.update_yaxes(type="log", title="mean squared error on new records (median)")
figure.show()
model = estimators.FunctionalMechanismRegression(epsilon=1.0, sensitivity="joint")
box = part.bounds
model.set_params(bounds=(box.low, box.high), target_bounds=(box.target_low, box.target_high))
model.set_params(random_state=params.seed).fit(part.X[:, list(part.columns)], part.y)
print(model.intercept_, model.coef_, model.privacy_)  # one fit, as scikit-learn makes it
