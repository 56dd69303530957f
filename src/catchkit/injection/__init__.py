"""Plants known faults in real runs: what a fault is, where it may go, and clean-faulty pairs."""
