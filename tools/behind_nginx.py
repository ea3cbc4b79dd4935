"""Run two processes of the application behind nginx, as compose.yaml does, on a machine without containers.

    python tools/behind_nginx.py                                            until Ctrl-C
    python tools/behind_nginx.py benchmarks/class_load.py --readers 120     while this program runs

The configuration of nginx is ``deploy/nginx.conf.template``; the certificate is created for localhost. The program
receives the options ``--address`` and ``--pid``, and in the environment variable ``SSL_CERT_FILE`` the certificate
to trust.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser.serving import free_port, started  # noqa: E402

__all__ = ["TEMPLATE", "Front", "filled", "front", "nginx", "two_apps"]

TEMPLATE = ROOT / "deploy" / "nginx.conf.template"


@dataclass(frozen=True)
class Front:
    """A running nginx: its addresses, its certificate and its process id."""

    https: str
    http: str
    certificate: Path
    pid: int


def nginx() -> str | None:
    """Return the path of the installed nginx, or None."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"
    return shutil.which("nginx", path=path)


def filled(template: str, values: Mapping[str, str]) -> str:
    """Return a template with its variables ``${CAPITALS}`` replaced, as envsubst does in the container.

    Raises
    ------
    KeyError
        When a variable has no value.

    Examples
    --------
    >>> filled("listen ${PORT}; set $uri;", {"PORT": "80"})
    'listen 80; set $uri;'
    """
    return re.sub(r"\$\{([A-Z_]+)\}", lambda match: values[match[1]], template)


def _certificate(folder: Path) -> None:
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
         "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
         "-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")],
        check=True, capture_output=True,
    )  # fmt: skip


@contextmanager
def front(app_a: str, app_b: str, *, template: str | None = None) -> Iterator[Front]:
    """Run nginx on free ports as a proxy of two servers, given as ``host:port``; stop nginx at the end.

    Parameters
    ----------
    app_a, app_b : str
        Addresses of the servers.
    template : str, optional
        Configuration with variables, in place of ``deploy/nginx.conf.template``.
    """
    program = nginx()
    if program is None:
        raise FileNotFoundError(
            "nginx is not on this machine: install it, for example nginx-light."
        )
    with TemporaryDirectory() as name:
        run, http, https = Path(name), free_port(), free_port()
        run.chmod(0o755)  # the workers run as another user when nginx is started by root
        _certificate(run)
        values = {
            "RUN": str(run), "APP_A": app_a, "APP_B": app_b, "CERTIFICATES": str(run),
            "PORT_HTTP": f"127.0.0.1:{http}", "PORT_HTTPS": f"127.0.0.1:{https}",
            "PORT_SHOWN": f":{https}",
        }  # fmt: skip
        config = run / "nginx.conf"
        config.write_text(filled(template or TEMPLATE.read_text("utf-8"), values), "utf-8")
        command = [program, "-p", str(run), "-c", str(config), "-e", "stderr"]
        subprocess.run([*command, "-t", "-q"], check=True)
        process = subprocess.Popen([*command, "-g", "daemon off;"])
        try:
            _wait(run / "nginx.pid", process)
            yield Front(
                f"https://localhost:{https}", f"http://localhost:{http}", run / "fullchain.pem",
                process.pid,
            )  # fmt: skip
        finally:
            process.terminate()
            process.wait(20)


def _wait(pid: Path, process: subprocess.Popen[bytes]) -> None:
    for _ in range(200):
        if process.poll() is not None:
            raise RuntimeError(f"nginx ended by itself with code {process.returncode}.")
        if pid.exists() and pid.read_text(encoding="utf-8").strip():
            return
        time.sleep(0.05)
    raise TimeoutError("nginx does not start.")


@contextmanager
def two_apps() -> Iterator[list[tuple[str, int]]]:
    """Run two processes of the application with a common folder of results; yield their addresses and ids."""
    secret = os.urandom(32).hex()
    shared = {"STREAMLIT_SERVER_COOKIE_SECRET": secret}
    with ExitStack() as stack:
        if "DPCORE_CACHE" not in os.environ:
            shared["DPCORE_CACHE"] = stack.enter_context(TemporaryDirectory())
        addresses = []
        for _ in range(2):
            address, process = stack.enter_context(started(ROOT / "app.py", environment=shared))
            addresses.append((address.removeprefix("http://"), process.pid))
        yield addresses


def main(command: list[str]) -> int:
    """Start two processes and nginx; then run the given program against them, or wait for Ctrl-C."""
    with two_apps() as apps, front(apps[0][0], apps[1][0]) as shown:
        pids = [str(pid) for _, pid in apps]
        print(f"DP Explorer: {shown.https} (processes {', '.join(pids)})", flush=True)
        if not command:
            try:
                while True:
                    time.sleep(3600)
            except KeyboardInterrupt:
                return 0
        options = ["--address", shown.https, "--pid", *pids]
        environment = {**os.environ, "SSL_CERT_FILE": str(shown.certificate)}
        return subprocess.run([sys.executable, *command, *options], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
