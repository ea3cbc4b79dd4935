"""Make the shipped networks of the small digits again: a second or a few, with torch."""

from dpcore.experiments.autoencoder.problem import make_shipped, shipped_file

if __name__ == "__main__":
    for which in ("all", "few"):
        make_shipped(which, shipped_file(which))
