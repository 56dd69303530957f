"""One file per source of declared agent configurations, each binding ``SOURCE``."""
