#!/usr/bin/env python3
"""Writes the man page: what `tintype --help` says of each subcommand and flag, and sections of tintype.1.in.

usage: man_page.py TINTYPE > tintype.1
"""

import json
import re
import subprocess
import sys
from pathlib import Path


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


def flag(argument: dict) -> str:
    """An argument as it is typed: `-o, --output <output>`."""
    value = f" \\fI{escaped(argument['valueName'])}\\fR" if argument["kind"] == "option" else ""
    names = sorted(argument["names"], key=lambda name: name["kind"] == "long")
    dashes = {"long": "--"}
    flags = [escaped(dashes.get(name["kind"], "-") + name["name"]) for name in names]
    return ", ".join(f"\\fB{flag}\\fR" for flag in flags) + value


def merged(arguments: list[dict]) -> list[dict]:
    """The arguments, with a flag and its opposite as one: `--strip, --no-strip`."""
    result: list[dict] = []
    for argument in arguments:
        last = result[-1] if result else {}
        opposite = [{**name, "name": f"no-{name['name']}"} for name in last.get("names", [])]
        if argument["kind"] == "flag" and argument["names"] == opposite:
            result[-1] = {**last, "names": last["names"] + opposite}
        else:
            result.append(argument)
    return result


def description(argument: dict) -> str:
    """What an argument does, with what it takes where nothing is given, as the help says it."""
    text = argument.get("abstract", "")
    values = argument.get("allValues")
    if values:
        text += f" (values: {', '.join(values)})"
    if "defaultValue" in argument and argument["kind"] == "option":
        text += f" (default: {argument['defaultValue']})"
    return escaped(text)


def subcommand(command: dict) -> str:
    """The section of one subcommand."""
    arguments = [argument for argument in command.get("arguments", []) if argument["shouldDisplay"]]
    positional = [argument for argument in arguments if argument["kind"] == "positional"]
    operands = "".join(
        f" [\\fI{escaped(argument['valueName'])}\\fR{' ...' if argument['isRepeating'] else ''}]"
        if argument["isOptional"]
        else f" \\fI{escaped(argument['valueName'])}\\fR"
        for argument in positional
    )
    name = command["commandName"]
    parts = [f'.SH "{name.upper()}"', f"\\fBtintype {name}\\fR [options]{operands}"]
    parts += [".PP", escaped(command["abstract"])]
    if "discussion" in command:
        parts += [".PP", discussion(command["discussion"], ".SS")]
    title = None
    for argument in merged(arguments):
        if argument.get("sectionTitle", "Options") != title:
            title = argument.get("sectionTitle", "Options")
            parts.append(f'.SS "{title}"')
        name = f"\\fI{escaped(argument['valueName'])}\\fR" if argument in positional else flag(argument)
        parts += [".TP", name, description(argument)]
    return "\n".join(parts)


def main() -> None:
    tool = sys.argv[1]
    root = json.loads(subprocess.check_output([tool, "--experimental-dump-help"]))["command"]
    version = subprocess.check_output([tool, "--version"], text=True).split()[0]
    shown = [each for each in root["subcommands"] if each["shouldDisplay"]]
    subcommands = [each for each in shown if each["commandName"] != "help"]
    page = (Path(__file__).parent / "tintype.1.in").read_text()
    parts = {
        "VERSION": version,
        "ABSTRACT": escaped(root["abstract"]),
        "DISCUSSION": discussion(root["discussion"], ".SH"),
        "SUBCOMMANDS": "\n".join(subcommand(command) for command in subcommands),
    }
    for name, text in parts.items():
        page = page.replace(f"@{name}@", text)
    print(page, end="")


if __name__ == "__main__":
    main()
