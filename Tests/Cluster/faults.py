"""Faults that strike a batch while Slurm runs it, each with proof that it did."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from pathlib import Path

import processes
from batch import Batch, read_log
from checks import check, wait_for
from slurm import FAR_NODE, Slurm


@dataclass(frozen=True)
class Task:
    """A tintype process that filters a shard."""

    pid: int
    index: int
    node: str
    # How often Slurm has started the shard before.
    restarts: int


class Strike:
    """The faults of one run: `array` is the job of `batch` in `shards` shards."""

    def __init__(self, slurm: Slurm, batch: Batch, array: int, shards: int) -> None:
        self.slurm, self.batch, self.array, self.shards = slurm, batch, array, shards
        self.struck: list[str] = []
        # The task that a node went on with while it was cut off.
        self.cut_off: Task | None = None

    def tasks(self) -> list[Task]:
        """The tintype processes of the array that are running or paused."""
        found = []
        for pid in processes.descendants():
            if processes.arguments(pid)[1:2] != ["apply"] or not processes.is_running(pid):
                continue
            variables = processes.environment(pid)
            if variables.get("SLURM_ARRAY_JOB_ID") != str(self.array):
                continue
            # Each node has one GPU, the first of its own.
            gpu = variables.get("CUDA_VISIBLE_DEVICES")
            check(gpu == "0", f"Slurm gave a task the GPU {gpu} instead of 0")
            index, node = int(variables["SLURM_ARRAY_TASK_ID"]), variables["SLURMD_NODENAME"]
            found.append(Task(pid, index, node, int(variables.get("SLURM_RESTART_COUNT", "0"))))
        return found

    def left(self, task: Task) -> int:
        """The photos of the task's shard without a receipt."""
        done = self.batch.done_by_shard().get(f"{task.index + 1}/{self.shards}", 0)
        return self.batch.count // self.shards - done

    def pause_task(self, *nodes: str) -> Task:
        """Pauses a task of one of these nodes that is in mid-work: with photos done, and with photos left."""
        return wait_for(f"a task of {' or '.join(nodes)} in mid-work", lambda: self._paused(nodes))

    def _paused(self, nodes: tuple[str, ...]) -> Task | None:
        for task in self.tasks():
            if task.node not in nodes or self.receipts(task) < 1:
                continue
            processes.pause([task.pid])
            # A task that has begun to end has closed its journal.
            if self.left(task) >= 2 and processes.is_running(task.pid) and self.journal(task):
                return task
            processes.send([task.pid], signal.SIGCONT)
        return None

    def journal(self, task: Task) -> Path | None:
        """The journal that a task has open."""
        try:
            files = [entry.readlink() for entry in Path(f"/proc/{task.pid}/fd").iterdir()]
        except OSError:
            return None
        folder = self.batch.outputs.resolve() / ".tintype/shards"
        return next((file for file in files if file.is_relative_to(folder)), None)

    def receipts(self, task: Task) -> int:
        journal = self.journal(task)
        return count_receipts(journal) if journal else 0

    def restarts(self, index: int) -> int:
        job = self.slurm.task_job(self.array, index)
        return int(job["Restarts"]) if job else 0

    def wait_for_requeue(self, index: int, earlier: int) -> None:
        wait_for(f"Slurm to queue task {index} again", lambda: self.restarts(index) > earlier)

    # Faults.

    def kill_task(self, *nodes: str) -> None:
        """Kills a task that is filtering. Its job script queues it again."""
        task = self.pause_task(*nodes)
        earlier = self.restarts(task.index)
        self._kill_paused(task)
        self.wait_for_requeue(task.index, earlier)
        self._note(f"task {task.index} killed")

    def _kill_paused(self, task: Task) -> None:
        check(self.left(task) > 0, "the task had no photos left")
        processes.send([task.pid], signal.SIGKILL)
        wait_for("the task's end", lambda: not processes.is_running(task.pid))

    def kill_node(self, node: str) -> None:
        """Kills a node's daemon and all of its processes, as a crash does, and starts the node anew."""
        task = self.pause_task(node)
        earlier = self.restarts(task.index)
        all_tasks = [each.pid for each in self.tasks() if each.node == node]
        steps = self.slurm.step_daemons(node, all_tasks)
        check(len(steps) > len(all_tasks), f"{node} has no daemons of steps")
        processes.pause(steps)
        self.slurm.kill(node)
        processes.send(steps, signal.SIGKILL)
        wait_for("the node's processes to end", lambda: not any(map(processes.is_running, steps)))
        check(self.left(task) > 0, "the node's task had no photos left")
        self._wait_for_outputs(2, f"the other nodes to go on without {node}")
        wait_for(f"{node} to be DOWN", lambda: self.slurm.is_down(node))
        self.wait_for_requeue(task.index, earlier)
        self.slurm.start_node(node, "-b")
        wait_for(f"{node} to be back", lambda: self.slurm.is_up(node))
        self._note(f"{node} killed with task {task.index}")

    def kill_controller(self, node: str, other: str) -> None:
        """Kills the controller. Tasks go on without it; one that is killed meanwhile is queued again."""
        task = self.pause_task(node)
        earlier = self.restarts(task.index)
        self.slurm.wait_until_saved()
        witness = self.pause_task(other)
        journal = self.journal(witness)
        check(journal, "a paused task has closed its journal")
        before = count_receipts(journal)
        self.slurm.kill("slurmctld")
        check(not self.slurm.has_controller(), "the controller lives on")
        self._kill_paused(task)
        processes.send([witness.pid], signal.SIGCONT)
        wait_for("a task to go on without the controller", lambda: count_receipts(journal) > before)
        # Paused, because the node of a task that ended now might stay busy until Slurm reports the end again.
        processes.pause([witness.pid])
        log = self.batch.folder / f"tintype-{self.array}_{task.index}.log"
        wait_for(
            "the task's script to ask in vain",
            lambda: read_log(log).partition("queued again.\n")[2],
        )
        check(not self.slurm.has_controller(), "the controller lives on")
        self.slurm.start_controller()
        processes.send([witness.pid], signal.SIGCONT)
        self.wait_for_requeue(task.index, earlier)
        self._note(f"slurmctld killed, and task {task.index} meanwhile")

    def _wait_for_outputs(self, count: int, what: str) -> None:
        before = len(self.batch.written())
        wait_for(what, lambda: len(self.batch.written()) >= before + count)

    def _note(self, fault: str) -> None:
        """A fault counts only if photos were still missing after it."""
        missing = self.batch.count - len(self.batch.written())
        check(missing > 0, f"all photos were done before this fault had struck: {fault}")
        self.struck.append(f"{fault} ({missing} photos missing)")


class CutOff:
    """A node that nobody reaches any more, although it works on: Slurm starts its task again elsewhere.

    The task is paused after its first photos until the second run of its shard has begun. So both are at
    work on the same photos, however fast the machine is.
    """

    def __init__(self, strike: Strike) -> None:
        check(strike.slurm.network, "there is no network to cut")
        self.strike = strike
        self.task = strike.cut_off = strike.pause_task(FAR_NODE)
        self.earlier = strike.restarts(self.task.index)
        # So that the second run begins when the test is ready to look.
        strike.slurm.hold(strike.array, self.task.index)
        strike.slurm.network.cut()
        before = strike.receipts(self.task)
        processes.send([self.task.pid], signal.SIGCONT)
        wait_for("the cut-off task to go on", lambda: strike.receipts(self.task) > before)
        processes.pause([self.task.pid])
        check(strike.left(self.task) > 0, "the cut-off task had no photos left")

    def twin(self) -> Task | None:
        """The second run of the shard, on another node, once it has its journal."""
        return next(
            (
                task
                for task in self.strike.tasks()
                if task.index == self.task.index and task.node != FAR_NODE and self.strike.journal(task)
            ),
            None,
        )

    def end(self, mend_at_once: bool) -> None:
        """Lets both runs of the shard work, and brings the node back: at once, or when its task has ended."""
        strike, network = self.strike, self.strike.slurm.network
        check(network, "there is no network to mend")
        wait_for(f"{FAR_NODE} to be DOWN", lambda: strike.slurm.is_down(FAR_NODE))
        strike.wait_for_requeue(self.task.index, self.earlier)
        strike.slurm.release_first(strike.array, self.task.index)
        twin = wait_for("the cut-off shard to run elsewhere", self.twin)
        processes.pause([twin.pid])
        check(twin.restarts > self.earlier, "the second run does not know that it is one")
        check(strike.left(twin) > 0, "the second run had no photos left")
        journal = strike.journal(self.task)
        check(journal, "the cut-off task has closed its journal")
        before = count_receipts(journal)
        processes.send([self.task.pid, twin.pid], signal.SIGCONT)
        wait_for("the cut-off task to write beside the second run", lambda: count_receipts(journal) > before)
        if not mend_at_once:
            wait_for("the cut-off task to end", lambda: not processes.is_running(self.task.pid))
        network.mend()
        wait_for(f"{FAR_NODE} to be back", lambda: strike.slurm.is_up(FAR_NODE))
        wait_for("the cut-off task to end", lambda: not processes.is_running(self.task.pid))
        written = count_receipts(journal)
        strike.struck.append(
            f"{FAR_NODE} cut off with task {self.task.index} ({written} receipts of its own)"
        )


def count_receipts(journal: Path) -> int:
    return journal.read_bytes().count(b'"state":"done"')
