import plotly.graph_objects as go

from dpcore.experiments import matrix

params = matrix.MatrixParams()
problem = matrix.problem_of(params)
sweep = matrix.run_sweep(problem, params)  # every noise level at once
model = sweep.at(params.epsilon)
names = list(problem.dataset.feature_names)
best = matrix.relevances(problem.best_pair[1])  # without privacy

figure = go.Figure()
figure.add_bar(x=names, y=model.relevances, name=f"with privacy, ε = {params.epsilon:g}")
figure.add_bar(x=names, y=best, name="without privacy")
figure.update_layout(barmode="group", title=f"accuracy {model.accuracy:.1%}")
figure.update_yaxes(title="relevance", tickformat=".0%")
figure.show()
