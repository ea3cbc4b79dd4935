"""Uploads are counted before they are received: two files of a session, so many bytes of a network and of all."""

import asyncio
import http.cookies
import urllib.error
import urllib.request

import pytest
from starlette.requests import Request
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from tests.browser.visitor import visiting
from ui.server import upload_limits
from ui.server.upload_limits import LARGEST, UploadLimits

MB = 2**20


class Server:
    """Streamlit's part: takes what comes, as large as declared, when it is told to."""

    def __init__(self):
        self.stored, self.received, self.going = {}, 0, asyncio.Event()
        self.limits = UploadLimits(self, lambda: self.stored)

    async def __call__(self, scope, receive, send):
        session, file = scope["path"].split("/")[-2:]
        self.received += 1
        await self.going.wait()
        size = int(dict(scope["headers"]).get(b"content-length", b"0"))
        self.stored.setdefault(session, {})[file] = UploadedFileRec(file, "", "", bytes(size))
        await send({"type": "http.response.start", "status": 204, "headers": []})

    async def put(self, path, size=None, address="10.0.0.1", method="PUT"):
        headers = [] if size is None else [(b"content-length", str(size).encode())]
        said = []

        async def send(message):
            said.append(message)

        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "headers": headers,
            "client": (address, 1),
        }
        await self.limits(scope, None, send)
        return said[0]["status"]

    async def puts(self, sizes, session="s", **given):
        path = f"/_stcore/upload_file/{session}"
        return await asyncio.gather(
            *(self.put(f"{path}/f{k}", size, **given) for k, size in enumerate(sizes))
        )


def test_ten_files_at_once_are_two_and_no_byte_of_the_others_is_received():
    async def flood():
        server = Server()
        asyncio.get_running_loop().call_later(0.05, server.going.set)
        return await server.puts([19 * MB] * 10), server.received

    found, received = asyncio.run(flood())
    assert (sorted(found), received) == ([204] * 2 + [429] * 8, 2)


@pytest.mark.parametrize(
    ("size", "status"), [(99 * MB, 413), (LARGEST + 1, 413), (LARGEST, 204), (None, 204)]
)
def test_a_file_that_is_too_large_is_refused_by_its_declared_size(size, status):
    async def put():
        server = Server()
        server.going.set()
        return await server.puts([size])

    assert asyncio.run(put()) == [status]


def test_a_file_that_was_read_makes_room_for_the_next():
    async def one_after_another():
        server = Server()
        server.going.set()
        found = []
        for k in range(20):
            found += await server.puts([20 * MB], session="s")
            found += [await server.put(f"/base/_stcore/upload_file/s/{k}", 20 * MB)]
            for name, file in server.stored["s"].items():
                server.stored["s"][name] = file._replace(data=b"")
        found += [await server.put(f"/_stcore/upload_file/s/empty{k}", 0) for k in range(400)]
        return found

    found = asyncio.run(one_after_another())
    assert set(found[:40]) == {204}
    assert found[-1] == 429, "empty files are counted too"


def test_one_network_leaves_others_their_part(monkeypatch):
    monkeypatch.setattr(upload_limits, "MOST_BYTES_OF_NETWORK", 200_000)
    monkeypatch.setattr(upload_limits, "MOST_BYTES", 600_000)

    async def flood():
        server = Server()
        server.going.set()
        one = [await server.puts([100_000], f"one{k}", address="10.0.0.1") for k in range(9)]
        another = await server.puts([100_000], "another", address="192.0.2.1")
        del server.stored["one0"]  # its session has ended
        again = await server.puts([100_000], "again", address="10.0.0.1")
        return [status for (status,) in one], another, again

    one, another, again = asyncio.run(flood())
    assert one == [204] * 2 + [503] * 7
    assert (another, again) == ([204], [204])


def test_one_site_leaves_others_their_part(monkeypatch):
    monkeypatch.setattr(upload_limits, "MOST_BYTES_OF_NETWORK", 200_000)
    monkeypatch.setattr(upload_limits, "MOST_BYTES", 600_000)

    async def flood():
        server = Server()
        server.going.set()
        site = [
            await server.puts([100_000], f"s{k}", address=f"2001:db8:0:{k}::1") for k in range(9)
        ]
        another = await server.puts([100_000], "another", address="2001:db8:1::1")
        return [status for (status,) in site], another

    assert asyncio.run(flood()) == ([204] * 4 + [503] * 5, [204])


@pytest.mark.parametrize("silent", [True, False])
def test_an_upload_that_stalls_or_trickles_ends_and_makes_room(monkeypatch, silent):
    monkeypatch.setattr(upload_limits, "_IDLE", 0.1)
    monkeypatch.setattr(upload_limits, "_WHOLE", 0.3)

    async def reads(scope, receive, send):
        async for _ in Request(scope, receive).stream():
            pass

    async def stalls():
        limits, said = UploadLimits(reads, dict), []

        async def receive():
            await asyncio.sleep(60 if silent else 0.02)
            return {"type": "http.request", "body": b"1", "more_body": True}

        async def send(message):
            said.append(message)

        scope = {
            "type": "http", "method": "PUT", "path": "/_stcore/upload_file/s/f", "headers": [],
            "client": ("10.0.0.1", 1),
        }  # fmt: skip
        await asyncio.wait_for(limits(scope, receive, send), 5)
        assert not limits._bytes
        assert not limits._under_way
        return said[0]["status"], said[1]["body"].decode()

    status, told = asyncio.run(stalls())
    assert status == 408
    assert told.startswith("An upload ends when nothing comes")


def test_other_requests_pass():
    async def passing():
        server = Server()
        server.going.set()
        path = "/_stcore/upload_file/s/f"
        return [await server.put(path, 99 * MB, method=method) for method in ("DELETE", "OPTIONS")]

    assert asyncio.run(passing()) == [204, 204]


def test_the_real_server_refuses_ten_files_of_99_mb_and_more_than_two_small_ones(address):
    with visiting(address) as visitor:
        visitor.open("")
        with urllib.request.urlopen(f"{address}/_stcore/health") as page:
            cookie = http.cookies.SimpleCookie(page.headers["set-cookie"])["_streamlit_xsrf"].value

        def put(name, size, declared=None):
            body = b"--b\r\nContent-Disposition: form-data; name=f; filename=f\r\n\r\n"
            body += b"1" * size + b"\r\n--b--\r\n"
            headers = {
                "Content-Type": "multipart/form-data; boundary=b", "X-Xsrftoken": cookie,
                "Cookie": f"_streamlit_xsrf={cookie}", "Content-Length": str(declared or len(body)),
            }  # fmt: skip
            path = f"{address}/_stcore/upload_file/{visitor.session}/{name}"
            request = urllib.request.Request(path, body, headers, method="PUT")
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return answer.status, ""
            except urllib.error.HTTPError as answer:
                return answer.code, answer.read().decode()

        large = {put(f"large{k}", 10, 99 * MB) for k in range(10)}
        assert large == {(413, "A file has at most 20 MB. Take a random sample of its rows.")}
        found = [put(f"small{k}", 1000) for k in range(4)]
        assert [status for status, _ in found] == [204, 204, 429, 429]
        assert found[-1][1].startswith("A page takes 2 files at once.")
