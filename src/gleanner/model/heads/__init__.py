"""What scores units: one file a head; a name resolves to a module here."""
