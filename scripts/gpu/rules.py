"""What the machine code of a program must not contain."""

import re

from toolchain import Compiled

# `.rn` tells ptxas to round each operation; it may contract those without it.
PTX_RULES = {
    r"\b(fma|mad)\.\w*\.?\w*\.?f(16|32|64)\b": "a fused multiply-add",
    r"\b(mul|add|sub)\.(?!rn\.)(\w+\.)*f(16|32|64)\b": "an operation that ptxas may contract",
    r"\bdiv\.(?![us]\d)\w": "a division whose result depends on the device",
    r"\b(sqrt|rsqrt|rcp|ex2|lg2|sin|cos|tanh)\.\w": "an operation whose result depends on the device",
    r"\.ftz\b": "an operation that flushes small numbers to zero",
}
# Constants are loaded as HFMA2 with zeros as factors, which multiplies nothing.
SASS_RULES = (
    (re.compile(r"[FD]FMA2?(\.|$)"), re.compile(r"(?!)"), "a fused multiply-add"),
    (re.compile(r"HFMA2(\.|$)"), re.compile(r"-RZ, RZ,"), "a fused multiply-add of halves"),
    (re.compile(r"MUFU(\.|$)"), re.compile(r"(?!)"), "an approximate function"),
    (
        re.compile(r"F(ADD|MUL)2?\..*FTZ"),
        re.compile(r"(?!)"),
        "an operation that flushes small numbers to zero",
    ),
)
# Whole numbers are divided by means of an approximate reciprocal, and the quotient is put right.
WHOLE_DIVISION = re.compile(r"\b(div|rem)\.[us]\d")
RECIPROCAL = "MUFU.RCP"


def broken_rules(compiled: Compiled, spilled_bytes: int = 0) -> list[str]:
    """What a program's code must not contain, and more spilled bytes than it may have."""
    found = []
    for pattern, meaning in PTX_RULES.items():
        if match := re.search(pattern, compiled.ptx):
            found.append(f"{meaning} in PTX: {match[0]}")
    divides = WHOLE_DIVISION.search(compiled.ptx) is not None
    for kernel in compiled.kernels:
        for operation, harmless, meaning in SASS_RULES:
            hits = [
                each
                for each in kernel.instructions
                if operation.match(each.operation)
                and not harmless.search(each.operands)
                and not (divides and each.operation == RECIPROCAL)
            ]
            if hits:
                first = f"{hits[0].operation}{hits[0].operands}".strip()
                found.append(f"{kernel.name}: {meaning}, {len(hits)} times: {first}")
        if kernel.spilled_bytes > spilled_bytes:
            found.append(f"{kernel.name}: {kernel.spilled_bytes} bytes of spilled registers")
        if kernel.stack_bytes > spilled_bytes:
            found.append(f"{kernel.name}: a stack of {kernel.stack_bytes} bytes")
    return found
