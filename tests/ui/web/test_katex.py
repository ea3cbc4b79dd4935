"""KaTeX from Streamlit's files, for pages without Streamlit: its module and its style sheet know the same names."""

import re

from ui.web import static_files


def test_the_style_sheet_has_the_names_that_the_module_gives():
    files = static_files.katex()
    module, style = files["katex.js"].decode(), files["katex.css"].decode()
    assert "renderToString" in module
    given = set(re.findall(r"\bkatex-(?:base|strut|sizing|root|rule)\b", module))
    assert given
    assert all(f".{name}" in style for name in given)


def test_every_font_of_the_style_sheet_is_there():
    files = static_files.katex()
    named = set(re.findall(r"url\(([\w.-]+\.woff2)\)", files["katex.css"].decode()))
    assert len(named) > 10
    assert named == {name for name in files if name.endswith(".woff2")}
    assert all(files[name].startswith(b"wOF2") for name in named)
