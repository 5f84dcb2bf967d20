#!/usr/bin/env python3
"""Prints what a package contains and needs: a software bill of materials, SPDX 2.3 in JSON.

usage: packaging/sbom.py VERSION CONTROL DATE

CONTROL is the package's control file. It names the Debian packages that it needs (Depends), and those whose
libraries it has inside, with their versions (Static-Built-Using). DATE is in RFC 5322.
Licences of Swift packages are read from their checkouts.
"""

import hashlib
import json
import re
import subprocess
import sys
from datetime import UTC
from email.utils import parsedate_to_datetime
from pathlib import Path

root = Path(__file__).resolve().parent.parent
# Written into the code of a package, without a version of their own.
embedded = {"swift-nio": [("llhttp", "MIT")]}
# In folders of this repository.
vendored = [
    ("blake3", "1.3.1", "CC0-1.0 OR Apache-2.0", "git+https://github.com/BLAKE3-team/BLAKE3.git@1.3.1")
]


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def licence(package):
    """The SPDX name of a checkout's licence."""
    folder = next(path for path in (root / ".build/checkouts").iterdir() if path.name.lower() == package)
    text = next(folder.glob("LICENSE*")).read_text()
    if "Apache License" in text:
        exception = " WITH Swift-exception" if "Runtime Library Exception" in text else ""
        return "Apache-2.0" + exception
    if "The MIT License" in text:
        return "MIT"
    raise SystemExit(f"error: {folder} has a licence that packaging/sbom.py does not know.")


def entry(name, version, licence, location="NOASSERTION", **fields):
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name),
        "name": name,
        **({"versionInfo": version} if version else {}),
        "downloadLocation": location,
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        **fields,
    }


def purl(text):
    reference = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": text}
    return {"externalRefs": [reference]}


def swift_packages():
    """The packages whose code is in the tool."""
    for pin in json.loads((root / "Package.resolved").read_text())["pins"]:
        name, version = pin["identity"], pin["state"]["version"]
        place = re.sub(r"^https://|\.git$", "", pin["location"])
        location = f"git+https://{place}.git@{pin['state']['revision']}"
        yield entry(name, version, licence(name), location, **purl(f"pkg:swift/{place}@{version}"))
        for part, part_licence in embedded.get(name, []):
            yield entry(part, None, part_licence, comment=f"part of {name} {version}")
    version = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
    yield entry("swift", version, "Apache-2.0 WITH Swift-exception", comment="runtime, Foundation and ICU")


def debian_packages(control, field):
    """The packages that a field names, with the versions there, or those that the tool was linked with."""
    line = re.search(rf"^{field}: (.*)$", control, re.MULTILINE)
    for dependency in line[1].split(", ") if line else []:
        name = dependency.split()[0]
        exact = re.search(r"\(= (.*)\)", dependency)
        version = exact[1] if exact else output("dpkg-query", "--show", "--showformat=${Version}", name)
        yield entry(
            name, version, "NOASSERTION", comment=dependency, **purl(f"pkg:deb/debian/{name}@{version}")
        )


def main():
    version, control, date = sys.argv[1:]
    tool = entry("tintype", version, "Apache-2.0", primaryPackagePurpose="APPLICATION")
    inside = [*swift_packages(), *(entry(*package) for package in vendored)]
    fields = Path(control).read_text()
    needed = list(debian_packages(fields, "Depends"))
    linked = list(debian_packages(fields, "Static-Built-Using"))
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", tool)]
    relations += [(tool["SPDXID"], "CONTAINS", package) for package in inside]
    relations += [(tool["SPDXID"], "DYNAMIC_LINK", package) for package in needed]
    relations += [(tool["SPDXID"], "STATIC_LINK", package) for package in linked]
    packages = [tool, *inside, *needed, *linked]
    digest = hashlib.sha256(json.dumps(packages).encode()).hexdigest()
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"tintype-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/tintype-{version}-{digest[:16]}",
        "creationInfo": {
            "created": f"{parsedate_to_datetime(date).astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
            "creators": ["Tool: packaging/sbom.py"],
        },
        "packages": packages,
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other["SPDXID"]}
            for one, kind, other in relations
        ],
    }
    print(json.dumps(document, indent=2))


main()
