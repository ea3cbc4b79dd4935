"""A journey through the example page of CONTRIBUTING.md, in a copy of the project."""

import pytest

from tests.browser.journey import held, live_figure, opened, settled
from tests.browser.serving import started
from tests.copies import add_example, copied

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    project = copied(tmp_path_factory.mktemp("project"))
    add_example(project)
    known = {"PYTHONPATH": str(project)}
    with started(project / "app.py", environment=known, root=project) as (found, _):
        yield found


def test_the_example_page_has_link_pin_exports_and_text_alternative(page, address):
    opened(page, address, "example?epsilon=2")
    assert live_figure(page, "figure.values.epsilon", name="example") == 2
    page.get_by_role("button", name="Redraw noise").click()
    settled(page, name="example")
    page.get_by_role("button", name="Pin", exact=True).click()
    line = page.locator(".dp-pinned").inner_text()
    assert line.startswith("B, pinned")
    assert live_figure(page, "figure.pinned('cost')", name="example") == 1
    # The benchmark of latency finds the slider without being told of it: the browser alone answers.
    assert live_figure(page, "figure.sliders", name="example") == [["ε, privacy parameter", False]]
    held(page, "ε, privacy parameter", 0.3)
    page.mouse.up()
    settled(page, name="example")
    assert page.locator(".dp-pinned").inner_text() == line
    assert f"epsilon={live_figure(page, 'figure.values.epsilon', name='example'):g}" in page.url
    alternative = (
        "Mean error: mean error against ε (privacy parameter). From left to right a curve falls"
    )
    assert page.get_by_role("img", name=alternative).count() == 1
    page.get_by_text("Download or share").click()
    with page.expect_download() as told:
        page.get_by_role("button", name="cost (CSV)").click()
    rows = told.value.path().read_text().splitlines()
    assert rows[0] == "ε (privacy parameter),mean"
    assert len(rows) == 51
