"""What the project's modules find on Windows, imitated on another system: POSIX's modules and functions are missing.

The standard library and installed packages keep what they need here. ``python -m tests.as_windows run app.py`` is
``streamlit run app.py`` under these conditions.
"""

from __future__ import annotations

import builtins
import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from types import ModuleType
from typing import Any

__all__ = ["MISSING", "MODULES", "pretend"]

_OURS = {"app", "dpcore", "pages", "ui", "__main__"}
MODULES = {"curses", "fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}
# Of Python 3.11: what its documentation calls "Availability: Unix".
MISSING = {
    "os": {
        "O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "PRIO_PROCESS", "SCHED_IDLE", "WNOHANG", "chown",
        "chroot", "confstr", "fchmod", "fchown", "fork", "forkpty", "getegid", "geteuid", "getgid", "getgroups",
        "getloadavg", "getpgid", "getpgrp", "getpriority", "getresuid", "getsid", "getuid", "killpg", "lchown",
        "mkfifo", "nice", "openpty", "pathconf", "posix_fadvise", "posix_spawn", "pread", "pwrite",
        "register_at_fork", "sched_getaffinity", "sched_param", "sched_setaffinity", "sched_setscheduler",
        "sched_yield", "sendfile", "setegid", "seteuid", "setgid", "setpgid", "setpriority", "setsid", "setuid",
        "statvfs", "sync", "sysconf", "tcgetpgrp", "uname", "wait", "wait3", "wait4", "waitid",
    },
    "signal": {
        "SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGSTOP", "SIGUSR1", "SIGUSR2",
        "SIGXCPU", "alarm", "pause", "pthread_kill", "pthread_sigmask", "setitimer", "siginterrupt", "sigwait",
    },
    "socket": {"AF_UNIX", "SO_REUSEPORT"},
    "time": {"clock_getres", "clock_gettime", "pthread_getcpuclockid", "tzset"},
}  # fmt: skip


class _Module(ModuleType):
    """A module without some of its names, and with others in place of some."""

    def __init__(self, real: ModuleType, missing: set[str], instead: Mapping[str, Any]) -> None:
        super().__init__(real.__name__)
        self._real, self._missing = real, missing
        self.__dict__.update(instead)

    def __getattr__(self, name: str) -> Any:
        if name in self._missing:
            raise AttributeError(f"module {self._real.__name__!r} has no attribute {name!r}")
        return getattr(self._real, name)


class _Popen(subprocess.Popen):
    """Refuses what Windows refuses."""

    def __init__(self, *args: Any, creationflags: int = 0, **given: Any) -> None:
        for name in (
            "pass_fds",
            "preexec_fn",
            "start_new_session",
            "process_group",
            "user",
            "umask",
        ):
            if given.get(name):
                raise ValueError(f"{name} is not supported on Windows platforms")
        super().__init__(*args, **given)


def _no_library(name: str | None, *args: Any, **given: Any) -> Any:
    if name is None:
        raise TypeError("expected str, bytes or os.PathLike object, not NoneType")
    raise FileNotFoundError(f"Could not find module {name!r} (or one of its dependencies).")


def _modules() -> dict[str, ModuleType]:
    libraries = dict.fromkeys(("CDLL", "PyDLL"), _no_library)
    return {
        "os": _Module(os, MISSING["os"], {"name": "nt"}),
        "sys": _Module(sys, set(), {"platform": "win32"}),
        "signal": _Module(signal, MISSING["signal"], {}),
        "socket": _Module(socket, MISSING["socket"], {}),
        "time": _Module(time, MISSING["time"], {}),
        "subprocess": _Module(
            subprocess, set(), {"Popen": _Popen, "BELOW_NORMAL_PRIORITY_CLASS": 0x4000}
        ),
        "ctypes": _Module(ctypes, set(), libraries),
    }


def pretend() -> None:
    """Let the project's modules, imported from now on, find what they would find on Windows."""
    real, known = builtins.__import__, _modules()

    def load(
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: tuple[str, ...] | None = (),
        level: int = 0,
    ) -> ModuleType:
        importer = str((globals or {}).get("__name__", "")).partition(".")[0]
        if level or importer not in _OURS:
            return real(name, globals, locals, fromlist or (), level)
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        found = real(name, globals, locals, fromlist or (), level)
        return known.get(found.__name__, found)

    builtins.__import__ = load


if __name__ == "__main__":
    pretend()
    from streamlit.web.cli import main

    main()
