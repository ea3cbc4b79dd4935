"""What the benchmarks of openings and of classes share: readers, a server watched, a stock page."""
