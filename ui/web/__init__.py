"""Files that browsers load, the base path of their addresses, and responses that browsers cache."""
