"""Measurements that others can run: `python -m benchmarks.speed`."""
