"""Files that browsers load, and responses that browsers cache."""
