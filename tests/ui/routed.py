"""Responses of the server's routes, without a server."""

import asyncio

from starlette.applications import Starlette


def routed(path, routes, **asked):
    """Request a path with these headers; return status, headers and content of the response."""
    said = []
    path, _, query = path.partition("?")
    scope = {
        "type": "http", "method": "GET", "path": path, "raw_path": path.encode(),
        "headers": [(name.replace("_", "-").encode(), text.encode()) for name, text in asked.items()],
        "query_string": query.encode(), "root_path": "", "http_version": "1.1", "scheme": "http",
    }  # fmt: skip

    async def send(message):
        said.append(message)

    asyncio.run(Starlette(routes=routes)(scope, None, send))
    headers = {name.decode(): value.decode() for name, value in said[0]["headers"]}
    return said[0]["status"], headers, said[1]["body"]
