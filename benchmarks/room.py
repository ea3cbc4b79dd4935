"""Measure a room with a hundred phones that listen to events, and compare it with phones that poll.

The measurements are the times of joining and of news on questions and votes, processor time, and bytes.

All phones run in this process, each with its own connections. The application runs in a new process. The
lecturer's actions are written to the database from this process, so news takes the longest way: through the
database to another process. For comparison, the phones then ask the same server once a second for the next
question. The last line printed is one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from benchmarks.load.measured import quantiles
from benchmarks.load.watched import Server, running, version
from tests.ui.classroom.asking import asks_to_join
from ui.classroom import housekeeping
from ui.classroom.activities import Poll
from ui.classroom.routes import files


class Phone:
    """Simulated phone with one connection for sending and one for receiving, which records when messages arrive."""

    def __init__(self, address: str) -> None:
        self.host, _, port = address.partition("://")[2].partition(":")
        self.port, self.bytes, self.token = int(port), 0, ""
        self.heard: dict[tuple[int, str, int], float] = {}
        self._before = 0.0
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        """Post an object to the server; return status and content of the response."""
        now = time.perf_counter()
        if self._line is None or now - self._before > 3:  # servers close what is silent
            self._line = await asyncio.open_connection(self.host, self.port)
        self._before = now
        reader, writer = self._line
        text = json.dumps(body).encode()
        head = (
            f"POST /join/{path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n"
        )
        writer.write(head.encode() + text)
        answer = await reader.readuntil(b"\r\n\r\n")
        size = next(
            int(line.partition(b":")[2])
            for line in answer.lower().split(b"\r\n")
            if b"content-length" in line
        )
        told = await reader.readexactly(size)
        self.bytes += len(head) + len(text) + len(answer) + size
        return int(answer.split()[1]), json.loads(told)

    async def join(self, code: str) -> None:
        """Join the room, and wait for its first message."""
        asked = asks_to_join(code)
        self.token = asked["token"]
        await self.send("enter", asked)
        self.listening = asyncio.create_task(self._listen(code))
        await self.until(0, "waiting", 0)

    async def _listen(self, code: str) -> None:
        reader, writer = await asyncio.open_connection(self.host, self.port)
        writer.write(f"GET /join/events/{code} HTTP/1.1\r\nHost: {self.host}\r\n\r\n".encode())
        async for line in reader:
            self.bytes += len(line)
            if line.startswith(b"data: "):
                news = json.loads(line[6:])
                now = time.perf_counter()
                for n in range(news.get("answered", 0) + 1):
                    self.heard.setdefault((news.get("turn", -1), news["phase"], n), now)

    async def until(self, turn: int, phase: str, answered: int) -> float:
        """Wait until this phone has received this state of the room; return when it did."""
        while (turn, phase, answered) not in self.heard:
            await asyncio.sleep(0.005)
        return self.heard[turn, phase, answered]

    async def poll(self, turn: int, offset: float) -> float:
        """Ask for the question ``turn`` once a second, first after ``offset`` seconds; return when it arrived."""
        await asyncio.sleep(offset)
        while (await self.send("mine", {"token": self.token, "turn": turn}))[0] != 200:
            await asyncio.sleep(1.0)
        return time.perf_counter()


async def measured(server: Server, n: int, idle: float) -> dict[str, Any]:
    """Return the times in which n phones join, are asked, vote and see the result, and the comparison with polling.

    Waiting phones are observed for ``idle`` seconds.
    """
    code, key = housekeeping.store().open()
    phones, found = [Phone(server.address) for _ in range(n)], {}

    async def joining(phone: Phone) -> float:
        start = time.perf_counter()
        await phone.join(code)
        return time.perf_counter() - start

    start = time.perf_counter()
    found["join"] = quantiles(await asyncio.gather(*map(joining, phones)))
    found["all_joined_s"] = round(time.perf_counter() - start, 3)

    async def news(turn: int, phase: str, answered: int, act: Any) -> dict[str, float]:
        start = time.perf_counter()
        await asyncio.to_thread(act)
        told = await asyncio.gather(*(phone.until(turn, phase, answered) for phone in phones))
        return quantiles([when - start for when in told])

    asks = lambda: housekeeping.start_activity(code, key, Poll("?", 1.0986))  # noqa: E731
    found["question"] = await news(1, "open", 0, asks)
    start, cpu = time.perf_counter(), server.cpu()
    sent = await asyncio.gather(
        *(
            phone.send("answer", {"token": phone.token, "turn": 1, "answer": k % 2})
            for k, phone in enumerate(phones)
        )
    )
    found["votes_taken_s"] = round(time.perf_counter() - start, 3)
    assert {status for status, _ in sent} == {200}
    last = time.perf_counter()
    told = await asyncio.gather(*(phone.until(1, "open", n) for phone in phones))
    found["last_vote_told"] = quantiles([max(when - last, 0.0) for when in told])
    found["cpu_of_votes_s"] = round(server.cpu() - cpu, 2)
    found["result"] = await news(1, "shown", n, lambda: housekeeping.store().show(code, key))
    found["bytes_a_phone"] = round(sum(phone.bytes for phone in phones) / n)
    found |= await compared(server, phones, (code, key), idle)
    for phone in phones:
        phone.listening.cancel()
    return found


async def compared(
    server: Server, phones: list[Phone], room: tuple[str, str], idle: float
) -> dict[str, Any]:
    """Return the server's processor time and bytes while phones wait, with events and in addition with polling.

    The result also has the times in which a new question reaches the phones by either way.
    """
    before, cpu = sum(phone.bytes for phone in phones), server.cpu()
    await asyncio.sleep(idle)
    events = (server.cpu() - cpu) / idle
    quiet = sum(phone.bytes for phone in phones) - before
    chance = np.random.default_rng(0).random(len(phones))
    polling = [
        asyncio.create_task(phone.poll(2, float(wait)))
        for phone, wait in zip(phones, chance, strict=True)
    ]
    cpu, before = server.cpu(), sum(phone.bytes for phone in phones)
    await asyncio.sleep(idle)
    polled = (server.cpu() - cpu) / idle - events
    loud = sum(phone.bytes for phone in phones) - before - quiet
    start = time.perf_counter()
    await asyncio.to_thread(housekeeping.start_activity, *room, Poll("?", 1.0986))
    asked = quantiles([when - start for when in await asyncio.gather(*polling)])
    heard = quantiles([await phone.until(2, "open", 0) - start for phone in phones])
    return {
        "events": {
            "told": heard,
            "idle_cpu": round(events, 3),
            "idle_bytes_s": round(quiet / idle),
        },
        "polling": {
            "told": asked,
            "idle_cpu": round(polled, 3),
            "idle_bytes_s": round(loud / idle),
        },
        "ratio_cpu": round(polled / max(events, 1e-3), 1),
        "ratio_told_p50": round(asked["p50"] / heard["p50"], 1),
    }


def main() -> None:
    """Measure, print the results, and end with one JSON object."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--phones", type=int, default=100, help="how many (100)")
    parser.add_argument("--idle", type=float, default=10, help="seconds of waiting (10)")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        os.environ.setdefault(housekeeping.ROOMS, f"sqlite:///{folder}/rooms.sqlite")
        with running() as server:
            asyncio.run(measured(server, 2, 0.5))  # what a first visitor would warm
            found = asyncio.run(measured(server, options.phones, options.idle))
            found |= server.usage()
        housekeeping.store().dispose()
    found["page_bytes"] = sum(map(len, files().values()))
    for name, value in found.items():
        print(f"  {name:18} {value}")
    print(json.dumps({"commit": version(), "options": vars(options), **found}))


if __name__ == "__main__":
    main()
