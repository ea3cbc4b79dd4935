"""Own tables of the regression page: asked about, used, kept in the session."""

from streamlit.testing.v1 import AppTest


def _script(estimate):
    import types

    import numpy as np
    import streamlit as st

    from dpcore.experiments.regression import RegressionParams
    from ui import uploads

    st.session_state.setdefault("params.regression", RegressionParams())
    rows = "".join(f"{a:.2f},{3 * a:.2f}\n" for a in np.linspace(0, 1, 40))
    content = ("a,y\n" + rows).encode()
    file = types.SimpleNamespace(file_id="1", getvalue=lambda: content)
    st.file_uploader = lambda *_, **__: file
    uploads.regression_csv("own_regression")


def _run():
    return AppTest.from_function(_script, args=(True,), default_timeout=30).run()


def test_bounds_are_asked_for_before_a_table_is_used():
    found = _run()
    assert not found.exception
    assert "Fill in both bounds" in found.info[0].value
    assert not found.button


def test_estimated_bounds_are_marked_and_the_page_turns_to_the_table():
    found = _run()
    found.selectbox[0].select("y").run()
    found.checkbox[0].check().run()
    found.button[0].click().run()
    assert not found.exception
    data = found.session_state["own_regression"]
    assert (data.bounds_status, data.feature_names, data.target_name) == ("estimated", ("a",), "y")
    assert found.session_state["params.regression"].dataset == "own"
