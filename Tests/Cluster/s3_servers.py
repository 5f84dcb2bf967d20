"""S3 servers on 127.0.0.1: OpenStack Swift's s3api from Debian, and moto from PyPI."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from checks import check, wait_for

SECRET = "test:secret/with+characters"
DEVICE = "disk"

SWIFT_CONF = """
[swift-hash]
swift_hash_path_suffix = tintype
[swift-constraints]
"""

DEFAULTS = """
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = {port}
workers = 0
swift_dir = {folder}
devices = {folder}/devices
mount_check = false
user = {user}
log_address = {folder}/no-syslog
"""

PROXY = """
[pipeline:main]
pipeline = healthcheck cache listing_formats bulk s3api tempauth slo dlo proxy-logging proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:proxy-logging]
use = egg:swift#proxy_logging
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:{memcached}
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
s3_acl = false
check_bucket_owner = false
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = {secret} .admin
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
"""

STORE = """
[pipeline:main]
pipeline = {kind}-server
[app:{kind}-server]
use = egg:swift#{kind}
"""


@dataclass
class Server:
    """An S3 server that runs."""

    name: str
    endpoint: str
    access_key: str
    secret: str
    # Whether it checks signatures.
    authenticates: bool


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def running(commands: list[list[str]], folder: Path) -> Iterator[None]:
    """Runs daemons in the foreground, and ends them."""
    children: list[subprocess.Popen] = []
    try:
        for index, command in enumerate(commands):
            log = (folder / f"{index}-{Path(command[0]).name}.log").open("wb")
            children.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log))
        yield
        ended = [command[0] for command, child in zip(commands, children, strict=True) if child.poll()]
        check(not ended, f"these servers have ended: {ended}; their logs are in {folder}")
    finally:
        for child in children:
            child.terminate()
        for child in children:
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5):
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


@contextlib.contextmanager
def swift(folder: Path) -> Iterator[Server]:
    """OpenStack Swift with one replica and one user."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "devices" / DEVICE).mkdir(parents=True)
    ports = {kind: free_port() for kind in ("proxy", "object", "container", "account", "memcached")}
    values = {"folder": folder, "secret": SECRET, "memcached": ports["memcached"]}
    values["user"] = os.environ.get("USER", "root")
    (folder / "swift.conf").write_text(SWIFT_CONF)
    commands = [["memcached", "-l", "127.0.0.1", "-p", str(ports["memcached"]), "-u", values["user"]]]
    for kind in ("object", "container", "account"):
        make_ring(folder / f"{kind}.builder", ports[kind])
        path = folder / f"{kind}.conf"
        path.write_text((DEFAULTS + STORE).format(port=ports[kind], kind=kind, **values))
        commands.append([f"swift-{kind}-server", str(path)])
    path = folder / "proxy.conf"
    path.write_text((DEFAULTS + PROXY).format(port=ports["proxy"], **values))
    commands.append(["swift-proxy-server", str(path)])
    endpoint = f"http://127.0.0.1:{ports['proxy']}"
    with running(in_folder(commands, folder), folder):
        wait_for("OpenStack Swift", lambda: answers(f"{endpoint}/healthcheck"))
        yield Server("swift", endpoint, "test:tester", SECRET, authenticates=True)


def in_folder(commands: list[list[str]], folder: Path) -> list[list[str]]:
    """Tells Swift's programs where swift.conf is: only a variable of a module says so."""
    wrapped = []
    for command in commands:
        program = shutil.which(command[0])
        check(program, f"there is no {command[0]}")
        code = (
            f"import swift.common.utils as utils; utils.SWIFT_CONF_FILE = {str(folder / 'swift.conf')!r}; "
            f"exec(open({program!r}).read())"
        )
        started = [program] if command[0] == "memcached" else ["/usr/bin/python3", "-c", code]
        wrapped.append([*started, *command[1:]])
    return wrapped


def make_ring(builder: Path, port: int) -> None:
    for words in (
        ["create", "4", "1", "1"],
        ["add", f"r1z1-127.0.0.1:{port}/{DEVICE}", "1"],
        ["rebalance"],
    ):
        result = subprocess.run(["swift-ring-builder", str(builder), *words], capture_output=True, text=True)
        # 1 is a warning.
        check(result.returncode < 2, f"swift-ring-builder {words[0]}: {result.stdout}{result.stderr}")


@contextlib.contextmanager
def moto(folder: Path, python: Path) -> Iterator[Server]:
    """moto, a Python program that plays Amazon's servers; it checks no signatures."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    port = free_port()
    endpoint = f"http://127.0.0.1:{port}"
    command = [str(python.parent / "moto_server"), "-H", "127.0.0.1", "-p", str(port)]
    with running([command], folder):
        wait_for("moto", lambda: answers(endpoint))
        yield Server("moto", endpoint, "AKIAEXAMPLE", SECRET, authenticates=False)
