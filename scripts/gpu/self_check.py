"""Checks that the rules and ceilings find what they are there to find."""

from pathlib import Path

from ceilings import Cost, exceeded
from rules import broken_rules
from toolchain import ARCHITECTURES, SCRATCH, Toolchain, fail


def self_check(toolchain: Toolchain, options: str, sepia: Path) -> None:
    """Ends the script unless every rule finds what it is there to find.

    `sepia` is a program of Tintype's, which is changed to break a rule.
    """
    text = sepia.read_text()
    contract = "#pragma OPENCL FP_CONTRACT"
    folder = SCRATCH / "self-check"
    folder.mkdir(exist_ok=True)

    def findings(name: str, source: str, assembler_options: tuple[str, ...] = ()) -> str:
        path = folder / f"{name}.cl"
        path.write_text(source)
        compiled = toolchain.compile(path, ARCHITECTURES[0], options, assembler_options)
        return "\n".join(broken_rules(compiled))

    def kernel(statement: str) -> str:
        return (
            f"{contract} OFF\n__kernel void k(__global float *p, float x, float y, int n)"
            f" {{ int i = (int)get_global_id(0); {statement} }}\n"
        )

    approximation = '__asm__("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); p[i] = y;'
    product = '__asm__("mul.f32 %0, %1, %1;" : "=f"(y) : "f"(x)); p[i] = y + x;'
    stack = "float a[64]; for (int j = 0; j < 64; j++) a[(j * n) & 63] = p[j]; p[i] = a[n & 63];"
    cases = {
        "contraction": (text.replace(f"{contract} OFF", f"{contract} ON"), (), "fused multiply-add in PTX"),
        "fma": (kernel("p[i] = fma(p[i], x, y);"), (), "k: a fused multiply-add, 1 times: FFMA"),
        "product": (kernel(product), (), "an operation that ptxas may contract in PTX: mul.f32"),
        "division": (kernel("p[i] = x / y;"), (), "depends on the device"),
        "approximation": (kernel(approximation), (), "k: an approximate function"),
        "stack": (kernel(stack), (), "k: a stack of 256 bytes"),
        "spills": (text, ("--maxrregcount=24",), "bytes of spilled registers"),
    }
    if contract + " OFF" not in text:
        fail("the programs do not forbid contraction")
    for name, (source, assembler_options, expected) in cases.items():
        found = findings(name, source, assembler_options)
        if expected not in found:
            fail(f"self-check: '{name}' was not found, only: {found or 'nothing'}")
    ceilings = {"p": {"k": [10, 20.5]}}
    if exceeded("p", "k", Cost(10, 20.5), ceilings) or not all(
        exceeded("p", "k", cost, ceilings) for cost in (Cost(11, 20.5), Cost(10, 20.6))
    ):
        fail("self-check: ceilings do not hold")
