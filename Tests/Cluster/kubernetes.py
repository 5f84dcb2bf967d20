"""The files for Kubernetes and AWS Batch: checked against schemas, their commands run here task by task."""

from __future__ import annotations

import json
import subprocess
import venv
from pathlib import Path

from batch import ROOT, Batch, Photos, Tool
from checks import check

CLUSTER = ROOT / "Cluster"
TESTS = ROOT / "Tests/Cluster"
ENVIRONMENT = ROOT / ".build/cluster-tests"
# Where the files expect the photos.
MOUNT = "/photos"
PHOTOS = 48
# AWS Batch sets the index of a task. The size of the array is chosen when it is submitted.
BATCH_SHARDS = 6


def run(tool: Tool, photos: Photos, folder: Path, namespaces: bool) -> None:
    job, verify, definition = checked_files()
    container, index_count = job_container(job), job["spec"]["completions"]
    variables = {entry["name"]: entry["value"] for entry in container["env"]}
    check(variables["TINTYPE_SHARD_COUNT"] == str(index_count), "completions and TINTYPE_SHARD_COUNT differ")
    tasks = [variables | {"JOB_COMPLETION_INDEX": str(index)} for index in range(index_count)]
    batch = Batch(tool, photos, folder / "kubernetes", PHOTOS)
    run_tasks(batch, container["args"], tasks, job_container(verify)["args"], "kubernetes")

    indices = [{"AWS_BATCH_JOB_ARRAY_INDEX": str(index)} for index in range(BATCH_SHARDS)]
    tasks = [each | {"TINTYPE_SHARD_COUNT": str(BATCH_SHARDS)} for each in indices]
    batch = Batch(tool, photos, folder / "aws-batch", PHOTOS)
    command = definition["containerProperties"]["command"]
    run_tasks(batch, command, tasks, ["verify", "--manifest", f"{MOUNT}/manifest.jsonl"], "aws-batch")


def checked_files() -> tuple[dict, dict, dict]:
    """The job, the job that verifies, and the job definition, which all follow their schemas."""
    definition = CLUSTER / "aws-batch/job-definition.json"
    files = [CLUSTER / "kubernetes/job.yaml", CLUSTER / "kubernetes/verify.yaml"]
    command = [python(), TESTS / "manifests.py", definition, *files]
    result = subprocess.run(command, capture_output=True, text=True)
    check(result.returncode == 0, f"a file does not follow its schema: {result.stderr}")
    job, verify = json.loads(result.stdout)
    return job, verify, json.loads(definition.read_text())


def job_container(job: dict) -> dict:
    return job["spec"]["template"]["spec"]["containers"][0]


def run_tasks(
    batch: Batch, arguments: list[str], tasks: list[dict[str, str]], verify: list[str], name: str
) -> None:
    """Runs a command once under the variables of each task, then the one that verifies."""
    tool, missing = batch.tool, batch.tool.ask(*here(verify, batch))
    check(missing.returncode == 1, f"no task has run, and verify ended with {missing.returncode}")
    for variables in tasks:
        tool.run(*here(arguments, batch), **variables)
    check_words = f"{batch.count} of {batch.count} outputs are there, whole and once"
    check(check_words in tool.run(*here(verify, batch)), f"{name}: verify does not find all outputs")
    batch.check_complete()
    print(
        f"{name}: {len(tasks)} tasks, {len(batch.written())} of {batch.count} outputs, 0 differing",
        flush=True,
    )
    batch.remove()


def here(arguments: list[str], batch: Batch) -> list[str]:
    """A command's arguments with the folder of the test in place of the mounted one."""
    return [
        f"{batch.folder}{word.removeprefix(MOUNT)}" if word.startswith(f"{MOUNT}/") else word
        for word in arguments
    ]


def python() -> Path:
    """An interpreter with the packages that know the schemas."""
    interpreter = ENVIRONMENT / "bin/python"
    marker = ENVIRONMENT / "requirements.txt"
    wanted = (TESTS / "requirements.txt").read_text()
    if not marker.exists() or marker.read_text() != wanted:
        venv.create(ENVIRONMENT, with_pip=True, clear=True)
        pip = [str(interpreter), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "-r", str(TESTS / "requirements.txt")], check=True)
        marker.write_text(wanted)
    return interpreter
