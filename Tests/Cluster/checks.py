"""How the cluster's tests fail, and how they wait."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Value = TypeVar("Value")

# Seconds until a test that waits gives up. It only ends tests that would hang: none measures time.
PATIENCE = 240


class TestFailedError(Exception):
    """A test has failed; the text says at what."""


def check(condition: object, message: str) -> None:
    if not condition:
        raise TestFailedError(message)


def wait_for(what: str, look: Callable[[], Value | None], patience: float = PATIENCE) -> Value:
    """Calls `look` until it returns something true, and returns that."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.1)
    raise TestFailedError(f"waited {patience:.0f} s in vain for {what}")
