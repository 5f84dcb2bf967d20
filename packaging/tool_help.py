"""What the tool's help says, as `--experimental-dump-help` gives it to other programs."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from itertools import groupby


def read_help(tool: str) -> dict:
    """The help of the tool itself; `subcommands` has that of each."""
    return json.loads(subprocess.check_output([tool, "--experimental-dump-help"]))["command"]


def shown_subcommands(root: dict) -> list[dict]:
    """The subcommands that help lists, without `help` itself."""
    shown = [each for each in root["subcommands"] if each["shouldDisplay"]]
    return [each for each in shown if each["commandName"] != "help"]


def flags(argument: dict) -> list[str]:
    """A flag's names as they are typed, the short one first: `-o`, `--output`."""
    names = sorted(argument["names"], key=lambda name: name["kind"] == "long")
    return [("--" if name["kind"] == "long" else "-") + name["name"] for name in names]


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


def sections(command: dict) -> Iterator[tuple[str, list[dict]]]:
    """A subcommand's shown arguments below the titles that help gives them."""
    shown = [argument for argument in command.get("arguments", []) if argument["shouldDisplay"]]
    for title, arguments in groupby(merged(shown), lambda each: each.get("sectionTitle", "Options")):
        yield title, list(arguments)


def description(argument: dict) -> str:
    """What an argument does, with what it takes where nothing is given, as the help says it."""
    text = argument.get("abstract", "")
    values = argument.get("allValues")
    if values:
        text += f" (values: {', '.join(values)})"
    if "defaultValue" in argument and argument["kind"] == "option":
        text += f" (default: {argument['defaultValue']})"
    return text


def operands(command: dict, style: Callable[[str], str]) -> str:
    """A subcommand's positional arguments as its usage has them, each value in a style."""
    text = ""
    for argument in command.get("arguments", []):
        if argument["kind"] == "positional" and argument["shouldDisplay"]:
            value = style(argument["valueName"]) + (" ..." if argument["isRepeating"] else "")
            text += f" [{value}]" if argument["isOptional"] else f" {value}"
    return text
