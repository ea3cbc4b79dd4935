"""What every page stands in: the process is prepared once."""

import threading

from ui.frame import shell


def test_a_process_is_warmed_up_once_and_behind(monkeypatch):
    monkeypatch.setattr("gc.freeze", lambda: None)
    threads, done = [], threading.Event()

    def first():
        threads.append(threading.current_thread())
        done.set()

    shell.warm_up(first)
    shell.warm_up(first)
    assert done.wait(30)
    assert [thread is threading.main_thread() for thread in threads] == [False]
