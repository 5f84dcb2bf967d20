"""A server that passes requests on to another one, except for the faults that it plays."""

from __future__ import annotations

import contextlib
import http.client
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

SLOW_DOWN = b"<Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>"
EXPIRED = b"<Error><Code>ExpiredToken</Code><Message>The token has expired.</Message></Error>"


class Proxy:
    """What the proxy plays, and what it has seen."""

    def __init__(self, upstream: str) -> None:
        self.upstream = urlsplit(upstream).netloc
        # How many requests of each method and path are refused with 503.
        self.busy = 0
        # Bytes after which the first answer to each GET of an object is cut off; 0 is never.
        self.cut = 0
        # Whether the first PUT of each object is performed, and its answer lost.
        self.loses_answers = False
        # PUTs that are passed on; later ones get no answer. None passes all on.
        self.put_limit: int | None = None
        # Whether all requests are refused because the session has ended.
        self.has_expired = False
        self.seen: list[tuple[str, str]] = []
        self.counts: Counter[tuple[str, str]] = Counter()
        self.lock = threading.Lock()
        self.closed = threading.Event()
        self.endpoint = ""

    def count(self, method: str, path: str) -> int:
        with self.lock:
            self.seen.append((method, path))
            self.counts[method, path] += 1
            return self.counts[method, path]

    def requests(self, method: str) -> int:
        return sum(1 for seen, _ in self.seen if seen == method)


@contextlib.contextmanager
def proxy(upstream: str) -> Iterator[Proxy]:
    state = Proxy(upstream)
    handler = type("BoundHandler", (Handler,), {"state": state})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    state.endpoint = f"http://127.0.0.1:{server.server_port}"
    try:
        yield state
    finally:
        state.closed.set()
        server.shutdown()
        server.server_close()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state: Proxy

    def log_message(self, *arguments: object) -> None:
        pass

    def handle_any(self) -> object:
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        path, _, query = self.path.partition("?")
        number = self.state.count(self.command, path)
        if self.state.has_expired:
            return self.answer(400, [], EXPIRED)
        limit = self.state.put_limit
        if self.command == "PUT" and limit is not None and self.state.requests("PUT") > limit:
            self.close_connection = True
            return self.state.closed.wait()
        if number <= self.state.busy:
            return self.answer(503, [], SLOW_DOWN)
        status, headers, answer = self.forward(body)
        if self.state.loses_answers and self.command == "PUT" and number == 1:
            self.close_connection = True
            return None
        if self.state.cut and self.command == "GET" and not query and number == 1 and status == 200:
            self.close_connection = True
            return self.answer(status, headers, answer, self.state.cut)
        return self.answer(status, headers, answer)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_any  # noqa: N815, named by the library

    def forward(self, body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        upstream = http.client.HTTPConnection(self.state.upstream, timeout=60)
        upstream.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        # Host is signed, so it is passed on as it is.
        for name, value in self.headers.items():
            if name.lower() not in ("connection", "expect"):
                upstream.putheader(name, value)
        upstream.endheaders(body or None)
        response = upstream.getresponse()
        data = response.read()
        dropped = ("connection", "content-length", "transfer-encoding")
        headers = [(name, value) for name, value in response.getheaders() if name.lower() not in dropped]
        if self.command == "HEAD":
            headers.append(("Content-Length", response.getheader("Content-Length") or "0"))
        upstream.close()
        return response.status, headers, data

    def answer(
        self, status: int, headers: list[tuple[str, str]], body: bytes, limit: int | None = None
    ) -> None:
        self.send_response_only(status)
        for name, value in headers:
            self.send_header(name, value)
        if self.command != "HEAD":
            self.send_header("Content-Length", str(len(body)))
        elif not any(name == "Content-Length" for name, _ in headers):
            self.send_header("Content-Length", "0")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body[:limit])
