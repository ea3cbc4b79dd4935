"""Early figures: figures with which pages open, sent before Streamlit's scripts.

The scripts take seconds to load on phones.

`figure_store` stores the figures, `markup` inserts title, question and figure into the served HTML, and
`routes` sends the figure's data. The code for the browser is in ``assets/early/`` and
``assets/live/frame/early.js``.
"""
