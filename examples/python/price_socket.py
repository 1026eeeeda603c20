"""Prices over WebSocket (docs/streaming.md), over as many connections as it takes.

Each connection is opened by a ticket, which is good for one connection: no address ever has the key in it.
"""

import json
import time

from gateway import FIND_OUT, WAIT, NoAnswer, Problem
from web_socket import WebSocket

# Something comes every five seconds at least; a connection that is silent for twice as long is dead.
SILENCE = 10.0


class PriceSocket:
    """`instruments`: called for each connection, tells what to subscribe to. `patience`: seconds without a connection."""

    def __init__(self, gateway, instruments, patience=600.0):
        self.gateway = gateway
        self.instruments = instruments
        self.patience = patience
        self.socket = None

    def unsubscribe(self, instrument):
        self._say({"action": "unsubscribe", "instruments": [instrument]})

    def messages(self):
        """Yields each message in its order, and {"type": "lost"} when a connection has ended.

        Raises Problem where the gateway refuses the key, NoAnswer once there was no connection for `patience` seconds.
        """
        attempt, lost_at = 0, time.monotonic()
        while True:
            attempt += 1
            was_open = False
            error = NoAnswer("the gateway accepts no stream of prices", None)
            try:
                answer, _ = self.gateway.change("POST", "/api/v1/stream/tickets", None, None)
                ticket = answer["data"]["ticket"]
                address = self.gateway.url.replace("http", "ws", 1) + f"/api/v1/stream?ticket={ticket}"
                self.socket = WebSocket(address, timeout=SILENCE)
                while text := self.socket.recv():
                    was_open = True
                    message = json.loads(text)
                    if message["type"] == "hello":
                        self._say({"action": "subscribe", "instruments": self.instruments()})
                    yield message
            except Problem as problem:
                # The gateway is busy, or stops. A key that it refuses now is refused later, too.
                if problem.code not in WAIT | FIND_OUT:
                    raise
                error = problem
            except (NoAnswer, OSError) as cause:
                error = cause
            finally:
                if self.socket:
                    self.socket.close()
            if was_open:
                attempt, lost_at = 0, time.monotonic()
                yield {"type": "lost"}
            if time.monotonic() - lost_at > self.patience:
                raise error
            time.sleep(min(0.25 * 2**attempt, 5.0))

    def _say(self, message):
        try:
            self.socket.send(json.dumps(message))
        except OSError:
            # The connection has ended, which the next read tells. The next one begins with the instruments of then.
            pass
