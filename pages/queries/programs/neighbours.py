import plotly.graph_objects as go

from dpcore.experiments import queries

params = queries.QueriesParams(topic="neighbours")
result = queries.neighbours(params)

figure = go.Figure()
figure.add_bar(x=queries.ASKED, y=result.table[0], name="added or removed")
figure.add_bar(x=queries.ASKED, y=result.table[1], name="replaced")
figure.update_yaxes(title="sensitivity")
figure.show()
print(queries.guarantee(params))
