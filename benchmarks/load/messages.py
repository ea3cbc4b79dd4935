"""Messages of Streamlit's protocol: requests to run the script, and messages that the server sends only once.

The server refers to a message that the browser has cached by its hash.
"""

from __future__ import annotations

from collections.abc import Iterable

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

__all__ = ["KeptMessages", "rerun_message"]

_AGE = 2  # whole runs after which Streamlit's page forgets a message that may be named by its hash


class KeptMessages:
    """Cache of received messages by hash, as in a browser, with the number of the script run that sent each last."""

    def __init__(self) -> None:
        self.by_hash: dict[str, tuple[ForwardMsg, int]] = {}
        self._runs = 0

    def whole(self, message: ForwardMsg) -> ForwardMsg:
        """Return a received message, or the cached message to which it refers."""
        found = self.by_hash[message.ref_hash][0] if message.ref_hash else message
        if found.metadata.cacheable:
            self.by_hash[found.hash] = (found, self._runs)
        return found

    def forget(self, *, whole: bool) -> None:
        """Drop messages that no recent script run has sent; to be called after every run.

        ``whole`` says whether the last run was a run of the whole page, not of a fragment.
        """
        self._runs += whole
        for key in [key for key, (_, run) in self.by_hash.items() if self._runs - run > _AGE]:
            del self.by_hash[key]


def rerun_message(
    kept: Iterable[str], widget: tuple[str, str] | None = None, **asked: str
) -> bytes:
    """Return a request to run the script.

    ``asked`` are fields of the request, and ``widget`` is the state of one widget (id, JSON).
    """
    message = BackMsg()
    for name, value in asked.items():
        setattr(message.rerun_script, name, value)
    message.rerun_script.cached_message_hashes.extend(kept)
    if widget is not None:
        state = message.rerun_script.widget_states.widgets.add()
        state.id, state.json_value = widget
    return message.SerializeToString()
