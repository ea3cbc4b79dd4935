"""Origin of a downloaded copy: version, source code, citation, and the source from which to install its library.

A deployment declares the address of the source code and the source of the library in environment
variables. What it does not declare is not shown.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

import dpcore
from ui.words import text

__all__ = [
    "INSTALL", "SOURCE", "Wheels", "check_settings", "citation", "extras", "plain_check", "source", "told",
    "wheels",
]  # fmt: skip

T = text.load_text(__file__)
SOURCE = "DPCORE_SOURCE_URL"
"""Environment variable with the address of the source code of this deployment."""
INSTALL = "DPCORE_INSTALL"
"""Environment variable that says where the library can be installed from: see `wheels`."""
_CITATION = Path(__file__).resolve().parents[2] / "CITATION.cff"
# What stands in a command of a notebook, where a shell and IPython replace other signs.
_ADDRESS = re.compile(r"(https?|file)://[A-Za-z0-9._~:/+%-]{1,500}")
_OPTIONS = ("--find-links", "--index-url", "--extra-index-url")
_NEEDS_TORCH = re.compile(
    r"^(?:import|from) torch\b|^from dpcore\.experiments import (?:network|autoencoder)\b", re.M
)


@dataclass(frozen=True, kw_only=True)
class Wheels:
    """Source of the wheels of the library: an option of pip with its address, or the address of one wheel.

    Option and address are "" if the library comes from PyPI.
    """

    option: str = ""
    address: str = ""

    def requirement(self, extra: str = "") -> str:
        """Return the requirement of the library in this version, with an extra, as pip and PEP 723 read it."""
        name = f"dpcore[{extra}]" if extra else "dpcore"
        if self.address and not self.option:
            return f"{name} @ {self.address}"
        return f"{name}=={dpcore.__version__}"

    def pip(self, extra: str = "") -> str:
        """Return the arguments of ``pip install`` for the library and for Plotly, which draws the figures."""
        option = f"{self.option} {self.address} " if self.option else ""
        return f'{option}"{self.requirement(extra)}" plotly'

    def script(self, extra: str = "") -> str:
        """Return the header of a program with its dependencies (PEP 723), which ``uv run`` installs."""
        lines = ["# /// script", '# requires-python = ">=3.11"']
        lines += [f'# dependencies = ["{self.requirement(extra)}", "plotly"]']
        if self.option == "--find-links":
            lines += ["# [tool.uv]", f'# find-links = ["{self.address}"]']
        elif self.option:
            lines += ["# [[tool.uv.index]]", f'# url = "{self.address}"']
            lines += ["# default = true"] if self.option == "--index-url" else []
        return "\n".join([*lines, "# ///", ""])


def check_settings() -> None:
    """Check the environment variables that `SOURCE` and `INSTALL` name.

    Raises
    ------
    ValueError
        When a variable cannot be used. The message names the variable, its value, and the allowed
        values.
    """
    source()
    wheels()


def source() -> str:
    """Return the address of the source code, or "" if the deployment declares none.

    Raises
    ------
    ValueError
        When the declared address is not a web address.
    """
    address = os.environ.get(SOURCE, "").strip()
    parts = urlsplit(address) if _ADDRESS.fullmatch(address) else None
    if address and not (parts and parts.netloc and parts.scheme != "file"):
        raise ValueError(T("origin.source", name=SOURCE, value=address[:200]))
    return address


def wheels() -> Wheels | None:
    """Return where the library can be installed from, or None if the deployment declares nothing.

    The variable named by `INSTALL` holds ``pypi``, the address of a wheel of this version, the address
    of a page or folder that lists wheels, or an option of pip (``--find-links``, ``--index-url``,
    ``--extra-index-url``) and an address. An address begins with ``https://``, ``http://`` or
    ``file://``.

    Raises
    ------
    ValueError
        When the variable holds anything else, or a wheel of another version.
    """
    said = os.environ.get(INSTALL, "").strip()
    if not said:
        return None
    if said == "pypi":
        return Wheels()
    first, _, rest = said.partition(" ")
    option, address = (first, rest.strip()) if first in _OPTIONS else ("", said)
    if not _ADDRESS.fullmatch(address):
        raise ValueError(T("origin.install", name=INSTALL, value=said[:200]))
    if not option and address.endswith(".whl"):
        file = address.rpartition("/")[2]
        if not file.startswith(f"dpcore-{dpcore.__version__}-"):
            raise ValueError(
                T("origin.wheel", name=INSTALL, value=file[:200], version=dpcore.__version__)
            )
        return Wheels(address=address)
    return Wheels(option=option or "--find-links", address=address)


@cache
def _cited() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load(_CITATION.read_text("utf-8"))
    return content


def citation() -> str:
    """Return the citation of the application and its version, from ``CITATION.cff``."""
    cited = _cited()
    authors = ", ".join(author["name"] for author in cited["authors"])
    return T(
        "origin.citation", authors=authors, title=cited["title"], version=str(cited["version"])
    )


def told() -> list[str]:
    """Return the sentences on version, source and citation of a downloaded copy."""
    address = source()
    made = T("origin.made_from", source=address, version=dpcore.__version__) if address else ""
    return [
        made or T("origin.made", version=dpcore.__version__),
        T("origin.cite", citation=citation()),
    ]


def extras(program: str) -> str:
    """Return the extra of the library that a program needs: "torch" for a program that trains with torch, else ""."""
    return "torch" if _NEEDS_TORCH.search(program) else ""


def plain_check(program: str) -> str:
    """Return code that says in a sentence what to install if the library is missing or has another version."""
    version, extra = dpcore.__version__, extras(program)
    wheel = f"dpcore-{version}-py3-none-any.whl" + (f"[{extra}]" if extra else "")
    missing = T("origin.missing", version=version, wheel=wheel)
    other = T("origin.other", version=version)
    lines = (
        "try:",
        "    import dpcore",
        "except ImportError:",
        f"    raise ImportError({missing!r}) from None",
        f"if dpcore.__version__ != {version!r}:",
        f"    print({other!r} + dpcore.__version__)",
    )
    return "".join(f"{line}\n" for line in lines)
