"""How far the reading of files is, on a terminal: share, speed, time left."""

from __future__ import annotations

from types import TracebackType

from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

from gleanner.cli.render import err
from gleanner.engine.job import Result


class Bytes:
    """A bar on standard error that goes when all is done. Where standard error is no terminal nothing is shown."""

    def __init__(self, total: int, what: str) -> None:
        console = err()
        columns = (
            TextColumn("{task.fields[records]:,} " + what),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
        )
        self._progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._progress.add_task("", total=total, records=0)
        self._records = 0

    def __enter__(self) -> Bytes:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def __call__(self, result: Result) -> None:
        """After each block."""
        self.add(result.read, result.records)

    def add(self, read: int, records: int) -> None:
        """So many bytes and records more."""
        self._records += records
        self._progress.update(self._task, advance=read, records=self._records)
