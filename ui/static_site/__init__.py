"""Static site: the pages' figures as files for any web server, without Python behind them.

- `prepared_figure` restricts a figure to the controls whose values the browser or a prepared state can show.
- `states` lists and computes the prepared states of a page.
- `files` writes states and arrays, each once, and reports sizes.
- `markup` makes the pages around the figures.

In the browser: ``assets/site/``.
"""
