"""Filters JPEGs with torchvision, which decodes and encodes by nvJPEG: files to files, sepia of CSS, 4:4:4.

usage: peer_torchvision.py THREADS BATCH INPUT_FOLDER OUTPUT_FOLDER

Prints its seconds, without the interpreter's start and a first batch.
Exit code 3: PyTorch or a GPU is missing.
"""

from __future__ import annotations

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

try:
    import torch
    from torchvision.io import ImageReadMode, decode_jpeg, encode_jpeg, read_file
except ImportError as error:
    print(f"not here: {error}", file=sys.stderr)
    sys.exit(3)

SEPIA = [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]]
QUALITY = 90
own = threading.local()


def main(threads: int, batch: int, source: Path, target: Path) -> None:
    if not torch.cuda.is_available():
        print("not here: PyTorch finds no GPU", file=sys.stderr)
        sys.exit(3)
    matrix = torch.tensor(SEPIA, device="cuda")
    photos = sorted(source.iterdir())
    batches = [photos[first : first + batch] for first in range(0, len(photos), batch)]
    run(batches[0], target, matrix)
    began = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda paths: run(paths, target, matrix), batches))
    print(time.perf_counter() - began)


def run(paths: list[Path], target: Path, matrix: torch.Tensor) -> None:
    if not hasattr(own, "stream"):
        own.stream = torch.cuda.Stream()
    with torch.cuda.stream(own.stream):
        files = [read_file(str(path)) for path in paths]
        photos = decode_jpeg(files, mode=ImageReadMode.RGB, device="cuda")
        for path, file in zip(
            paths, encode_jpeg([sepia(photo, matrix) for photo in photos], QUALITY), strict=True
        ):
            (target / path.name).write_bytes(file.cpu().numpy().tobytes())


def sepia(photo: torch.Tensor, matrix: torch.Tensor) -> torch.Tensor:
    toned = matrix @ photo.flatten(1).float()
    return toned.clamp_(0, 255).round_().to(torch.uint8).view_as(photo)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[4]))
