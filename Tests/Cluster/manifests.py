#!/usr/bin/env python3
"""Checks the files for Kubernetes and AWS Batch against the services' own schemas, which two packages bring.

usage: manifests.py JOB_DEFINITION YAML...      Prints the parsed YAML documents as JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import botocore.loaders
import botocore.model
import botocore.validate
import kubernetes_validate
import yaml

# The oldest that `backoffLimitPerIndex` needs, and the newest that the package knows.
VERSIONS = ["1.29", kubernetes_validate.latest_version()]


def main(definition: Path, files: list[Path]) -> None:
    check_job_definition(json.loads(definition.read_text()))
    documents = [document for file in files for document in yaml.safe_load_all(file.read_text())]
    for document in documents:
        for version in VERSIONS:
            kubernetes_validate.validate(document, version, strict=True)
    json.dump(documents, sys.stdout)


def check_job_definition(definition: dict) -> None:
    """As `aws batch register-job-definition` does before it sends the definition."""
    description = botocore.loaders.Loader().load_service_model("batch", "service-2")
    operation = botocore.model.ServiceModel(description, "batch").operation_model("RegisterJobDefinition")
    botocore.validate.validate_parameters(definition, operation.input_shape)


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
    except (kubernetes_validate.ValidationError, botocore.validate.ParamValidationError) as error:
        sys.exit(f"error: {error}")
