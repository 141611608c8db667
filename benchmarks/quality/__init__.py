"""The quality of methods on real data: one YAML file a table, one JSON file a run, one Markdown page.

Run `python -m benchmarks.quality [TABLE ...]`. A run that is already in `benchmarks/results/runs/`, with the same
settings, is not done again, so an interrupted measurement goes on where it was. The model is chosen on development
data; test is read once, at the end of a run.
"""
