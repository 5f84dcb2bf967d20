"""Batches on a real Slurm, whose parts are killed or cut off meanwhile."""

from __future__ import annotations

import random
import re
import shlex
import time
from collections.abc import Callable
from pathlib import Path

from batch import ROOT, Batch, Photos, Tool, read_log
from checks import check, wait_for
from faults import CutOff, Strike
from network import Network
from slurm import NODES, Slurm

SUBMIT = ROOT / "Cluster/slurm/submit"
VERIFY = ROOT / "Cluster/slurm/verify.sbatch"
RUNS = 5


def run(tool: Tool, photos: Photos, folder: Path, namespaces: bool) -> None:
    """Five runs of 600 photos in 24 shards, in each of which all faults strike, in another order."""
    network = Network() if namespaces else None
    if not network:
        print("slurm: no node is cut off from the network, as --without-namespaces wants it", flush=True)
    with Slurm(folder / "logs", network) as slurm:
        for number in range(1, RUNS + 1):
            batch = Batch(tool, photos, folder / f"run {number}", 600)
            run_batch(
                slurm, batch, 24, f"slurm {number}/{RUNS}", lambda strike, n=number: all_faults(strike, n)
            )
            if number == RUNS:
                lose_outputs(slurm, batch)
            batch.remove()


def run_short(tool: Tool, photos: Photos, folder: Path, namespaces: bool) -> None:
    """One run of 48 photos in 6 shards, in which a task is killed."""
    with Slurm(folder / "logs", None) as slurm:
        batch = Batch(tool, photos, folder / "run 1", 48)
        run_batch(slurm, batch, 6, "slurm-short", lambda strike: strike.kill_task(*NODES))
        lose_outputs(slurm, batch)
        batch.remove()


def all_faults(strike: Strike, seed: int) -> None:
    """The far node is cut off first and comes back last; the others happen meanwhile."""
    dice = random.Random(seed)
    near, other = dice.sample(NODES[:2], 2)
    cut_off = CutOff(strike) if strike.slurm.network else None
    faults = [
        lambda: strike.kill_task(near),
        lambda: strike.kill_node(other),
        lambda: strike.kill_controller(near, other),
    ]
    dice.shuffle(faults)
    for fault in faults:
        fault()
    if cut_off:
        cut_off.end(mend_at_once=seed % 2 == 1)


def run_batch(
    slurm: Slurm, batch: Batch, shards: int, name: str, strike_all: Callable[[Strike], None]
) -> None:
    """Submits a batch as users do, strikes, waits for the end, and prints a line of figures."""
    began = time.monotonic()
    array, verify = submit(slurm, batch.manifest, shards)
    strike = Strike(slurm, batch, array, shards)
    strike_all(strike)
    wait_for_end(slurm, array, verify)

    tasks = slurm.jobs(array)
    states = sorted({task["JobState"] for task in tasks})
    check(
        len(tasks) == shards and states == ["COMPLETED"], f"{len(tasks)} tasks of the array ended as {states}"
    )
    requeues = sum(int(task["Restarts"]) for task in tasks)
    check(requeues >= len(strike.struck), f"{len(strike.struck)} faults, but {requeues} requeues")
    check_verified(slurm, batch, verify)
    temporaries = clear_temporaries(batch, strike)
    batch.check_complete()
    for fault in strike.struck:
        print(f"  {fault}")
    print(
        f"{name}: {time.monotonic() - began:.0f} s, {len(strike.struck)} faults, {requeues} requeues, "
        f"{len(batch.written())} of {batch.count} outputs, {len(batch.differing())} differing, "
        f"{temporaries} temporary files removed",
        flush=True,
    )


def clear_temporaries(batch: Batch, strike: Strike) -> int:
    """Removes the half-written file of the cut-off task, and returns how many there were. No other may be.

    Slurm kills that task when the node is back. The second run of the shard, which has removed what earlier
    runs had left, may have ended by then; so a further one does it.
    """
    found = batch.temporaries()
    for name in found:
        task = strike.cut_off
        own = task and name.startswith(f".tintype-shard{task.index + 1}-of-") and f"-{task.pid}-" in name
        check(own, f"a killed run has left {name}")
        batch.tool.run("apply", "-m", batch.manifest, "--shard", f"{task.index + 1}/{strike.shards}", "-q")
    return len(found)


def submit(slurm: Slurm, manifest: Path, shards: int, program: str | Path = SUBMIT) -> tuple[int, int]:
    """The numbers of the array and of the job that verifies."""
    printed = slurm.run(program, manifest, str(shards), "--gpus=1", "--cpus-per-task=1")
    numbers = re.fullmatch(r"array (\d+), verify (\d+)\n", printed)
    check(numbers, f"submit printed {printed!r}")
    return int(numbers[1]), int(numbers[2])


def wait_for_end(slurm: Slurm, *jobs: int) -> None:
    ended = {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL"}
    for number in jobs:
        wait_for(
            f"job {number} to end",
            lambda n=number: (found := slurm.jobs(n)) and all(job["JobState"] in ended for job in found),
        )


def check_verified(slurm: Slurm, batch: Batch, verify: int) -> None:
    """The job that verifies has found all outputs."""
    log = read_log(batch.folder / f"tintype-verify-{verify}.log")
    state = slurm.jobs(verify)[0]["JobState"]
    check(state == "COMPLETED", f"the job that verifies ended as {state}:\n{log}")
    expected = f"{batch.count} of {batch.count} outputs are there, whole and once"
    check(expected in log, f"the job that verifies said:\n{log}")


def lose_outputs(slurm: Slurm, batch: Batch) -> None:
    """Removes an output and damages another: the job that verifies must fail, and its advice must help."""
    gone, damaged = sorted(batch.written())[:2]
    (batch.outputs / gone).unlink()
    with (batch.outputs / damaged).open("r+b") as file:
        file.seek(1000)
        file.write(b"damage")
    verify = int(
        slurm.run("sbatch", "--parsable", f"--output={batch.folder}/lost.log", VERIFY, batch.manifest, SUBMIT)
    )
    wait_for_end(slurm, verify)
    log = read_log(batch.folder / "lost.log")
    state = slurm.jobs(verify)[0]["JobState"]
    check(state == "FAILED", f"outputs were lost, and the job that verifies ended as {state}:\n{log}")
    for expected in (
        f"missing: {gone}",
        f"damaged: {damaged}",
        f"{batch.count - 2} of {batch.count} outputs",
    ):
        check(expected in log, f"the job that verifies does not say '{expected}':\n{log}")

    (batch.outputs / damaged).unlink()
    advice = re.search(r"run the rest: (.+) SHARDS$", log, re.MULTILINE)
    check(advice, f"the job that verifies gives no advice:\n{log}")
    program, rest = shlex.split(advice[1])
    array, verify = submit(slurm, Path(rest), 2, program)
    wait_for_end(slurm, array, verify)
    log = read_log(batch.folder / f"tintype-verify-{verify}.log")
    check("2 of 2 outputs are there, whole and once" in log, f"the rest was not made:\n{log}")
    batch.check_complete()
