"""Make the shipped networks of the small digits again, or the page of reference figures.

``python -m dpcore.experiments.autoencoder`` trains the networks: seconds, with torch.
``python -m dpcore.experiments.autoencoder reference FILE [digits] [mnist]`` measures and writes the page.
"""

import sys
from pathlib import Path

from dpcore.experiments.autoencoder import reference
from dpcore.experiments.autoencoder.problem import make_shipped, shipped_file


def main(words: list[str]) -> None:
    """Do what the words ask for."""
    if words[:1] == ["reference"] and len(words) > 1:
        names = words[2:] or ["digits"]
        page = reference.page([reference.setting(name) for name in names])
        Path(words[1]).write_text(page, "utf-8")
    elif not words:
        for which in ("all", "few"):
            make_shipped(which, shipped_file(which))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
