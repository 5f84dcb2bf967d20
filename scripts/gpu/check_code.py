#!/usr/bin/env python3
"""Checks the machine code that OpenCL programs become on NVIDIA GPUs, without a GPU.

usage: scripts/gpu/check_code.py PROGRAMS [--all] [--renew]

PROGRAMS is the tool `kernel-programs`, which writes the programs' texts. Each is compiled for every
architecture of toolchain.py. An error is

- a multiply-add of floats, or an operation that ptxas may contract into one: bytes would differ from the
  CPU's;
- a float operation other than + - *, or one that flushes small numbers to zero;
- a register spilled to memory, or a stack in memory;
- more registers or instructions than ceilings.json permits. --renew writes that file anew, for a change
  that needs more, and after one that needs less.

Without --all, the programs are those of `tintype conformance --quick`, which ceilings.json lists. With it,
spills are counted, but no error: rare layouts have blocks of 32 pixels, too large for some point filters.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ceilings import CEILINGS, Ceilings, Cost, exceeded, lowered, text_of
from rules import broken_rules
from self_check import self_check
from toolchain import ARCHITECTURES, SCRATCH, Compiled, Toolchain, ToolError


@dataclass
class Program:
    name: str
    path: Path
    # The pixels of a work-item that takes a block.
    block_pixels: int | None


def written_programs(tool: str, all_programs: bool) -> tuple[str, list[Program]]:
    """Lets the tool write the programs.

    Returns: the options that drivers get, and the programs.
    """
    folder = SCRATCH / ("all" if all_programs else "quick")
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([tool, folder, *(["all"] if all_programs else [])], check=True)
    index = json.loads((folder / "index.json").read_text())
    programs = [
        Program(each["name"], folder / each["file"], each.get("blockPixels")) for each in index["programs"]
    ]
    return index["options"], programs


def compiled_programs(
    toolchain: Toolchain, options: str, programs: list[Program]
) -> list[tuple[Program, str, Compiled | ToolError]]:
    def compile_one(job: tuple[Program, str]) -> tuple[Program, str, Compiled | ToolError]:
        program, architecture = job
        try:
            return program, architecture, toolchain.compile(program.path, architecture, options)
        except ToolError as error:
            return program, architecture, error

    jobs = [(program, architecture) for program in programs for architecture in ARCHITECTURES]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(compile_one, jobs))


def main() -> int:
    parser = argparse.ArgumentParser(description="Checks the code of OpenCL programs for NVIDIA GPUs.")
    parser.add_argument("tool", metavar="PROGRAMS", help="the tool kernel-programs")
    scope = parser.add_mutually_exclusive_group()
    scope.add_argument("--all", action="store_true", help="every program, not only those with ceilings")
    scope.add_argument("--renew", action="store_true", help="write ceilings.json anew")
    arguments = parser.parse_args()
    begin = time.monotonic()
    toolchain = Toolchain()
    options, programs = written_programs(arguments.tool, arguments.all)
    sepia = next(each for each in programs if each.name == "filter_points.cl ycc 2x2 to ycc 2x2 sepia")
    self_check(toolchain, options, sepia.path)
    recorded: Ceilings = json.loads(CEILINGS.read_text()) if CEILINGS.exists() else {}
    measured: Ceilings = {architecture: {} for architecture in ARCHITECTURES}
    errors = 0
    spilling: dict[str, int] = {}
    for program, architecture, compiled in compiled_programs(toolchain, options, programs):
        found = [str(compiled)] if isinstance(compiled, ToolError) else []
        if isinstance(compiled, Compiled):
            permitted = sys.maxsize if arguments.all else 0
            found += broken_rules(compiled, permitted)
            if spilled := sum(each.spilled_bytes for each in compiled.kernels):
                spilling[program.name] = spilled
            costs = {each.name: Cost.of(each, program.block_pixels) for each in compiled.kernels}
            measured[architecture][program.name] = {
                name: [cost.registers, cost.instructions] for name, cost in sorted(costs.items())
            }
            ceilings = recorded.get(architecture, {})
            if not arguments.renew and (not arguments.all or program.name in ceilings):
                for name, cost in costs.items():
                    found += exceeded(program.name, name, cost, ceilings)
        for each in found:
            print(f"{program.name}, {architecture}: {each}")
        errors += len(found)
    if arguments.renew:
        CEILINGS.write_text(text_of(measured))
    elif not arguments.all and (lower := lowered(measured, recorded)):
        print(f"{len(lower)} kernels need less than their ceiling, such as {lower[0]}; --renew lowers it.")
    if spilling:
        worst = max(spilling, key=spilling.__getitem__)
        print(f"{len(spilling)} programs spill registers; most, {spilling[worst]} bytes: {worst}")
    print(
        f"{len(programs)} programs for {' and '.join(ARCHITECTURES)}: {errors} errors; "
        f"{time.monotonic() - begin:.0f} s"
    )
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
