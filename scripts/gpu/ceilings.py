"""The registers and instructions that programs may need: ceilings.json."""

import json
from dataclasses import dataclass
from pathlib import Path

from toolchain import Kernel

CEILINGS = Path(__file__).with_name("ceilings.json")
# By architecture, program and kernel: registers and instructions.
Ceilings = dict[str, dict[str, dict[str, list[float]]]]


@dataclass(frozen=True)
class Cost:
    """What ceilings.json limits: registers, and instructions of a pixel, or of a work-item that computes
    one value. Those of a loop count once."""

    registers: int
    instructions: float

    @classmethod
    def of(cls, kernel: Kernel, block_pixels: int | None) -> "Cost":
        return cls(kernel.registers, round(kernel.size / (block_pixels or 1), 1))


def exceeded(program: str, kernel: str, cost: Cost, ceilings: dict[str, dict[str, list[float]]]) -> list[str]:
    """Which ceilings a kernel exceeds. A kernel without one exceeds it."""
    if program not in ceilings or kernel not in ceilings[program]:
        return [f"{kernel}: no ceiling is recorded"]
    registers, instructions = ceilings[program][kernel]
    found = []
    if cost.registers > registers:
        found.append(f"{kernel}: {cost.registers} registers, more than {registers:g}")
    if cost.instructions > instructions:
        found.append(f"{kernel}: {cost.instructions:g} instructions, more than {instructions:g}")
    return found


def lowered(measured: Ceilings, recorded: Ceilings) -> list[str]:
    """The kernels that need less than is recorded, and recorded programs that are gone."""
    found = []
    for architecture, programs in recorded.items():
        for name, kernels in programs.items():
            for kernel, ceiling in kernels.items():
                cost = measured.get(architecture, {}).get(name, {}).get(kernel)
                if (
                    cost is None
                    or cost != ceiling
                    and all(a <= b for a, b in zip(cost, ceiling, strict=True))
                ):
                    found.append(f"{kernel} of {name}, {architecture}")
    return found


def text_of(ceilings: Ceilings) -> str:
    """JSON with a program a line."""

    def lines(programs: dict) -> str:
        return ",\n".join(f"  {json.dumps(name)}: {json.dumps(programs[name])}" for name in sorted(programs))

    parts = [f"{json.dumps(name)}: {{\n{lines(programs)}\n}}" for name, programs in ceilings.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"
