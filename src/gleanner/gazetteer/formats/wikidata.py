"""A dump of Wikidata's entities, an item a line, of which the instances (P31) of some classes are taken.

    latest-all.json.bz2:Q12140=Chemical,Q12136=Disease,language=de

An item is an instance of the class that it names, not of the classes above: name also the subclasses that you want. Its
names are its label and aliases in the languages, and those that Wikidata keeps for all languages (`mul`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gleanner.data.blocks import numbered
from gleanner.data.jsonl import records
from gleanner.errors import InputError
from gleanner.gazetteer.dictionary_file import DictionaryFile
from gleanner.gazetteer.records import terms_of
from gleanner.gazetteer.skipped import Skipped
from gleanner.gazetteer.term import Term

OPTIONS = frozenset(["case", "language", "Q…"])

_INSTANCE_OF = "P31"


def read(file: DictionaryFile, skipped: Skipped) -> Iterator[Term]:
    """The names of each instance of the classes."""
    if not file.classes:
        remedy = f"say them with their types, such as {file.name}:Q12140=Chemical"
        raise InputError("which classes of the dump are wanted is not said", path=file.path, remedy=remedy)
    languages = (*(file.languages or ("en",)), "mul")
    for line, item in records(file.path, _mentioning(file)):
        try:
            types = _types(item, file.classes)
            if types:
                label, *aliases = _names(item, languages) or [""]
                if label:
                    yield from terms_of(file, line, label, types, id=str(item["id"]), aliases=aliases)
                else:
                    skipped.add(f"items without a name in {', '.join(languages[:-1])}", line)
        except (AttributeError, KeyError, TypeError):
            what, remedy = "this is no entity of Wikidata", "check that the file is a dump of entities as JSON"
            raise InputError(what, path=file.path, line=line, remedy=remedy) from None
        except ValueError as problem:
            raise InputError(str(problem), path=file.path, line=line) from None


def _mentioning(file: DictionaryFile) -> Iterator[tuple[int, str]]:
    """The lines where a class stands somewhere: JSON is far slower to parse than to search, and few items are wanted."""
    quoted = [f'"{name}"' for name in file.classes]
    for line, text in numbered(file.path):
        if any(name in text for name in quoted):
            yield line, text.strip().removeprefix("[").removesuffix("]").removesuffix(",")


def _types(item: dict[str, Any], classes: Mapping[str, str]) -> tuple[str, ...]:
    """The types that an item's classes stand for."""
    statements = _map(item["claims"]).get(_INSTANCE_OF, [])
    snaks = [one["mainsnak"] for one in statements if one["rank"] != "deprecated"]
    found = {snak["datavalue"]["value"]["id"] for snak in snaks if snak["snaktype"] == "value"}
    return tuple(dict.fromkeys(type_ for name, type_ in classes.items() if name in found))


def _names(item: dict[str, Any], languages: tuple[str, ...]) -> list[str]:
    """The labels and the aliases in the languages, each once, a label first."""
    labels, aliases = _map(item["labels"]), _map(item.get("aliases", {}))
    names = [labels[language]["value"] for language in languages if language in labels]
    names += [alias["value"] for language in languages for alias in aliases.get(language, [])]
    return list(dict.fromkeys(names))


def _map(value: Any) -> Any:
    """The dumps write an object without members as an empty array."""
    return value or {}
