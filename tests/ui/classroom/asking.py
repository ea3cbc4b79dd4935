"""Requests of a phone, or of the lecturer's browser, to the routes of rooms, without a server."""

import asyncio
import json
import secrets

from starlette.applications import Starlette

from ui.classroom import lecturer_key
from ui.classroom.routes import ROUTES

__all__ = ["ask", "asks_to_join", "events", "join"]

APP = Starlette(routes=[*ROUTES, *lecturer_key.ROUTES])


def _scope(method, path, body, kind, address, extra=()):
    path, _, query = path.partition("?")
    headers = [(b"content-type", kind.encode())] if body is not None else []
    headers += [
        (name.replace("_", "-").encode(), text.encode()) for name, text in dict(extra).items()
    ]
    return {
        "type": "http", "method": method, "path": path, "raw_path": path.encode(), "headers": headers,
        "query_string": query.encode(), "root_path": "", "http_version": "1.1", "scheme": "http",
        "client": (address, 1),
    }  # fmt: skip


def ask(path, body=None, *, kind="application/json", address="phone", part=1 << 20, **extra):
    """Send one request; return status, headers and content of the response."""
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
    asyncio.run(APP(_scope(method, path, whole, kind, address, extra), receive, send))
    headers = {name.decode(): value.decode() for name, value in said[0]["headers"]}
    answer = b"".join(message.get("body", b"") for message in said[1:])
    if "json" in headers.get("content-type", ""):
        answer = json.loads(answer)
    return said[0]["status"], headers, answer


async def events(path, heard, until):
    """Receive a stream of events until ``until()`` is true; call ``heard`` with each message."""
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


def asks_to_join(code):
    """Return what a phone sends to join a room, with a token of its own."""
    return {"code": code, "token": secrets.token_urlsafe(24)}


def join(store, code):
    """Let a phone join a room in a store; return its token."""
    asked = asks_to_join(code)
    store.join(**asked)
    return asked["token"]
