"""A page's figure before Streamlit is there: on a phone its scripts take seconds to arrive and to start.

`kept` keeps what the pages open with once they are drawn ahead, `markup` puts title, question and figure into the
page that is served, `routes` sends the figure's message. In the browser: ``assets/early/``,
``assets/live/frame/early.js``.
"""
