import pytest
import torch

from gleanner.model.precision import autocast, best_device, resolve

CPU = torch.device("cpu")


def test_stated_precisions_are_kept():
    assert resolve("fp32", torch.device("cuda")) == "fp32"
    assert resolve("bf16", CPU) == "bf16"


@pytest.mark.parametrize(
    ("capabilities", "expected"),
    [
        ({"avx512_bf16": True}, "bf16"),
        ({"amx_bf16": True, "avx2": True}, "bf16"),
        ({"avx2": True}, "fp32"),
        ({}, "fp32"),
    ],
)
def test_auto_asks_the_processor(monkeypatch, capabilities, expected):
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: capabilities)
    assert resolve("auto", CPU) == expected


def test_auto_without_a_way_to_ask(monkeypatch):
    monkeypatch.delattr(torch.cpu, "get_capabilities")
    assert resolve("auto", CPU) == "fp32"


@pytest.mark.parametrize(("native", "expected"), [(True, "bf16"), (False, "fp32")])
def test_auto_asks_the_gpu(monkeypatch, native, expected):
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda including_emulation: native)
    assert resolve("auto", torch.device("cuda")) == expected
    assert resolve("auto", torch.device("mps")) == "fp32"


def test_products_run_in_that_precision():
    for precision, dtype in (("bf16", torch.bfloat16), ("fp32", torch.float32)):
        with autocast(precision, CPU):
            assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == dtype


@pytest.mark.parametrize(
    ("cuda", "mps", "expected"), [(True, True, "cuda"), (False, True, "cpu"), (False, False, "cpu")]
)
def test_best_device(monkeypatch, cuda, mps, expected):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
    assert best_device().type == expected
