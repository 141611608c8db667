"""The model card: what a model was trained on, how, and how good it was on development data."""

from __future__ import annotations

from typing import Any

import yaml

from gleanner.model.tagger import Tagger
from gleanner.training.settings import flat


def card(tagger: Tagger, settings: dict[str, Any], best: dict[str, Any] | None, run: dict[str, Any]) -> str:
    """A README.md with the front matter that the Hugging Face hub reads."""
    front = yaml.safe_dump(
        {
            "library_name": "gleanner",
            "pipeline_tag": "token-classification",
            "tags": ["gleanner", "named-entity-recognition", "incomplete-annotation", settings["method"]["name"]],
        },
        sort_keys=False,
    )
    method = {key: value for key, value in flat(settings["method"]).items() if key != "name"}
    rows = "\n".join(
        f"| {name} | {part['sentences']:,} | {part['words']:,} | {part['entities']:,} | `{part['digest']}` |"
        for name, part in run["data"].items()
    )
    if best is None:
        scores = "There was no development data: the weights are those of the last epoch, their quality is unknown."
    else:
        scores = (
            f"On the development data, which chose epoch {best['epoch']:g}: precision {best['precision']:.2%}, "
            f"recall {best['recall']:.2%}, F1 {best['f1']:.2%} (exact spans and types, micro average). "
            "These weights were chosen by this very score, so expect a little less on new text."
        )
    versions = ", ".join(f"{name} {number}" for name, number in run["versions"].items())
    config = tagger.config
    return f"""---
{front}---

# {settings["method"]["name"]} on {config.encoder_name}

Finds {", ".join(tagger.labels)}. Trained with gleanner from incomplete annotations.

```python
from gleanner import Tagger

tagger = Tagger.from_pretrained("this-folder")
tagger.predict("Some text.")
```

## Training

- Method: `{settings["method"]["name"]}` {", ".join(f"{k}={v}" for k, v in method.items())}
- Encoder: `{config.encoder_name}`; head: `{config.head}`; longest span: {config.max_width} words
- Seed {settings["seed"]}, {settings["training"]["epochs"]} epochs, batches of {settings["training"]["batch_size"]},
  {run["machine"]["precision"]} on {run["machine"]["device"]}
- {versions}

| data | sentences | words | entities | digest |
|---|---|---|---|---|
{rows}

## Scores

{scores}
"""
