"""Parts that several benchmarks use: simulated readers, a monitored server, and a stock page."""
