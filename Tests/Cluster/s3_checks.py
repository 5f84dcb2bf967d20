"""Checks Tintype against S3 servers: s3_checks.py TINTYPE PHOTOS FOLDER

PHOTOS is a folder of JPEGs. boto3, Amazon's own library, writes the photos and reads the outputs.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import boto3
from botocore.config import Config
from checks import TestFailedError, check, wait_for
from PIL import Image
from s3_proxy import proxy
from s3_servers import Server, moto, swift

BUCKET = "photos"
# Characters that the encodings of paths, queries and forms treat differently.
NAMES = ["plain", "a b", "a+b", "a%20b", "é ü/日本", "q&c=d", "it's (1)~*!", "deep/er/x@y,z"]
TOKEN = "Session+Token/of=the=test"  # noqa: S105, of no server
# More than a list's page has.
OTHERS = 1100
# Outputs above 64 MiB are written in parts.
LARGE = (4800, 4800)


class Store:
    """A bucket on a server, the tool, and an independent client."""

    def __init__(self, server: Server, tool: Path, folder: Path) -> None:
        self.server, self.tool, self.folder = server, tool, folder
        self.client = boto3.client(
            "s3",
            endpoint_url=server.endpoint,
            aws_access_key_id=server.access_key,
            aws_secret_access_key=server.secret,
            region_name="us-east-1",
            config=Config(s3={"addressing_style": "path"}, request_checksum_calculation="when_required"),
        )
        self.client.create_bucket(Bucket=BUCKET)
        home = folder / "home"
        home.mkdir(parents=True)
        (folder / "tmp").mkdir()
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "TMPDIR": str(folder / "tmp"),
            "TINTYPE_CONFIG": "/dev/null",
            "AWS_ACCESS_KEY_ID": server.access_key,
            "AWS_SECRET_ACCESS_KEY": server.secret,
            "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT_URL_S3": server.endpoint,
        }

    def command(self, words: list[str], **variables: str) -> dict[str, Any]:
        """What `subprocess` needs."""
        return {
            "args": [str(self.tool), *words],
            "env": self.environment | variables,
            "cwd": self.folder,
            "stdin": subprocess.DEVNULL,
            "text": True,
        }

    def ask(self, *words: str, **variables: str) -> subprocess.CompletedProcess:
        result = subprocess.run(**self.command(list(words), **variables), capture_output=True)
        for secret in (self.server.secret, TOKEN):
            check(secret not in result.stdout + result.stderr, f"tintype {words[0]} printed a secret")
        return result

    def run(self, *words: str, **variables: str) -> str:
        result = self.ask(*words, **variables)
        check(result.returncode == 0, f"tintype {words} ended with {result.returncode}:\n{result.stderr}")
        return result.stdout

    def apply(self, *words: str, **variables: str) -> dict[str, Any]:
        """The summary of a run that succeeds."""
        return json.loads(self.run("apply", "--json", "-d", "cpu", *words, **variables).splitlines()[-1])

    def refuse(self, code: int, text: str, *words: str, **variables: str) -> None:
        result = self.ask(*words, **variables)
        check(
            result.returncode == code and text in result.stderr,
            f"tintype {words} ended with {result.returncode} instead of {code}, or says no '{text}':\n"
            f"{result.stderr}",
        )

    def objects(self, prefix: str) -> dict[str, dict]:
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=prefix)
        found = [entry for page in pages for entry in page.get("Contents", [])]
        return {entry["Key"].removeprefix(prefix): entry for entry in found}

    def get(self, key: str) -> tuple[bytes, dict]:
        answer = self.client.get_object(Bucket=BUCKET, Key=key)
        return answer["Body"].read(), answer

    def put(self, key: str, data: bytes) -> None:
        self.client.put_object(Bucket=BUCKET, Key=key, Body=data)

    def check_outputs(self, prefix: str, reference: Path) -> None:
        """All outputs, and no other objects, have the bytes of a run over folders."""
        files = {
            str(path.relative_to(reference)): path for path in reference.rglob("*.jpg") if path.is_file()
        }
        check(set(self.objects(prefix)) == set(files), f"{prefix} has {sorted(self.objects(prefix))}")
        for name, path in files.items():
            data, answer = self.get(prefix + name)
            check(data == path.read_bytes(), f"{prefix}{name} has other bytes")
            check(answer["ContentType"] == "image/jpeg", f"{name} is {answer['ContentType']}")
            sha256 = hashlib.sha256(data).hexdigest()
            check(answer["Metadata"]["tintype-sha256"] == sha256, f"{name} has another hash in its metadata")


def check_round_trip(store: Store, reference: Path) -> str:
    words = ["-f", "sepia", "-o", f"s3://{BUCKET}/out", f"s3://{BUCKET}/in"]
    check(store.apply(*words)["done"] == len(NAMES), "not all photos were filtered")
    store.check_outputs("out/", reference)
    times = {key: entry["LastModified"] for key, entry in store.objects("out/").items()}
    again = store.apply(*words)
    check(again["upToDate"] == len(NAMES) and again["done"] == 0, f"the second run did {again}")
    store.refuse(1, "made with -f sepia", "apply", "-f", "noir", *words[2:])
    check(
        times == {key: entry["LastModified"] for key, entry in store.objects("out/").items()},
        "an output was written again",
    )
    check(store.apply("-f", "sepia", "-o", "local", words[-1])["done"] == len(NAMES), "photos are missing")
    for path in reference.rglob("*.jpg"):
        copy = store.folder / "local" / path.relative_to(reference)
        check(copy.read_bytes() == path.read_bytes(), f"{copy} has other bytes")
    return f"{len(NAMES)} photos among {OTHERS} others"


def check_refusals(store: Store, _reference: Path) -> str:
    words = ["-f", "sepia", "-o", f"s3://{BUCKET}/kept", f"s3://{BUCKET}/in/plain.jpg"]
    store.put("kept/plain.jpg", b"someone's")
    store.refuse(1, "was not written by Tintype", "apply", *words)
    check(store.get("kept/plain.jpg")[0] == b"someone's", "an object was replaced")
    store.apply(*words, "--overwrite")
    check(store.get("kept/plain.jpg")[0] != b"someone's", "--overwrite replaced nothing")
    store.refuse(1, "NoSuchBucket", "apply", "-f", "sepia", "-o", "s3://missing/out", words[-1])
    store.refuse(1, "NoSuchKey", "apply", "-f", "sepia", "-o", "local2", f"s3://{BUCKET}/none.jpg")
    nobody = {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}
    store.refuse(1, "no credentials", "apply", *words, **nobody)
    if store.server.authenticates:
        wrong = {"AWS_SECRET_ACCESS_KEY": "another"}
        store.refuse(1, "SignatureDoesNotMatch", "apply", *words, **wrong)
    profile = Path(store.environment["HOME"]) / ".aws/credentials"
    profile.parent.mkdir()
    profile.write_text(
        f"[work]\naws_access_key_id = {store.server.access_key}\n"
        f"aws_secret_access_key = {store.server.secret}\n"
    )
    store.apply(*words, "--overwrite", AWS_PROFILE="work", **nobody)
    return "wrong secret" if store.server.authenticates else "this server checks no signatures"


def check_shards(store: Store, reference: Path) -> str:
    place = f"s3://{BUCKET}/shards"
    store.run("plan", "-f", "sepia", "-o", place, "-m", "m.jsonl", f"s3://{BUCKET}/in")
    manifest = (store.folder / "m.jsonl").read_text()
    check(
        store.server.secret not in manifest and store.server.access_key not in manifest,
        "the manifest has a secret",
    )
    for number in (1, 2):
        store.apply("-m", "m.jsonl", "--shard", f"{number}/3")
    store.refuse(1, "", "verify", "-m", "m.jsonl", "--missing-to", "rest.jsonl")
    store.apply("-m", "rest.jsonl")
    store.run("verify", "-m", "m.jsonl")
    count = f"{len(NAMES)} of {len(NAMES)} outputs are done"
    check(count in store.run("status", "-m", "m.jsonl"), "status does not see all outputs")
    store.check_outputs("shards/", reference)
    return "three shards, verified"


def check_kill(store: Store, reference: Path) -> str:
    words = ["apply", "-f", "sepia", "-d", "cpu", "-j1", "-o", f"s3://{BUCKET}/killed", f"s3://{BUCKET}/in"]
    with proxy(store.server.endpoint) as faults:
        faults.put_limit = 3
        command = store.command([*words, "-q"], AWS_ENDPOINT_URL_S3=faults.endpoint)
        with subprocess.Popen(**command, stderr=subprocess.DEVNULL) as run:
            wait_for("an output that is on its way", lambda: faults.requests("PUT") > 3)
            secret = store.server.secret.encode()
            check(secret not in Path(f"/proc/{run.pid}/cmdline").read_bytes(), "a secret is an argument")
            run.send_signal(signal.SIGKILL)
    made = len(store.objects("killed/"))
    check(made < len(NAMES), "the run had ended before it was killed")
    summary = store.apply(*words[1:])
    check(summary["done"] + summary["upToDate"] == len(NAMES), f"the next run did {summary}")
    store.check_outputs("killed/", reference)
    left = [path.name for path in (store.folder / "tmp").iterdir()]
    check(not left, f"the killed run's files are still there: {left}")
    return f"killed after {made} of {len(NAMES)} outputs"


def check_parts(store: Store, _reference: Path) -> str:
    photo = store.folder / "large.png"
    width, height = LARGE
    Image.frombytes("RGB", LARGE, os.urandom(3 * width * height)).save(photo, compress_level=0)
    store.apply("-f", "invert", "-o", f"s3://{BUCKET}/large", "large.png")
    store.run("apply", "-f", "invert", "-d", "cpu", "-o", "local3", "large.png")
    data, answer = store.get("large/large.png")
    check(data == (store.folder / "local3/large.png").read_bytes(), "a large output has other bytes")
    check("-" in answer["ETag"], f"a large output was not written in parts: {answer['ETag']}")
    uploads = store.client.list_multipart_uploads(Bucket=BUCKET).get("Uploads", [])
    check(not uploads, f"unfinished uploads are left: {uploads}")
    photo.unlink()
    return f"{len(data) >> 20} MiB in parts, ETag {answer['ETag']}"


def check_faults(store: Store, reference: Path) -> str:
    words = ["-f", "sepia", f"s3://{BUCKET}/in"]
    with proxy(store.server.endpoint) as faults:
        through = {"AWS_ENDPOINT_URL_S3": faults.endpoint}
        faults.busy = 2
        store.apply(*words, "-o", f"s3://{BUCKET}/busy", "--retry", "3", **through)
        store.check_outputs("busy/", reference)
        faults.busy = 1 << 30
        store.refuse(75, "SlowDown", "apply", *words, "-o", "stormy", "--retry", "0", **through)
        faults.busy = 0
        faults.has_expired = True
        session = through | {"AWS_SESSION_TOKEN": TOKEN}
        store.refuse(1, "session has ended", "apply", *words, "-o", "expired", **session)
        faults.has_expired = False
    with proxy(store.server.endpoint) as faults:
        through = {"AWS_ENDPOINT_URL_S3": faults.endpoint}
        faults.cut = 20_000
        faults.loses_answers = True
        summary = store.apply(*words, "-o", f"s3://{BUCKET}/lost", "--retry", "3", **through)
        check(summary["done"] == len(NAMES), f"lost answers: {summary}")
        store.check_outputs("lost/", reference)
        check(faults.requests("GET") > 2 * len(NAMES), "no read was continued")
        count = faults.requests("PUT")
        store.apply(*words, "-o", f"s3://{BUCKET}/lost", **through)
        check(faults.requests("PUT") == count, "a run over finished outputs wrote some")
    return "busy, expired, cut off and lost answers"


CHECKS = [check_round_trip, check_refusals, check_shards, check_kill, check_parts, check_faults]


def fill(store: Store, photos: list[Path]) -> Path:
    """Writes the photos into the bucket, and returns a folder of what a run over files makes of them."""
    local = store.folder / "photos"
    for name, photo in zip(NAMES, photos, strict=False):
        path = local / f"{name}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(photo, path)
        store.put(f"in/{name}.jpg", photo.read_bytes())
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda index: store.put(f"in/other/{index:04}.txt", b"text"), range(OTHERS)))
    reference = store.folder / "reference"
    store.run("apply", "-f", "sepia", "-d", "cpu", "--no-journal", "-o", str(reference), str(local))
    return reference


def check_server(server: Server, tool: Path, photos: list[Path], folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    store = Store(server, tool, folder)
    reference = fill(store, photos)
    for one in CHECKS:
        start = time.monotonic()
        text = one(store, reference)
        print(
            f"{server.name} {one.__name__.removeprefix('check_')}: {text} ({time.monotonic() - start:.1f} s)"
        )


def main() -> int:
    tool, photos, folder = (
        Path(sys.argv[1]).resolve(),
        sorted(Path(sys.argv[2]).glob("*.jpg")),
        Path(sys.argv[3]),
    )
    folder.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with moto(folder / "moto-server", Path(sys.executable)) as server:
            check_server(server, tool, photos, folder / "moto")
        with swift(folder / "swift-server") as server:
            check_server(server, tool, photos, folder / "swift")
    except TestFailedError as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
