"""Formats of dictionaries, one a module, named like the format, with `OPTIONS` and `read`."""
