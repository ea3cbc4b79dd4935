"""A panel's menu saves what moves: a GIF and a WebM of a handle's way, and a film can be cancelled."""

import base64
import io
from pathlib import Path

import pytest
from PIL import Image

from pages import PAGES

PAGE = "mechanisms"
# Plays a film, and returns of each picture that is shown a digest of its pixels.
PLAYED = """async (text) => {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const film = document.createElement("video");
  film.muted = true;
  film.src = URL.createObjectURL(new Blob([bytes], { type: "video/webm" }));
  const canvas = document.createElement("canvas");
  const found = [];
  let ended = false;
  film.onended = () => { ended = true; };
  const look = () => {
    [canvas.width, canvas.height] = [film.videoWidth, film.videoHeight];
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    pen.drawImage(film, 0, 0);
    const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    let sum = 0;
    for (let at = 0; at < data.length; at += 1) sum = (31 * sum + data[at]) % 1000000007;
    found.push(sum);
    film.requestVideoFrameCallback(look);
  };
  film.requestVideoFrameCallback(look);
  await film.play();
  for (let k = 0; k < 400 && !ended; k++) await new Promise((done) => setTimeout(done, 50));
  return [film.videoWidth, film.videoHeight, found];
}"""


@pytest.mark.skipif(PAGE not in PAGES, reason="this copy has no such page")
def test_a_picture_that_moves_is_saved_as_gif_and_webm(page, address):
    page.goto(f"{address}/{PAGE}")
    page.wait_for_selector(".dp-figure.dp-ready")
    page.wait_for_selector("[data-panel] .dp-frame svg", state="attached")
    values = f"() => JSON.stringify(window.__dpLive['{PAGE}'].values)"
    before = page.evaluate(values)
    page.get_by_role("button", name="More:").first.click()
    with page.expect_download() as caught:
        page.get_by_role("button", name="Save a film as GIF").first.click()
    assert caught.value.suggested_filename.endswith(".gif")
    film = Path(caught.value.path()).read_bytes()
    assert film[:6] == b"GIF89a"
    with Image.open(io.BytesIO(film)) as picture:
        assert picture.n_frames > 8
        assert max(picture.size) <= 800
        assert picture.width <= 640
        shown, lasts = [], 0
        for k in range(picture.n_frames):
            picture.seek(k)
            lasts += picture.info["duration"]
            shown.append(picture.convert("RGB").tobytes())
    assert len(set(shown)) > 8
    assert lasts <= 6000
    assert page.locator(".dp-recording").count() == 0
    assert page.evaluate(values) == before, "the figure is where it was"

    with page.expect_download() as caught:
        page.get_by_role("button", name="Save a film as WebM").first.click()
    film = Path(caught.value.path()).read_bytes()
    assert film[:4] == b"\x1a\x45\xdf\xa3"
    width, height, found = page.evaluate(PLAYED, base64.b64encode(film).decode())
    assert (width, height) == picture.size
    assert len(set(found)) > 8

    with_download = []
    page.on("download", lambda one: with_download.append(one))
    page.get_by_role("button", name="Save a film as WebM").first.click()
    page.get_by_role("button", name="Cancel", exact=True).click()
    page.wait_for_selector(".dp-recording", state="detached")
    assert with_download == []
    assert page.evaluate(values) == before
