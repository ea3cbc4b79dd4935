"""The live figure in notebooks (JupyterLab, VS Code, Colab, marimo), drawn by the application's own browser code.

- `source` says what a figure in a notebook needs from Python.
- `page_source` answers for a page of the application, `own_source` for arrays of one's own.
- `widget` is the widget; it needs the package anywidget.
"""
