"""What stands under a figure: parts that are closed are not made."""

import pytest
from streamlit.testing.v1 import AppTest


def _page():
    import streamlit as st

    from ui.frame.explanation import section

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


def _depth(name):
    from types import SimpleNamespace

    import streamlit as st

    from dpcore.mechanisms import Laplace
    from ui.frame.explanation import Explanation, draw
    from ui.live.depth import Depth

    bundle = SimpleNamespace(guarantee=Laplace(epsilon=1.0).privacy, draws=True)
    words = Explanation(
        formula=lambda: st.markdown("the formula"), printed=lambda: st.markdown("what a paper prints"),
        bundle=bundle, tasks="1. Drag it.", shown="",
    )  # fmt: skip
    draw(words, depth=Depth[name])


@pytest.mark.parametrize(
    ("depth", "formula", "printed"),
    [("LOOK", False, False), ("UNDERSTAND", True, False), ("CHECK", True, True)],
)
def test_what_a_paper_prints_stands_at_check_alone(depth, formula, printed):
    at = AppTest.from_function(_depth, args=(depth,)).run()
    assert not at.exception
    texts = _texts(at)
    assert ("the formula" in texts) is formula
    assert ("what a paper prints" in texts) is printed
    closed = [part.label for part in at.expander]
    assert ("Try this" in closed) is not ("## Try this\n1. Drag it." in texts)
