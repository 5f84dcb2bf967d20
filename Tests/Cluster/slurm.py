"""A private Slurm: munged, slurmctld and three slurmd, with all files in a folder of its own."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import processes
from checks import TestFailedError, check, wait_for
from network import FAR_ADDRESS, MAIN_ADDRESS, Network

NODES = ["n1", "n2", "n3"]
# With a network of two machines, the node on the other one.
FAR_NODE = "n3"
# A priority above that of jobs that nobody has given one.
FIRST = 4294901800
HARDWARE = "CPUs=2 RealMemory=4000 Gres=gpu:1"

# A node that has been silent for `SlurmdTimeout` seconds is DOWN. The hardware is what the file says, so that
# the test is the same on every machine.
CONFIGURATION = """\
ClusterName=tintype
SlurmctldHost={host}({address})
SlurmctldPort={port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket,cred_expire=5
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/logs/slurmctld.log
SlurmdLogFile={folder}/logs/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
SlurmdParameters=config_overrides
ReturnToService=2
SlurmdTimeout=9
SlurmctldTimeout=30
MessageTimeout=5
KillWait=5
"""


class Slurm:
    """Runs until `close`. `network` puts one node on a machine of its own, which can be cut off."""

    def __init__(self, logs: Path, network: Network | None) -> None:
        check(os.geteuid() == 0, "Slurm's daemons need root")
        self.network = network
        # Where the daemons' logs are kept.
        self.logs = logs
        # Paths of sockets are short, wherever the repository is.
        self.folder = Path(tempfile.mkdtemp(prefix="tintype-slurm-"))
        self.daemons: dict[str, subprocess.Popen] = {}
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("SLURM", "SBATCH"))
        } | {"SLURM_CONF": str(self.folder / "slurm.conf")}

    def __enter__(self) -> Slurm:
        try:
            self._start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self) -> None:
        self.folder.chmod(0o755)
        (self.folder / "logs").mkdir()
        self._configure()
        self._start_munge()
        self.start_controller("-c")
        for node in NODES:
            self.start_node(node)
        wait_for("all nodes to be idle", lambda: all(self.node_state(node) == "IDLE" for node in NODES), 60)

    def _configure(self) -> None:
        host = socket.gethostname().split(".")[0]
        check(
            has_address(host),
            f"Slurm needs an address of this machine's name: add '127.0.0.1 {host}' to /etc/hosts",
        )
        address = MAIN_ADDRESS if self.network else "127.0.0.1"
        port, *node_ports = free_ports(1 + len(NODES))
        text = CONFIGURATION.format(host=host, address=address, port=port, folder=self.folder)
        if not self.network:
            # Servers listen on the loopback interface alone. In a private network nobody else can reach them.
            text += "CommunicationParameters=NoInAddrAny,NoCtldInAddrAny\n"
        (self.folder / "state").mkdir()
        for node, node_port in zip(NODES, node_ports, strict=True):
            (self.folder / f"spool-{node}").mkdir()
            at = FAR_ADDRESS if self.is_far(node) else address
            text += f"NodeName={node} NodeHostname={host} NodeAddr={at} Port={node_port} {HARDWARE}\n"
        text += f"PartitionName=all Nodes={','.join(NODES)} Default=YES State=UP\n"
        (self.folder / "slurm.conf").write_text(text)
        # Slurm wants a device, and never opens it.
        (self.folder / "gres.conf").write_text("Name=gpu File=/dev/null Flags=nvidia_gpu_env,opencl_env\n")

    def _start_munge(self) -> None:
        """munged insists on a key and a folder that belong to its own user."""
        folder = self.folder / "munge"
        folder.mkdir()
        (folder / "key").write_bytes(secrets.token_bytes(128))
        (folder / "key").chmod(0o400)
        for path in (folder, folder / "key"):
            shutil.chown(path, "munge", "munge")
        files = {name: f"--{name}-file={folder}/{name}" for name in ("key", "pid", "log", "seed")}
        user = ["--reuid", "munge", "--regid", "munge", "--clear-groups"]
        command = ["setpriv", *user, *processes.DIES_WITH_PARENT[1:], "munged", "--foreground"]
        self._spawn("munged", [*command, f"--socket={folder}/socket", *files.values()])
        wait_for("munged", (folder / "socket").exists, 30)

    def start_controller(self, *options: str) -> None:
        """`-c` forgets the jobs of an earlier one."""
        self._spawn("slurmctld", [*processes.DIES_WITH_PARENT, "slurmctld", "-D", *options])
        wait_for("slurmctld", self.has_controller, 60)

    def wait_until_saved(self) -> None:
        """Until the controller has written its jobs to disk. A crash in the seconds before loses some."""
        state = self.folder / "state/job_state"
        now = time.time()
        wait_for("slurmctld to save its state", lambda: state.exists() and state.stat().st_mtime > now)

    def has_controller(self) -> bool:
        daemon = self.daemons.get("slurmctld")
        check(daemon is None or daemon.poll() is None, f"slurmctld has ended by itself; see {self.logs}")
        return "is UP" in self.ask("scontrol", "ping")

    def start_node(self, node: str, *options: str) -> None:
        """`-b` says that the machine was started anew."""
        self._spawn(
            node, [*processes.DIES_WITH_PARENT, "slurmd", "-D", "-N", node, *options], self.is_far(node)
        )

    def is_far(self, node: str) -> bool:
        return self.network is not None and node == FAR_NODE

    def _spawn(self, name: str, command: list[str], far: bool = False) -> None:
        # Its own session: Ctrl-C is for the test, which then ends the daemons.
        with (self.folder / "logs" / f"{name}.out").open("ab") as output:
            self.daemons[name] = subprocess.Popen(
                self._there(command, far),
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def _there(self, command: list[str], far: bool = False) -> list[str]:
        if self.network is None:
            return command
        return (self.network.far if far else self.network.main).command(*command)

    def ask(self, *command: str | Path) -> str:
        """What a client prints, or nothing if it fails: the controller may be dead."""
        processes.reap(list(self.daemons.values()))
        result = self._client(list(command), {})
        return result.stdout if result.returncode == 0 else ""

    def run(self, *command: str | Path, **variables: str) -> str:
        """What a client prints. Its failure is the test's."""
        result = self._client(list(command), variables)
        check(
            result.returncode == 0,
            f"{command[0]} ended with {result.returncode}:\n{result.stderr}{result.stdout}",
        )
        return result.stdout

    def _client(self, command: list[str | Path], variables: dict[str, str]) -> subprocess.CompletedProcess:
        words = self._there(list(map(str, command)))
        return subprocess.run(words, env=self.environment | variables, capture_output=True, text=True)

    def jobs(self, job: int) -> list[dict[str, str]]:
        """A job's fields, or those of all tasks of an array; empty while the controller is dead."""
        lines = self.ask("scontrol", "show", "job", "-o", str(job)).splitlines()
        return [dict(word.split("=", 1) for word in line.split() if "=" in word) for line in lines if line]

    def task_job(self, array: int, index: int) -> dict[str, str] | None:
        return next((job for job in self.jobs(array) if job.get("ArrayTaskId") == str(index)), None)

    def hold(self, array: int, index: int) -> None:
        """Keeps a task from being started again until it is released."""
        self.run("scontrol", "hold", f"{array}_{index}")

    def release_first(self, array: int, index: int) -> None:
        """Starts a held task before the rest of its array, which Slurm would take first."""
        self.run("scontrol", "release", f"{array}_{index}")
        self.run("scontrol", "update", f"JobId={array}_{index}", f"Priority={FIRST}")

    def node_state(self, node: str) -> str:
        """Such as IDLE, MIXED or DOWN, with flags such as * for a node that does not respond."""
        words = self.ask("scontrol", "show", "node", "-o", node).split()
        return next((word.removeprefix("State=") for word in words if word.startswith("State=")), "")

    def is_down(self, node: str) -> bool:
        return self.node_state(node).startswith("DOWN")

    def is_up(self, node: str) -> bool:
        return self.node_state(node).removesuffix("+COMPLETING") in ("IDLE", "MIXED", "ALLOCATED")

    def step_daemons(self, node: str, tasks: list[int]) -> list[int]:
        """The ancestors of a node's tasks up to Slurm's daemon for the step."""
        found: list[int] = []
        for pid in tasks:
            while pid > 1 and pid != os.getpid() and pid != self.daemons[node].pid:
                found.append(pid)
                if processes.status(pid)[0] == "slurmstepd":
                    break
                pid = processes.status(pid)[1]
        return found

    def kill(self, name: str) -> None:
        """Kills a daemon, which cannot prepare for it."""
        daemon = self.daemons.pop(name)
        if daemon.poll() is not None:
            raise TestFailedError(f"{name} had ended by itself; see {self.logs}")
        daemon.kill()
        daemon.wait()

    def close(self) -> None:
        processes.end_all()
        shutil.rmtree(self.logs, ignore_errors=True)
        shutil.copytree(self.folder / "logs", self.logs)
        shutil.rmtree(self.folder)


def has_address(host: str) -> bool:
    try:
        socket.gethostbyname(host)
    except OSError:
        return False
    return True


def free_ports(count: int) -> list[int]:
    """Ports of the loopback interface that nobody uses now."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports
