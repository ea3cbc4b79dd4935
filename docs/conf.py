"""Sphinx's settings for `make docs`: the user guide, the notes and the reference as one site."""

import sys
import warnings
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE / "_ext")]

import gallery  # noqa: E402
import reference  # noqa: E402

import dpcore  # noqa: E402

project = "DP Explorer"
author = "The DP Explorer developers"
version = release = dpcore.__version__
extensions = [
    "sphinx.ext.autodoc", "sphinx.ext.viewcode", "numpydoc", "myst_parser", "mathml", "resolve", "directives",
    "offline",
]  # fmt: skip
exclude_patterns = ["_build", "_ext"]
html_theme = "furo"
html_title = f"DP Explorer {release}"
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
html_math_renderer = "mathml"
html_static_path = ["_static"]
html_css_files = ["site.css"]
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
nitpicky = True
default_role = "py:obj"
add_module_names = False
toc_object_entries_show_parents = "hide"
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "none"
numpydoc_show_class_members = False
nitpick_ignore_regex = [(r"py:exc", r"\w+")]  # Python's own: their pages are not on this machine

# The figures of the guide are the same at every build; a release leaves the seed out.
warnings.simplefilter("ignore", dpcore.SeededNoiseWarning)
(HERE / "reference").mkdir(exist_ok=True)
reference.write_pages(HERE / "reference")
gallery.write_page(HERE / "reference")
