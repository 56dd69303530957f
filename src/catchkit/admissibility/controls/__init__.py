"""One control per file; each binds CONTROL."""
