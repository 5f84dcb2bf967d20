"""A server on 127.0.0.1, in its own process, that answers each request from memory after a delay."""

from __future__ import annotations

import asyncio
import multiprocessing
from pathlib import Path


class SlowServer:
    """Serves the files of a folder under their names for as long as the `with` lasts."""

    def __init__(self, folder: Path, latency: float):
        self._answers = {}
        for path in folder.iterdir():
            body = path.read_bytes()
            head = f"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: {len(body)}\r\n\r\n"
            self._answers[f"/{path.name}"] = head.encode() + body
        self._latency = latency

    def __enter__(self) -> list[str]:
        ready, told = multiprocessing.Pipe(duplex=False)
        self._process = multiprocessing.Process(target=lambda: asyncio.run(self._serve(told)), daemon=True)
        self._process.start()
        port = ready.recv()
        return [f"http://127.0.0.1:{port}{name}" for name in sorted(self._answers)]

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.join()

    async def _serve(self, told) -> None:
        server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        told.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                await asyncio.sleep(self._latency)
                writer.write(self._answers[head.split(b" ", 2)[1].decode()])
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # The client has gone.
        finally:
            writer.close()
