"""Early figure: a page's figure sent before Streamlit's scripts, which phones take seconds to load.

`figure_store` holds the figures with which pages open once they are drawn ahead, `markup` puts title, question and
figure into the page that is served, `routes` sends the figure's message. In the browser: ``assets/early/``,
``assets/live/frame/early.js``.
"""
