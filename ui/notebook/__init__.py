"""Interactive figures in notebooks (JupyterLab, VS Code, Colab, marimo), drawn by the application's browser code.

- `source` is the interface to Python that a figure in a notebook needs.
- `page_source` implements it for figures of the application's pages, `own_source` for arrays of the notebook's user.
- `widget` is the widget. It needs the package anywidget.
"""
