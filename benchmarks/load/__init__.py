"""Parts that the benchmarks of opened pages and of classes share: simulated readers, a monitored server, a
stock page.
"""
