"""What stands before every path of the app."""

import pytest
import streamlit as st

from ui.web.base_path import prefix


@pytest.mark.parametrize(
    ("told", "expected"), [("", ""), ("/", ""), ("class", "/class"), ("/a/b/", "/a/b")]
)
def test_a_folder_is_told_with_one_stroke_before_it(monkeypatch, told, expected):
    monkeypatch.setattr(st, "get_option", {"server.baseUrlPath": told}.__getitem__)
    assert prefix() == expected
