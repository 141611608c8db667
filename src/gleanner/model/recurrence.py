"""An LSTM in both directions over rows of words that lie flat."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from gleanner.model.encoder import padded, positions


def bidirectional(size: int, hidden: int, layers: int, dropout: float) -> nn.LSTM:
    """Of vectors of this size; with dropout between the layers."""
    between = dropout if layers > 1 else 0.0
    return nn.LSTM(size, hidden, num_layers=layers, bidirectional=True, batch_first=True, dropout=between)


def states_of(lstm: nn.LSTM, words: Tensor, lengths: Tensor) -> Tensor:
    """Its state at each word: (words, 2 * hidden).

    In single precision always: a recurrence is where bf16 loses most and gains least.
    """
    with torch.autocast(words.device.type, enabled=False):
        rows = padded(words.float(), lengths)
        packed = pack_padded_sequence(rows, lengths.cpu(), batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(lstm(packed)[0], batch_first=True)  # rows, words, size
    found: Tensor = states[positions(lengths)]
    return found
