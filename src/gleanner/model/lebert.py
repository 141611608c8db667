"""LEBERT (Liu et al. 2021): a lexicon adapter between the first and the second layer of a pre-trained encoder."""

from __future__ import annotations

from typing import Any, ClassVar

from torch import Tensor, nn

from gleanner.errors import InputError
from gleanner.model.encoder import WordVectors
from gleanner.model.lexicon_attention import LexiconAttention
from gleanner.model.lexicon_transformer import LexiconTransformer
from gleanner.model.lexicon_vectors import LexiconVectors
from gleanner.model.transformer import Transformer, pieces_of

LAYERS = ("encoder.layer", "transformer.layer", "encoder.albert_layer_groups")
"""Where models whose layers end with a norm, as the adapter does, keep them: BERT and its kin, DistilBERT, ALBERT."""


class Lebert(LexiconTransformer):
    """`LayerNorm(dropout(h + z))` in the place of the first layer's output h; z is attention over the lexicon's words.

    A word of several pieces shows each of them the words that cover it. Special pieces and padding have z = 0.
    """

    fresh: ClassVar[tuple[str, ...]] = ("words", "adapter", "norm")

    def __init__(self, transformer: Transformer, words: LexiconVectors, *, most: int) -> None:
        super().__init__(transformer, words, most=most)
        config = transformer.model.config
        dropout = getattr(config, "hidden_dropout_prob", 0.1)
        self.adapter = LexiconAttention(self.size, words.size, dropout)
        self.norm = nn.LayerNorm(self.size, eps=getattr(config, "layer_norm_eps", 1e-12))
        self.dropout = nn.Dropout(dropout)
        _first_layer(transformer)

    def forward(self, inputs: dict[str, Tensor]) -> WordVectors:
        """The encoder's vectors, with the adapter in its first layer for the length of this call."""

        def adapted(layer: nn.Module, arguments: Any, output: Any) -> Any:
            hook.remove()  # ALBERT's layers share their weights: the next call of this module is the second layer
            if isinstance(output, tuple):
                return (self._adapt(output[0], inputs), *output[1:])
            return self._adapt(output, inputs)

        hook = _first_layer(self.transformer).register_forward_hook(adapted)
        try:
            vectors: WordVectors = self.transformer(inputs)
        finally:
            hook.remove()
        return vectors

    def _adapt(self, states: Tensor, inputs: dict[str, Tensor]) -> Tensor:
        covering = inputs["covering"]  # words, slots
        word, place = pieces_of(inputs["first"], inputs["pieces"])
        flat = states.reshape(-1, self.size)  # rows * pieces, size
        found = self.adapter(flat[place], self.words(covering)[word], (covering > 0)[word])
        fused: Tensor = self.norm(self.dropout(flat.index_add(0, place, found.to(flat.dtype))))
        return fused.reshape(states.shape)


def _first_layer(transformer: Transformer) -> nn.Module:
    for name in LAYERS:
        try:
            layers = transformer.model.get_submodule(name)
        except AttributeError:
            continue
        if isinstance(layers, nn.ModuleList):
            return layers[0]
    raise InputError(
        f"the lexicon adapter does not know where {transformer.model.config.model_type!r} encoders keep their layers",
        remedy="use an encoder of the BERT kind, or lexicon.way=attention",
    )
