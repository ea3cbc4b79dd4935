"""What stands under a figure: parts that are closed are not made."""

from streamlit.testing.v1 import AppTest


def _page():
    import streamlit as st

    from ui.explanation import section

    def drawing():
        st.session_state["made"] = st.session_state.get("made", 0) + 1
        st.markdown("what stands inside")

    section("A part", drawing)


def _texts(at):
    return [element.value for element in at.markdown]


def test_a_closed_part_is_not_made_until_it_is_opened():
    at = AppTest.from_function(_page).run()
    assert not at.exception
    assert _texts(at) == []
    assert "made" not in at.session_state
    at.session_state["open.A part"] = True
    at.run()
    assert _texts(at) == ["what stands inside"]
    assert at.session_state["made"] == 1
    at.session_state["open.A part"] = False
    at.run()
    assert _texts(at) == []
    assert at.session_state["made"] == 1
