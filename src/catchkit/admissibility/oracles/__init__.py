"""One oracle per file; each binds ORACLE."""
