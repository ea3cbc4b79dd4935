"""What a phone asks the routes, without a server."""

import asyncio
import json

from starlette.applications import Starlette

from ui.classroom.routes import ROUTES

__all__ = ["ask", "events"]

APP = Starlette(routes=ROUTES)


def _scope(method, path, body, kind, address):
    headers = [(b"content-type", kind.encode())] if body is not None else []
    return {
        "type": "http", "method": method, "path": path, "raw_path": path.encode(), "headers": headers,
        "query_string": b"", "root_path": "", "http_version": "1.1", "scheme": "http",
        "client": (address, 1),
    }  # fmt: skip


def ask(path, body=None, *, kind="application/json", address="phone", part=1 << 20):
    """Ask once; return status, headers and what was answered."""
    whole = body if isinstance(body, bytes | None) else json.dumps(body).encode()
    parts = [(whole or b"")[k : k + part] for k in range(0, max(len(whole or b""), 1), part)]
    sent, said = [], []

    async def receive():
        sent.append(parts[len(sent)])
        more = len(sent) < len(parts)
        return {"type": "http.request", "body": sent[-1], "more_body": more}

    async def send(message):
        said.append(message)

    method = "GET" if body is None else "POST"
    asyncio.run(APP(_scope(method, path, whole, kind, address), receive, send))
    headers = {name.decode(): value.decode() for name, value in said[0]["headers"]}
    answer = b"".join(message.get("body", b"") for message in said[1:])
    if "json" in headers.get("content-type", ""):
        answer = json.loads(answer)
    return said[0]["status"], headers, answer


async def events(path, heard, until):
    """Listen until ``until()``; ``heard`` is called with each message."""
    done = asyncio.Event()

    async def receive():
        await done.wait()
        return {"type": "http.disconnect"}

    async def send(message):
        for line in message.get("body", b"").decode().split("\n"):
            if line.startswith("data: "):
                heard(json.loads(line[6:]))
                if until():
                    done.set()

    await asyncio.wait_for(APP(_scope("GET", path, None, "", "phone"), receive, send), 20)
