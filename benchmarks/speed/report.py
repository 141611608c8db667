"""The table, on the screen and in files."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, fields
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.table import Table

from benchmarks.speed.material import Material
from benchmarks.speed.row import Row
from gleanner.benchmark.machine import processor
from gleanner.model.precision import resolve

MARKS = {True: "yes", False: "NO", None: ""}


def show(rows: Sequence[Row], console: Console) -> None:
    """On a terminal."""
    table = Table("what", "measured", "bound", "ok", "numbers")
    for row in rows:
        table.add_row(
            row.what, row.measured, row.bound, MARKS[row.ok], row.detail, style="red" if row.ok is False else ""
        )
    console.print(table)


def keep(part: str, parts: Sequence[str], rows: Sequence[Row], facts: dict[str, Any], folder: Path) -> None:
    """As `speed.md` and `speed.json`, in the place of what was measured of this part before."""
    folder.mkdir(exist_ok=True)
    kept: dict[str, list[Row]] = {part: list(rows)}
    if (folder / "speed.json").exists():
        for record in json.loads((folder / "speed.json").read_text(encoding="utf-8"))["rows"]:
            if record["part"] != part:
                own = {field.name: record[field.name] for field in fields(Row)}
                kept.setdefault(record["part"], []).append(Row(**own))
    ordered = [(name, row) for name in parts for row in kept.get(name, ())]
    lines = [
        "# Speed and memory",
        "",
        *(f"- {name}: {value}" for name, value in facts.items()),
        "",
        "| what | measured | bound | ok | numbers |",
        "|---|---|---|---|---|",
        *(f"| {row.what} | {row.measured} | {row.bound} | {MARKS[row.ok]} | {row.detail} |" for _, row in ordered),
    ]
    (folder / "speed.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    record = {"facts": facts, "rows": [{"part": name} | asdict(row) | {"ok": row.ok} for name, row in ordered]}
    (folder / "speed.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


def circumstances(material: Material) -> dict[str, Any]:
    """What the numbers depend on."""
    packages = ("gleanner", "torch", "transformers", "tokenizers", "numpy")
    return {
        "last measured": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "command": "python -m benchmarks.speed, each part in a process of its own",
        "encoder": Path(material.encoder).name,
        "corpus": material.source,
        "processor": processor(),
        "cores": os.cpu_count(),
        "threads": torch.get_num_threads(),
        "precision": resolve("auto", torch.device("cpu")),
        "versions": f"python {platform.python_version()}, " + ", ".join(f"{p} {version(p)}" for p in packages),
    }
