"""A network of two machines, made of network namespaces on this one. Nothing outside can reach it."""

from __future__ import annotations

import subprocess
from pathlib import Path

from checks import TestFailedError, check, wait_for
from processes import DIES_WITH_PARENT

# Nobody else sees these addresses: both ends of the link are in namespaces of their own.
MAIN_ADDRESS, FAR_ADDRESS = "10.213.7.1", "10.213.7.2"


class Namespace:
    """A network namespace without a name. It ends with the process that holds it."""

    def __init__(self) -> None:
        words = [*DIES_WITH_PARENT, "unshare", "--net", "sleep", "infinity"]
        self.holder = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.path = Path(f"/proc/{self.holder.pid}/ns/net")
        wait_for("a network namespace", self._is_apart)
        self.run("ip", "link", "set", "lo", "up")

    def _is_apart(self) -> bool:
        if self.holder.poll() is not None:
            message = self.holder.stderr.read().strip() if self.holder.stderr else ""
            raise TestFailedError(
                f"this machine permits no network namespaces ({message}), so no node can be cut off. "
                "A container needs CAP_SYS_ADMIN and CAP_NET_ADMIN. --without-namespaces leaves it out."
            )
        return self.path.readlink() != Path("/proc/self/ns/net").readlink()

    def command(self, *words: str | Path) -> list[str]:
        """The words of a command that runs a command in here."""
        return ["nsenter", f"--net={self.path}", "--", *map(str, words)]

    def run(self, *words: str) -> None:
        result = subprocess.run(self.command(*words), capture_output=True, text=True)
        check(result.returncode == 0, f"{' '.join(words)}: {result.stderr.strip()}")


class Network:
    """A machine `main`, a machine `far`, and the link between them."""

    def __init__(self) -> None:
        self.main = Namespace()
        self.far = Namespace()
        peer = ["peer", "name", "wire", "netns", str(self.far.holder.pid)]
        self.main.run("ip", "link", "add", "name", "wire", "type", "veth", *peer)
        for namespace, address in ((self.main, MAIN_ADDRESS), (self.far, FAR_ADDRESS)):
            namespace.run("ip", "address", "add", f"{address}/30", "dev", "wire")
            namespace.run("ip", "link", "set", "wire", "up")

    def cut(self) -> None:
        self.far.run("ip", "link", "set", "wire", "down")

    def mend(self) -> None:
        self.far.run("ip", "link", "set", "wire", "up")
