"""What goes wrong on a server's side while pages are open, and that readers keep what they set."""

from pathlib import Path

from pages import PAGES
from tests.browser.journey import known, live_figure, opened, settled, slider
from tests.browser.serving import free_port, served, started

ROOT = Path(__file__).resolve().parents[2]
EPSILON = {"budget": "ε, your whole budget", "relevance": "ε, privacy parameter"}
NEAR = "Math.abs(figure.answered.epsilon - {0}) < 1e-9 && figure.settled"


def moved(page, name):
    """Set a handle to another value than it has at first; the value that Python has heard."""
    handle = slider(page, EPSILON[name])
    handle.focus()
    for _ in range(3):
        handle.press("ArrowRight")
    settled(page, name=name)
    known(page, "figure.settled", name=name)
    return live_figure(page, "figure.answered.epsilon", name=name)


def test_open_pages_keep_their_values_when_the_server_is_killed(context):
    assert set(EPSILON) <= set(PAGES)
    port = free_port()
    pages = {name: context.new_page() for name in EPSILON}
    values, sockets = {}, {name: [] for name in pages}
    for name, page in pages.items():
        page.on("websocket", lambda socket, seen=sockets[name]: seen.append(socket))
    with started(ROOT / "app.py", port=port) as (address, process):
        for name, page in pages.items():
            opened(page, address, name)
            first = live_figure(page, "figure.answered.epsilon", name=name)
            values[name] = moved(page, name)
            assert values[name] != first
        process.kill()
        process.wait(20)
        for name, page in pages.items():
            page.evaluate(
                f"window.__dpLive['{name}'].listen((what) => {{"
                " window.__drawn = (window.__drawn ?? 0) + (what === 'drawn'); })"
            )
        before = {name: len(seen) for name, seen in sockets.items()}
    with served(ROOT / "app.py", port=port):
        for name, page in pages.items():
            while len(sockets[name]) == before[name] or sockets[name][-1].is_closed():
                page.wait_for_timeout(200)  # the page comes back by itself
            page.wait_for_selector('[data-testid="stConnectionStatus"]', state="detached")
            page.wait_for_function("window.__drawn > 0")  # what the new one says
            settled(page, name=name)
            known(page, NEAR.format(values[name]), name=name)
            assert live_figure(page, "figure.values.epsilon", name=name) == values[name]
            slider(page, EPSILON[name]).press("ArrowRight")
            known(page, f"figure.answered.epsilon > {values[name]} && figure.settled", name=name)
            assert page.locator(".dp-failure").count() == 0
    for page in pages.values():
        page.close()
