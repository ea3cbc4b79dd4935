"""A journey through the page Deep networks in a real browser."""

from tests.browser.journey import opened


def test_a_network_learns_while_one_looks_and_stops_when_asked(page, address):
    opened(page, address, "network?epochs=80", idle=False)
    page.wait_for_function("window.__dpLive.network.slice('private_now')[0] > 0", timeout=60_000)
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_function("!window.__dpLive.network.stats.waiting", timeout=60_000)
    page.get_by_role("tab", name="MNIST").click()
    page.get_by_text("as we measured them").first.wait_for()
