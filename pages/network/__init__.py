"""The page Deep networks."""
