"""Early figure: a page's figure that is sent before Streamlit's scripts, which take seconds to load on phones.

`figure_store` stores the figures with which pages open, `markup` inserts title, question and figure into
the served HTML, and `routes` sends the figure's data. In the browser: ``assets/early/``,
``assets/live/frame/early.js``.
"""
