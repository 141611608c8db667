"""Speed and memory, each side measured beside the other in one run: `python -m benchmarks.speed`."""
