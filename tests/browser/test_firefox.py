"""Pages in Firefox: the figure is drawn, a handle follows the keys and changes a number, nothing complains.

Every sixth page; ``DPCORE_FUZZ=full`` (``make audit``) takes all.
"""

import os

import pytest

from pages import specs
from tests.browser.firefox import ARROW_LEFT, firefox, opened_firefox
from tests.browser.journey import PATIENCE, SHORT

pytestmark = pytest.mark.browser
SECONDS = PATIENCE / 1000
NAMES = [spec.key if place else "" for place, spec in enumerate(specs())][
    :: 1 if os.environ.get("DPCORE_FUZZ") == "full" else 6
]
# Teach shows its figure on the page of a class, which is in a frame like a phone and has a frame for each figure.
PLACE = """((place) => {
  for (let frame = place.querySelector(".dp-mobile iframe"); frame?.contentDocument; )
    [place, frame] = [frame.contentDocument, frame.contentDocument.querySelector("iframe")];
  return place;
})(document)"""
CANVASES = f"[...{PLACE}.querySelectorAll('.dp-main canvas')]"
PAINTED = f"""{CANVASES}.some((canvas) => canvas.width && canvas.height &&
  canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean))"""
# The numbers, and the sentence: a claim moves no measured number. Figures of exercises have neither: their pictures.
SHOWN = f"""([...{PLACE}.querySelectorAll('.dp-readouts dd, .dp-meaning')].map((part) => part.textContent).join() ||
  {CANVASES}.map((canvas) => canvas.toDataURL()).join())"""
HANDLE = f"{PLACE}.querySelector('.dp-slider input:not(:disabled)')"


@pytest.fixture(scope="module")
def window(tmp_path_factory):
    path = firefox()
    if path is None:
        pytest.skip("no Firefox on the PATH: apt-get install firefox-esr")
    with opened_firefox(path, tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.mark.parametrize("name", NAMES, ids=lambda name: name or "start")
def test_every_page_works_in_firefox(window, address, name):
    window.open(f"{address}/{name}?{SHORT.get(name, '')}", width=1440, height=900)
    window.wait_for(f"{PLACE}.querySelector('.dp-figure.dp-ready')", SECONDS)
    window.wait_for(PAINTED, SECONDS)
    window.wait_for("!document.querySelector('.dp-busy.dp-on')", SECONDS)
    before, at = window.evaluate(SHOWN), window.evaluate(f"{HANDLE}.value")
    assert any(sign.isdigit() for sign in before)
    window.evaluate(f"{HANDLE}.focus()")
    window.press(ARROW_LEFT, times=8)
    window.wait_for(f"{HANDLE}.value !== {at!r}", SECONDS)
    window.wait_for(f"{SHOWN} !== {before!r}", SECONDS)
    assert window.complaints == []
