"""What the browser prints of a page: figures in one piece, light from a dark screen, nothing beyond the edge."""

import io
from dataclasses import replace

import numpy as np
import pytest

from pages import PAGES
from tests import programs
from tests.browser.journey import READY, until
from ui.export import downloads

pdfium = pytest.importorskip("pypdfium2", reason="pypdfium2 is not installed: requirements-dev.txt")
from pypdfium2.raw import FPDF_PAGEOBJ_IMAGE  # noqa: E402

EDGE = 28  # points at every side of a sheet that stay empty: 12 mm are declared, less the width of a line
OPENED = {
    "home": "",
    "mechanisms": "mechanisms?depth=understand",
    "relevance": "relevance",
}


@pytest.fixture(params=["dark", "light"])
def screen(context, page, request):
    page.emulate_media(color_scheme=request.param)
    return page


def sheets(page):
    """Return the document that the browser prints of a page."""
    return pdfium.PdfDocument(io.BytesIO(page.pdf(format="A4")))


def brightness(sheet):
    """Return the brightness of a sheet's pixels, one for each point, as 0 to 255."""
    return np.asarray(sheet.render(scale=1).to_pil().convert("L"), dtype=float)


def checked(document, *, edge=EDGE):
    """Check what holds for every sheet; return the bounds of the pictures, in points."""
    places = []
    for sheet in document:
        light = brightness(sheet)
        assert (light > 200).mean() > 0.5, "the sheet is dark"
        width, height = sheet.get_size()
        for margin in (light[:edge], light[-edge:], light[:, :edge], light[:, -edge:]):
            assert margin.min() > 245, "something stands in the margin"
        for picture in sheet.get_objects(filter=[FPDF_PAGEOBJ_IMAGE], max_depth=8):
            left, bottom, right, top = picture.get_bounds()
            assert edge < left < right < width - edge, "a picture is wider than the sheet"
            assert edge < bottom < top < height - edge, "a picture is cut where the sheet ends"
            places.append(((left, bottom, right, top), picture.get_px_size()))
    return places


@pytest.mark.parametrize("key", [key for key in OPENED if key in PAGES])
def test_a_page_prints_whole_figures_in_light_colours(screen, address, key):
    screen.goto(f"{address}/{OPENED[key]}")
    screen.wait_for_selector(READY)
    until(screen, "() => !document.querySelector('.dp-busy.dp-on')")
    screen.wait_for_timeout(500)
    panels = screen.locator(".dp-figure .dp-plot:visible").count()
    ground = "getComputedStyle(document.querySelector('.stApp')).backgroundColor"
    width = "document.querySelector('.dp-plot').clientWidth"
    before = screen.evaluate(ground), screen.evaluate(width)
    document = sheets(screen)
    places = checked(document)
    assert len({place for place, _ in places}) >= panels > 0
    for (left, _, right, _), (pixels, _) in places:
        assert pixels / (right - left) >= 3, "fewer than three pixels a point"
    words = "".join(sheet.get_textpage().get_text_bounded() for sheet in document)
    assert screen.locator("h1").inner_text() in words
    for control in ("Presenter", "Download or share", "Pause"):
        assert control not in words
    # Afterwards the page is as before.
    until(screen, "() => !document.querySelector('.dp-paper, .dp-sheet, .paper-layout')")
    until(screen, f"(before) => {width} === before", before[1])
    assert screen.evaluate(ground) == before[0]
    ratio = screen.evaluate(
        "() => { const canvas = document.querySelector('.dp-plot > canvas:last-of-type');"
        " return canvas.width / canvas.clientWidth / devicePixelRatio; }"
    )
    assert ratio == pytest.approx(1, abs=0.02)


def printed(browser, document):
    """Return what the browser prints of an HTML document, and the document's page in the browser."""
    page = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme="dark")
    page.set_content(document)
    return sheets(page), page


def test_a_report_prints_its_figure_in_one_piece_and_wraps_its_program(browser):
    made = programs.bundle("mechanisms")
    long = "# " + "a_name_that_is_wider_than_a_sheet" * 8
    document, page = printed(
        browser, downloads.report(replace(made, code=lambda params: made.code(params) + long))
    )
    checked(document)
    words = [sheet.get_textpage().get_text_bounded() for sheet in document]
    figure = [
        number for number, text in enumerate(words) if "how likely, relative to the top" in text
    ]
    assert figure == [
        number for number, text in enumerate(words) if "published answer (people)" in text
    ], "it is cut"
    assert "".join(words).replace("\r\n", "").count("a_name_that_is_wider_than_a_sheet") == 8
    last = [text.strip().splitlines()[-1] for text in words]
    assert not {"Result", "Setting", "Code", "Not protected", "Declared public"} & set(last), (
        "a title stands alone"
    )
    page.close()
