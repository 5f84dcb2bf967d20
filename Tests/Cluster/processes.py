"""The processes that a test has started, with those that they have started in turn."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import time
from pathlib import Path

from checks import TestFailedError

PR_SET_CHILD_SUBREAPER = 36
# A daemon does not outlive the test, even if the test is killed.
DIES_WITH_PARENT = ["setpriv", "--pdeathsig", "KILL", "--"]


def adopt_orphans() -> None:
    """From now on, a descendant whose parent ends becomes a child of this process: daemons cannot escape."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise TestFailedError(f"no child subreaper: {os.strerror(ctypes.get_errno())}")


def descendants(pid: int | None = None) -> list[int]:
    """All processes that this one, or `pid`, has started directly or indirectly."""
    found = []
    queue = [pid or os.getpid()]
    while queue:
        for child in children(queue.pop()):
            found.append(child)
            queue.append(child)
    return found


def children(pid: int) -> list[int]:
    with contextlib.suppress(OSError):
        lists = [task / "children" for task in Path(f"/proc/{pid}/task").iterdir()]
        return [int(child) for path in lists for child in path.read_text().split()]
    return []


def status(pid: int) -> tuple[str, int, str]:
    """The name, the parent and the state (R, S, T, Z, ...) of a process; state X if it is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return "", 0, "X"
    name, _, rest = text.partition("(")[2].rpartition(")")
    state, parent = rest.split()[:2]
    return name, int(parent), state


def is_running(pid: int) -> bool:
    return status(pid)[2] not in "XZ"


def arguments(pid: int) -> list[str]:
    return _words(pid, "cmdline")


def environment(pid: int) -> dict[str, str]:
    return dict(word.split("=", 1) for word in _words(pid, "environ") if "=" in word)


def _words(pid: int, file: str) -> list[str]:
    try:
        return os.fsdecode(Path(f"/proc/{pid}/{file}").read_bytes()).split("\0")[:-1]
    except OSError:
        return []


def send(pids: list[int], number: int) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def pause(pids: list[int]) -> None:
    """Stops processes, and returns when they stand still or are gone."""
    send(pids, signal.SIGSTOP)
    while any(status(pid)[2] not in "TXZ" for pid in pids):
        time.sleep(0.01)


def reap(known: list[subprocess.Popen]) -> None:
    """Takes leave of adopted children that have ended. `known` are those for which Python itself does so."""
    own = {process.pid for process in known}
    for pid in children(os.getpid()):
        if pid not in own and status(pid)[2] == "Z":
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def end_all() -> None:
    """Kills all processes of the test. New ones may appear, so it looks again until none is left."""
    while pids := descendants():
        send([pid for pid in pids if is_running(pid)], signal.SIGKILL)
        for pid in children(os.getpid()):
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        time.sleep(0.05)
