"""States what a release holds, computed from its rows; writes and verifies releases."""
