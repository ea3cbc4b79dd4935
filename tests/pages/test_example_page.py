"""The page that CONTRIBUTING.md walks through: written into a copy of the project, registered, opened."""

import json
import re

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
        "cost (CSV)", "errors (CSV)", "Figure (HTML)", "Report (HTML)", "Notebook",
    ]  # fmt: skip
    program = found["code"].replace(".show()", "")
    run(project, "-c", f"{program}\nassert len(figure.panels) == 2")
