"""How units count: one loss a module, named after it."""
