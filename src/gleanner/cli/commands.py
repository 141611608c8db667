"""The group of all commands: errors as one line, exit codes, and notes of the library on standard error."""

from __future__ import annotations

import errno
import logging
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from gleanner.cli.render import fail, note
from gleanner.errors import GleannerError


class Commands(TyperGroup):
    """Runs a command and says what became of it: 0, 1 (failure), 2 (bad input), 130 (interrupted)."""

    def invoke(self, ctx: Any) -> Any:
        """The command, with all that a user can meet turned into one line. Only a bug keeps its traceback."""
        handler = _Notes()
        logging.getLogger("gleanner").addHandler(handler)
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()  # a pipe that is closed must be noticed here, not when Python has gone
            return result
        except GleannerError as error:
            fail(str(error))
            raise typer.Exit(error.exit_code) from error
        except KeyboardInterrupt as error:
            fail("interrupted" + _continuation(ctx))
            raise typer.Exit(130) from error
        except MemoryError as error:
            fail("out of memory; use a smaller batch or file, or a larger machine")
            raise typer.Exit(1) from error
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            fail(f"the disk is full: {error.filename or 'nothing more can be written'}; make room on it")
            raise typer.Exit(1) from error
        finally:
            logging.getLogger("gleanner").removeHandler(handler)


class _Notes(logging.Handler):
    """Says each thing once: a file may be read again and again."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._said: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if message not in self._said:
            self._said.add(message)
            note(message)


def _continuation(ctx: Any) -> str:
    resumable = ("annotate", "train", "demo", "analyse", "benchmark")
    return "; run the same command again to go on" if ctx.invoked_subcommand in resumable else ""
