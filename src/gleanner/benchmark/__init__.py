"""Methods compared: a table is a YAML file, a run is a JSON file, the report is Markdown and HTML."""
