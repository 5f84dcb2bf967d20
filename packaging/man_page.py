#!/usr/bin/env python3
"""Writes the man page: what `tintype --help` says of each subcommand and flag, and sections of tintype.1.in.

usage: man_page.py TINTYPE > tintype.1
"""

import re
import subprocess
import sys
from pathlib import Path

from tool_help import description, flags, operands, read_help, sections, shown_subcommands


def escaped(text: str) -> str:
    """Text as roff takes it: quotes, hyphens, backslashes print as themselves, lines begin with no macro."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("~", "\\(ti")
    return re.sub(r"^\.", r"\\&.", text, flags=re.MULTILINE)


def discussion(text: str, heading: str) -> str:
    """Help's longer text: lines of capitals are headings, indented ones are printed as they are."""
    lines = []
    is_example = False
    for line in text.splitlines():
        if line.startswith("  ") != is_example and line:
            is_example = not is_example
            lines.append(".PP\n.nf" if is_example else ".fi\n.PP")
        if line.isupper():
            lines.append(f"{heading} {line}")
        elif line:
            lines.append(escaped(line.removeprefix("  ") if is_example else line))
        elif not is_example:
            lines.append(".PP")
    return "\n".join(lines + [".fi"] * is_example)


def italic(value: str) -> str:
    return f"\\fI{escaped(value)}\\fR"


def flag(argument: dict) -> str:
    """An argument as it is typed: `-o, --output <output>`."""
    value = f" {italic(argument['valueName'])}" if argument["kind"] == "option" else ""
    return ", ".join(f"\\fB{escaped(name)}\\fR" for name in flags(argument)) + value


def subcommand(command: dict) -> str:
    """The section of one subcommand."""
    name = command["commandName"]
    usage = f"\\fBtintype {name}\\fR [options]{operands(command, italic)}"
    parts = [f'.SH "{name.upper()}"', usage]
    parts += [".PP", escaped(command["abstract"])]
    if "discussion" in command:
        parts += [".PP", discussion(command["discussion"], ".SS")]
    for title, arguments in sections(command):
        parts.append(f'.SS "{title}"')
        for argument in arguments:
            is_operand = argument["kind"] == "positional"
            name = italic(argument["valueName"]) if is_operand else flag(argument)
            parts += [".TP", name, escaped(description(argument))]
    return "\n".join(parts)


def main() -> None:
    tool = sys.argv[1]
    root = read_help(tool)
    version = subprocess.check_output([tool, "--version"], text=True).split()[0]
    page = (Path(__file__).parent / "tintype.1.in").read_text()
    parts = {
        "VERSION": version,
        "ABSTRACT": escaped(root["abstract"]),
        "DISCUSSION": discussion(root["discussion"], ".SH"),
        "SUBCOMMANDS": "\n".join(subcommand(command) for command in shown_subcommands(root)),
    }
    for name, text in parts.items():
        page = page.replace(f"@{name}@", text)
    print(page, end="")


if __name__ == "__main__":
    main()
