"""A temporary PostgreSQL cluster in a folder, without a network."""

import os
import pwd
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

__all__ = ["cluster", "programs", "stoppable"]

_SETTINGS = (
    "-c fsync=off -c listen_addresses='' -c shared_buffers=8MB -c wal_level=logical "
    "-c unix_socket_directories={}"
)


def programs():
    """Return the folder with initdb and pg_ctl, or None."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    on_path = shutil.which("initdb")
    if on_path:
        found.append(Path(on_path))
    return next((path.parent for path in found if (path.parent / "pg_ctl").exists()), None)


def _account():
    """Return an account without special rights, as PostgreSQL does not run as root."""
    if os.getuid() != 0:
        return {}
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = known.get("postgres") or known["nobody"]
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


@contextmanager
def cluster():
    """Yield the address of an empty database."""
    with stoppable() as (address, _, _):
        yield address


@contextmanager
def stoppable():
    """Yield the address of an empty database, and two functions that stop and start its server."""
    account, bin_folder = _account(), programs()
    with tempfile.TemporaryDirectory(prefix="dp-pg-") as name:
        folder = Path(name)
        if account:
            os.chown(folder, account["user"], account["group"])

        def run(program, *options):
            command = [bin_folder / program, "-D", folder / "data", *options]
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            subprocess.run(command, check=True, cwd=folder, timeout=120, **quiet, **account)

        run("initdb", "-A", "trust", "-U", "room", "--no-locale", "-E", "UTF8", "--no-sync")

        def start():
            run("pg_ctl", "-w", "-o", _SETTINGS.format(folder), "-l", folder / "log", "start")

        def stop():
            run("pg_ctl", "-m", "immediate", "stop")

        start()
        try:
            yield f"postgresql://room@/postgres?host={folder}", stop, start
        finally:
            stop()
