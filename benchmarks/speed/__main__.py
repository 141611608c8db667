"""The command: `python -m benchmarks.speed [--only training] [--quick] [--encoder NAME]`."""

from __future__ import annotations

import argparse
import subprocess
import sys
from importlib import import_module
from time import perf_counter

from rich.console import Console
from transformers.utils import logging

from benchmarks.places import ROOT
from benchmarks.speed.material import Material
from benchmarks.speed.report import circumstances, keep, show
from gleanner.model.precision import best_device

PARTS = (
    "training",
    "methods",
    "two_step",
    "prediction",
    "against_naive",
    "memory",
    "evaluation",
    "startup",
    "reading",
    "dictionaries",
    "lexicon",
    "gazetteer",
    "annotate",
)
"""Modules beside this one, each with a function `rows`."""

RESULTS = ROOT / "benchmarks" / "results"


def main() -> int:
    """The exit code: 1 where a bound is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description="Speed and memory, side by side.")
    parser.add_argument("--only", choices=PARTS, help="measure one part")
    parser.add_argument("--quick", action="store_true", help="a small version, to see that it runs")
    parser.add_argument(
        "--encoder", default="minilm", help="minilm, a folder of GLEANNER_ENCODERS, or a Hugging Face name"
    )
    options = parser.parse_args()
    if best_device().type != "cpu":
        parser.error("it measures processors: hide the GPU, say with CUDA_VISIBLE_DEVICES=")
    if options.only is None:
        return _each(["--quick"] * options.quick + ["--encoder", options.encoder])
    console = Console()
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    material = Material.find(options.encoder, quick=options.quick)
    start = perf_counter()
    rows = list(import_module(f"benchmarks.speed.{options.only}").rows(material))
    console.print(f"{options.only}: {perf_counter() - start:.0f} s", style="dim")
    show(rows, console)
    if not options.quick:
        keep(options.only, PARTS, rows, circumstances(material), RESULTS)
    return int(any(row.ok is False for row in rows))


def _each(options: list[str]) -> int:
    """All parts, each in a process of its own: what the others leave in memory is no part of it."""
    command = [sys.executable, "-m", "benchmarks.speed", *options, "--only"]
    codes = [subprocess.run([*command, part], check=False).returncode for part in PARTS]  # all of them
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
