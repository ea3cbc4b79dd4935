import numpy as np
import plotly.graph_objects as go

from dpcore.experiments import budget

params = budget.BudgetParams(topic="split")
found = budget.split.run(params)  # errors for noise of scale 1
scales = found.sensitivity / np.array(budget.split.shares(params))
names = [one.name for one in budget.split.STATISTICS]

figure = go.Figure()
for name, error in (
    ("median error", found.error),
    ("error that 10 of 100 draws exceed", found.error_high),
):
    figure.add_bar(x=names, y=error * scales / found.truth, name=name)
figure.update_yaxes(type="log", title="error / true size", tickformat=".1%")
figure.show()
print(budget.guarantee(params))
