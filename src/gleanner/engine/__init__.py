"""The same work on every block of any number of files: in one process, in several, or on a Ray cluster."""
