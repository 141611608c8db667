import torch
from hypothesis import given
from hypothesis import strategies as st

from gleanner.model.encoder import padded, positions


@given(st.lists(st.integers(1, 5), min_size=1, max_size=6))
def test_flat_to_rows_and_back(lengths):
    flat = torch.arange(2.0 * sum(lengths)).reshape(-1, 2)
    rows = padded(flat, torch.tensor(lengths), fill=-1.0)
    assert rows.shape == (len(lengths), max(lengths), 2)
    for row, length, part in zip(rows, lengths, flat.split(lengths), strict=True):
        assert torch.equal(row[:length], part)
        assert (row[length:] == -1).all()
    assert torch.equal(rows[positions(torch.tensor(lengths))], flat)
