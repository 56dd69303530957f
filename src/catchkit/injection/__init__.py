"""Plants known faults in real runs."""
