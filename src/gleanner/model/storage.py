"""A model as a folder: safetensors and JSON, written whole or not at all, read without trusting it."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from huggingface_hub import HfApi, snapshot_download
from pydantic import TypeAdapter, ValidationError
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from gleanner.errors import GleannerError, InputError
from gleanner.model.config import FORMAT_VERSION, TaggerConfig
from gleanner.model.transformer import first_line

if TYPE_CHECKING:
    from gleanner.model.tagger import Tagger

T = TypeVar("T")
WEIGHTS = "model.safetensors"
_CONFIG: TypeAdapter[TaggerConfig] = TypeAdapter(TaggerConfig)


def save(tagger: Tagger, folder: Path, card: str | None) -> None:
    """Into a temporary folder beside, then file by file to its place, the configuration last: it makes the folder a model."""
    # The weights go to their place before the encoder's folder does, so one without weights beside it is somebody else's.
    if (folder / "encoder").exists() and not (folder / WEIGHTS).exists():
        raise InputError(
            "this folder holds an 'encoder' that is no model's", path=folder, remedy="choose another folder"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for left in folder.glob(".saving-*"):  # by a run that was killed here
            shutil.rmtree(left, ignore_errors=True)
        made = Path(tempfile.mkdtemp(prefix=".saving-", dir=folder))
    except OSError as error:
        raise InputError(
            f"cannot write the model: {error.strerror}", path=folder, remedy="choose another folder"
        ) from error
    try:
        tagger.encoder.save(made / "encoder")
        weights = {name: tensor.detach().cpu().contiguous() for name, tensor in tagger.state_dict().items()}
        save_file(weights, made / WEIGHTS, metadata={"format": "pt"})
        if card is not None:
            (made / "README.md").write_text(card, encoding="utf-8")
        config = json.dumps(_CONFIG.dump_python(tagger.config, mode="json"), indent=2, ensure_ascii=False)
        (made / "config.json").write_text(config + "\n", encoding="utf-8")
        (folder / "config.json").unlink(missing_ok=True)  # half of an old model and half of a new one are no model
        shutil.rmtree(folder / "encoder", ignore_errors=True)
        for name in ("README.md", WEIGHTS, "encoder", "config.json"):
            if (made / name).exists():
                (made / name).replace(folder / name)
    except Exception as error:  # a full disk has many names: tokenizers raises a bare Exception
        raise InputError(
            f"cannot write the model: {first_line(error)}", path=folder, remedy="make room or choose another folder"
        ) from error
    finally:
        shutil.rmtree(made, ignore_errors=True)


def locate(name: str | Path, revision: str | None) -> Path:
    """The folder itself, or a copy of the hub's repository of that name."""
    folder = Path(name)
    if folder.is_dir():
        return folder
    if folder.exists() or str(name).count("/") != 1 or str(name).startswith((".", "/", "~")):
        raise InputError("no model folder here", path=folder, remedy="give the folder that `gleanner train` wrote")
    try:
        allowed = ["*.json", "*.safetensors", "*.txt", "*.model", "README.md"]
        return Path(snapshot_download(str(name), revision=revision, allow_patterns=allowed))
    except Exception as error:  # a failure of the network has another base class in each version of the hub's library
        raise InputError(
            f"no model folder {str(name)!r}, and the Hugging Face hub does not give one of that name",
            remedy="check the name and the network, or give a folder",
        ) from error


def read_config(folder: Path) -> TaggerConfig:
    """The configuration, checked."""
    path = folder / "config.json"
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError(
            "not a gleanner model: it has no config.json", path=folder, remedy="check the folder"
        ) from error
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", path=path, remedy="copy the model again") from error
    version = raw.get("format_version") if isinstance(raw, dict) else None
    if not isinstance(version, int):
        raise InputError("not a gleanner model: no format_version in it", path=path, remedy="check the folder")
    if version > FORMAT_VERSION:
        raise InputError(f"written by a newer gleanner (format {version})", path=path, remedy="pip install -U gleanner")
    try:
        return _CONFIG.validate_python(raw)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"{where}: {first['msg']}", path=path, remedy="copy the model again") from error


def guarded(folder: Path, build: Callable[[], T]) -> T:
    """Builds an encoder from a saved folder; a damaged one is an InputError."""
    try:
        return build()
    except Exception as error:  # damaged files make transformers and its parsers raise anything
        raise InputError(
            f"the encoder's files are damaged: {first_line(error)}",
            path=folder / "encoder",
            remedy="copy the model again",
        ) from error


def load_weights(tagger: Tagger, folder: Path) -> None:
    """Reads the weights into a model that `read_config` described."""
    path = folder / WEIGHTS
    try:
        state = load_file(path)
    except FileNotFoundError as error:
        raise InputError("the weights are missing", path=path, remedy="copy the model again") from error
    except (SafetensorError, OSError) as error:
        raise InputError(f"the weights are damaged: {error}", path=path, remedy="copy the model again") from error
    try:
        tagger.load_state_dict(state)
    except RuntimeError as error:
        reason = str(error).splitlines()[1].strip()
        raise InputError(
            f"the weights do not fit config.json: {reason}", path=path, remedy="copy the model again"
        ) from error


def push(tagger: Tagger, repository: str, private: bool | None, card: str | None) -> str:
    """Creates the repository if need be and uploads the folder in one commit."""
    api = HfApi()
    with tempfile.TemporaryDirectory() as folder:
        save(tagger, Path(folder), card)
        try:
            url = api.create_repo(repository, private=private, exist_ok=True)
            api.upload_folder(repo_id=repository, folder_path=folder, commit_message="Upload a gleanner model")
        except Exception as error:  # as above
            raise GleannerError(f"cannot push to {repository!r}: {first_line(error)}") from error
    return str(url)
