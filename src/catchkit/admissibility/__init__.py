"""Decides whether an injected substrate may carry evidence."""
