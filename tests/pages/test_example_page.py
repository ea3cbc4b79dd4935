"""The page that CONTRIBUTING.md walks through: written into a copy of the project, checked, opened."""

import json
import re
import shutil

import pytest

from tests.copies import EXAMPLE, ROOT, add_example, copied, run

OPEN = """
import json, sys
from streamlit.testing.v1 import AppTest
app = AppTest.from_file("pages/main.py", default_timeout=300).run()
assert not app.exception
home = [button.proto.page for button in app.get("page_link")]
app.switch_page("example/page.py")
app.query_params["epsilon"] = "2"
app.query_params["depth"] = "understand"
for title in ("Code: the call that reproduces this figure",
              "Download or share: link, data, figure, report, notebook"):
    app.session_state[f"open.{title}"] = True
app.run()
assert not app.exception, app.exception
(component,) = app.get("bidi_component")
drawn = json.loads(component.proto.json)
print(json.dumps({
    "values": drawn["values"],
    "actions": [name for control in drawn["controls"] for name, *_ in control.get("actions", [])],
    "alts": [panel["alt"] for panel in drawn["panels"]],
    "text": " ".join(item.value for item in app.markdown),
    "code": app.code[0].value,
    "link": {name: value for name, value in app.query_params.items()},
    "downloads": [item.proto.label for item in app.get("download_button")],
}))
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    found = copied(tmp_path_factory.mktemp("project"))
    add_example(found)
    return found


FILES = {"pages/example": EXAMPLE / "pages", "tests/pages/example": EXAMPLE / "tests"}


def written():
    """The files of the page and of its test, by the names that CONTRIBUTING gives them."""
    return {
        f"{place}/{path.name}": path.read_text("utf-8")
        for place, folder in FILES.items()
        for path in folder.glob("*.py")
    }


def test_the_page_is_short():
    assert sum(len(text.splitlines()) for text in written().values()) <= 70


def test_contributing_walks_through_exactly_it():
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    shown = re.findall(
        r"`([\w/]+/example/\w+\.py)`[^`]*(?:`[^`]+`[^`]*)*?```python\n(.*?)```", text, re.S
    )
    assert dict(shown) == written()


def checked(project, tests, words):
    """Run tests of the copy that name the page, those of `make test` as well."""
    run(
        project, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not browser", "-k", words, *tests,
        "--ignore=tests/pages/test_example_page.py",
    )  # fmt: skip


@pytest.mark.slow
def test_it_is_well_formed(project):
    run(project, "-m", "ruff", "check", "pages/example", "tests/pages/example")
    run(project, "-m", "ruff", "format", "--check", "pages/example", "tests/pages/example")


@pytest.mark.slow
@pytest.mark.thorough  # mypy reads the whole project for it; `make types` sees the page where it lies
def test_it_is_typed(project):
    if (ROOT / ".mypy_cache").exists():  # what was checked is not checked again
        shutil.copytree(ROOT / ".mypy_cache", project / ".mypy_cache")
    run(project, "-m", "mypy", "pages/example")


@pytest.mark.slow
@pytest.mark.thorough  # that half of the noise does not pass is asked of every page
def test_a_hundredth_of_its_noise_does_not_pass(project):
    spec = project / "pages" / "example" / "page.py"
    right = spec.read_text("utf-8")
    assert "noise.quantile(u)" in right
    spec.write_text(right.replace("noise.quantile(u)", "noise.quantile(u) / 100"), "utf-8")
    try:
        with pytest.raises(AssertionError, match="test_half_of_the_noise_does_not_pass"):
            checked(project, ("tests/pages/test_noise_is_tied.py",), "example")
    finally:
        spec.write_text(right, "utf-8")


@pytest.mark.slow
def test_it_opens_with_all_that_it_did_not_write(project):
    found = json.loads(run(project, "-c", OPEN).splitlines()[-1])
    assert found["values"]["epsilon"] == 2
    assert {"redraw", "pin", "reset"} <= set(found["actions"])
    assert found["alts"][0] == (
        "Mean error: mean error against ε (privacy parameter). "
        "From left to right a curve {trend:mean:.3g}."
    )
    assert "Guarantee" in found["text"]
    assert found["link"]["epsilon"] in ("2", ["2"])
    assert found["downloads"] == [
        "cost (CSV)",
        "Figure (HTML)",
        "Report (HTML)",
        "Notebook",
        "Program (Python)",
    ]
    program = found["code"].replace(".show()", "")
    run(project, "-c", f"{program}\nassert len(figure.panels) == 1")
