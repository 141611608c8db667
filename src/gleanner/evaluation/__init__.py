"""Sets of spans in, scores out.

Reading order: `spans` (sentences as integer arrays), `scores` (precision, recall, F1), `sides` (gold and predictions
side by side), `bootstrap` (intervals), `partial` and `confusions` (what went wrong), `report` and `compare` (the two
entries for people; `scores.score_arrays` is the one for a training loop).
"""
