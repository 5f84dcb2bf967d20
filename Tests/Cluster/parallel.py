"""Cluster/parallel/run with GNU parallel on this machine, while a shard is killed."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import processes
from batch import ROOT, Batch, Photos, Tool
from checks import check, wait_for

RUN = ROOT / "Cluster/parallel/run"
SHARDS = 4


def run(tool: Tool, photos: Photos, folder: Path, namespaces: bool) -> None:
    """A shard that is killed is tried again; one that is killed too often is done by a second run."""
    batch = Batch(tool, photos, folder / "run 1", 96)
    first = start(batch, "--retries", "1")
    index = kill_shard(batch)
    output, _ = first.communicate()
    check(first.returncode == 1, f"a shard was killed, and the run ended with {first.returncode}:\n{output}")
    missing = batch.count - len(batch.written())
    check(missing > 0, f"shard {index} was killed, and no output is missing")
    check(
        f"{missing} missing" in output, f"the run does not say that {missing} outputs are missing:\n{output}"
    )

    second = start(batch)
    output, _ = second.communicate()
    check(second.returncode == 0, f"the second run ended with {second.returncode}:\n{output}")
    batch.check_complete()
    batch.remove()

    batch = Batch(tool, photos, folder / "run 2", 96)
    again = start(batch)
    kill_shard(batch)
    output, _ = again.communicate()
    check(
        again.returncode == 0,
        f"a killed shard was not tried again; the run ended with {again.returncode}:\n{output}",
    )
    batch.check_complete()
    print(
        f"parallel: shard {index} killed with {missing} photos missing, "
        f"{len(batch.written())} of {batch.count} outputs, {len(batch.differing())} differing",
        flush=True,
    )


def start(batch: Batch, *options: str) -> subprocess.Popen:
    command = [RUN, batch.manifest, str(SHARDS), "--jobs", "2", *options]
    environment = os.environ | {"HOME": str(batch.folder)}
    return subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def kill_shard(batch: Batch) -> str:
    """Kills a shard that has photos done and photos left. Returns its name, such as `1/4`."""
    return wait_for("a shard in mid-work", lambda: _killed_shard(batch))


def _killed_shard(batch: Batch) -> str | None:
    for pid in processes.descendants():
        words = processes.arguments(pid)
        if words[1:2] != ["apply"] or "--shard" not in words:
            continue
        shard = words[words.index("--shard") + 1]
        processes.pause([pid])
        done = batch.done_by_shard().get(shard, 0)
        if processes.is_running(pid) and 0 < done < batch.count // SHARDS - 2:
            processes.send([pid], signal.SIGKILL)
            return shard
        processes.send([pid], signal.SIGCONT)
    return None
