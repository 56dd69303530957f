"""Takes prose and identifiers out of upstream text and keeps what the scanner rules read."""
