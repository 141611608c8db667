"""What a training showed, kept in the output folder, so that an analysis that was interrupted does not train it again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gleanner.analyse.plan import Run
from gleanner.data.atomic import atomic
from gleanner.errors import InputError
from gleanner.methods.load import build
from gleanner.training.record import make_folder
from gleanner.training.settings import dump


@dataclass(frozen=True)
class Keep:
    """A shelf of results: one file for each method, seed and question, named after what was trained and on what."""

    folder: Path | None
    """None: nothing is kept."""
    say: Callable[[str], None] = lambda text: None
    """Told what is being trained."""

    def __call__(self, run: Run, what: dict[str, Any], make: Callable[[], Any]) -> Any:
        """What `make` returned, now or earlier; `what` is all that it depends on beside the run. Ready for JSON."""
        about = f"{run.name}, seed {run.seed}" + (f", {part}" if (part := what.get("part")) else "")
        path = None if self.folder is None else self.folder / "runs" / f"{_key(run, what)}.json"
        if path is not None and path.exists():
            self.say(f"{about}: is there already")
            return _read(path)
        self.say(about)
        made = make()
        if path is not None:
            make_folder(path.parent)
            with atomic(path) as handle:
                json.dump(made, handle, ensure_ascii=False, allow_nan=False)
        return made


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", path=path, remedy="remove it to train again") from error


def _key(run: Run, what: dict[str, Any]) -> str:
    """A name that says what it is, and a fingerprint of everything."""
    settings = dump(run.settings)
    del settings["data"]  # what the files hold counts, not where they lie
    method = build(run.settings.method)
    settings["method"] = {name: getattr(method, name) for name in method.__dataclass_fields__}
    stated = json.dumps([settings, what, run.settings.method.get("name")], sort_keys=True, default=str)
    parts = [what["analysis"], run.name, *([what["part"]] if "part" in what else []), str(run.seed)]
    return "-".join([*parts, hashlib.blake2b(stated.encode(), digest_size=6).hexdigest()])
