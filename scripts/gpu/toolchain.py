"""Compiles OpenCL C to the machine code of NVIDIA GPUs, without a GPU or a driver.

clang makes PTX, as a driver's front end does; NVIDIA's own assembler makes machine code of it, which its
disassembler prints. A driver's compiler may be older or newer: figures are close to a driver's, not its own.
"""

import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRATCH = ROOT / ".build" / "gpu-code"
CLANG = "clang-19"
# The definitions of OpenCL C's built-in functions, from Debian's libclc-19.
BUILTINS = Path("/usr/lib/clc/nvptx64--nvidiacl.bc")
# From PyPI. Their own dependencies are for CUDA C++, which is not needed.
PACKAGES = ("nvidia-cuda-nvcc==13.5.37", "nvidia-cuda-nvdisasm==13.5.37")
ARCHITECTURES = ("sm_80", "sm_90")

INSTRUCTION = re.compile(r"^\s+/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P[0-9T]+\s+)?(\w[\w.]*)([^;]*)")
LABEL = re.compile(r"^(\.L_x_\d+):")
KERNEL = re.compile(r"^\.text\.(\w+):")
PROPERTIES = re.compile(
    r"Compiling entry function '(?P<kernel>\w+)'.*?"
    r"(?P<stack>\d+) bytes stack frame, (?P<stores>\d+) bytes spill stores, "
    r"(?P<loads>\d+) bytes spill loads.*?"
    r"Used (?P<registers>\d+) registers",
    re.DOTALL,
)


class ToolError(Exception):
    """A tool that failed, with its own words."""


@dataclass
class Instruction:
    operation: str
    operands: str


@dataclass
class Kernel:
    """The machine code of a kernel."""

    name: str
    registers: int
    stack_bytes: int
    spilled_bytes: int
    instructions: list[Instruction] = field(default_factory=list)
    # The instructions of each innermost loop, from its first to its branch back.
    loops: list[list[Instruction]] = field(default_factory=list)

    @property
    def size(self) -> int:
        return len(self.instructions)


@dataclass
class Compiled:
    ptx: str
    kernels: list[Kernel]


def run(*command: str | Path, text: str | None = None) -> subprocess.CompletedProcess:
    result = subprocess.run(command, capture_output=True, text=True, input=text, check=False)
    if result.returncode != 0:
        raise ToolError(
            f"{Path(command[0]).name} ended with status {result.returncode}:\n{result.stderr[:2000]}"
        )
    return result


def install() -> Path:
    """Installs NVIDIA's tools in a virtual environment below .build/.

    Returns: the folder of their programs.
    """
    version = PACKAGES[0].partition("==")[2]
    environment = SCRATCH / f"tools-{version}"
    done = environment / "complete"
    if not done.exists():
        print("Installing NVIDIA's assembler and disassembler from PyPI", flush=True)
        run("/usr/bin/python3", "-m", "venv", environment)
        pip = (environment / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps")
        run(*pip, *PACKAGES)
        done.touch()
    return next(environment.glob("lib/python3*/site-packages/nvidia/cu*/bin"))


class Toolchain:
    def __init__(self) -> None:
        self.tools = install()

    def compile(
        self, source: Path, architecture: str, options: str, assembler_options: tuple[str, ...] = ()
    ) -> Compiled:
        """Compiles a program, with the options that a driver gets.

        Raises: ToolError.
        """
        # `-cl-std` and its like have the same names in clang. A driver optimises unless it is told not to.
        ptx_file = source.with_suffix(f".{architecture}.ptx")
        run(
            *(CLANG, "-x", "cl", *options.split(), "-O3", "--target=nvptx64-nvidia-cuda"),
            *(f"-march={architecture}", "-S", "-w", "-fno-crash-diagnostics"),
            *("-Xclang", "-mlink-builtin-bitcode", "-Xclang", BUILTINS, source, "-o", ptx_file),
        )
        binary = source.with_suffix(f".{architecture}.cubin")
        log = run(
            *(self.tools / "ptxas", "-v", f"-arch={architecture}", *assembler_options),
            *(ptx_file, "-o", binary),
        )
        listing = run(self.tools / "nvdisasm", "-c", binary).stdout
        return Compiled(ptx_file.read_text(), self.kernels(log.stderr + log.stdout, listing))

    @staticmethod
    def kernels(log: str, listing: str) -> list[Kernel]:
        kernels = {
            match["kernel"]: Kernel(
                match["kernel"],
                int(match["registers"]),
                int(match["stack"]),
                int(match["stores"]) + int(match["loads"]),
            )
            for match in PROPERTIES.finditer(log)
        }
        for name, lines in sections(listing).items():
            if name not in kernels:
                raise ToolError(f"ptxas does not report the registers of {name}")
            add_instructions(kernels[name], lines)
        if not kernels or any(not kernel.instructions for kernel in kernels.values()):
            raise ToolError("the disassembly lacks kernels")
        return list(kernels.values())


def sections(listing: str) -> dict[str, list[str]]:
    """The lines of each kernel's code."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in listing.splitlines():
        if match := KERNEL.match(line):
            lines = found.setdefault(match[1], [])
        else:
            lines.append(line)
    return found


def add_instructions(kernel: Kernel, lines: list[str]) -> None:
    """Adds a kernel's instructions and loops, without the padding after its end."""
    labels: dict[str, int] = {}
    branches: list[tuple[int, int]] = []
    for line in lines:
        if match := LABEL.match(line):
            labels[match[1]] = len(kernel.instructions)
        elif match := INSTRUCTION.match(line):
            operation, operands = match[2], match[3]
            if operation == "NOP":
                continue
            target = re.search(r"`\((\.L_x_\d+)\)", operands)
            if operation == "BRA" and target and target[1] in labels:
                branches.append((labels[target[1]], len(kernel.instructions)))
            kernel.instructions.append(Instruction(operation, operands))
    # An endless loop of one branch marks the code's end.
    loops = [(first, last) for first, last in branches if first != last]
    if branches and branches[-1][0] == branches[-1][1]:
        kernel.instructions.pop()
    kernel.loops = [
        kernel.instructions[first : last + 1]
        for first, last in loops
        if not any(first <= other[0] and other[1] <= last and other != (first, last) for other in loops)
    ]


def fail(message: str) -> None:
    print(f"error: {message}", file=sys.stderr)
    sys.exit(1)
