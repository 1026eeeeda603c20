"""A WebSocket (RFC 6455) of the standard library alone: as much of one as a stream of prices needs.

Where the package websocket-client is installed (`apt-get install python3-websocket`, or from PyPI), it replaces this file:
`websocket.create_connection(url, timeout=10)` has `send`, `recv` and `close`.
"""

import base64
import hashlib
import os
import socket
import ssl
import struct
from urllib.parse import urlsplit

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
# RFC 6455, section 1.3: what the server has to know, so that its answer is that of a WebSocket.
GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
# Messages of the gateway are far below this. A longer frame is not one of them.
LONGEST = 64 * 1024 * 1024


class WebSocket:
    """Opens a connection. Every error is an OSError; nothing for `timeout` seconds is one too."""

    def __init__(self, url, timeout):
        parts = urlsplit(url)
        is_secure = parts.scheme == "wss"
        self._socket = socket.create_connection((parts.hostname, parts.port or (443 if is_secure else 80)), timeout)
        try:
            if is_secure:
                context = ssl.create_default_context()
                self._socket = context.wrap_socket(self._socket, server_hostname=parts.hostname)
            self._file = self._socket.makefile("rb")
            self._shake_hands(parts)
        except BaseException:
            self._socket.close()
            raise

    def _shake_hands(self, parts):
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall(
            (
                f"GET {parts.path}?{parts.query} HTTP/1.1\r\nHost: {parts.netloc}\r\n"
                "Upgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
            ).encode()
        )
        status = self._line()
        headers = {}
        while line := self._line():
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
        proof = base64.b64encode(hashlib.sha1((key + GUID).encode()).digest()).decode()
        if status.split(" ")[1:2] != ["101"] or headers.get("sec-websocket-accept") != proof:
            raise ConnectionError(f"the WebSocket was refused: {status}")

    def _line(self):
        line = self._file.readline(65_536)
        if not line.endswith(b"\n"):
            raise ConnectionError("the connection has ended")
        return line.decode("latin-1").strip()

    def _bytes(self, count):
        data = self._file.read(count)
        if len(data) < count:
            raise ConnectionError("the connection has ended")
        return data

    def send(self, text):
        self._frame(TEXT, text.encode())

    def _frame(self, kind, data):
        """What a client sends is masked (RFC 6455, section 5.3), and each message is one frame."""
        if len(data) < 126:
            head = struct.pack("!BB", 0x80 | kind, 0x80 | len(data))
        elif len(data) < 65_536:
            head = struct.pack("!BBH", 0x80 | kind, 0x80 | 126, len(data))
        else:
            head = struct.pack("!BBQ", 0x80 | kind, 0x80 | 127, len(data))
        mask = os.urandom(4)
        self._socket.sendall(head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(data)))

    def recv(self):
        """The next text; an empty one where the other side has closed the connection."""
        parts = []
        while True:
            first, second = self._bytes(2)
            length = second & 0x7F
            if length == 126:
                (length,) = struct.unpack("!H", self._bytes(2))
            elif length == 127:
                (length,) = struct.unpack("!Q", self._bytes(8))
            if length > LONGEST:
                raise ConnectionError(f"a frame of {length} bytes")
            data, kind = self._bytes(length), first & 0x0F
            if kind == CLOSE:
                self._frame(CLOSE, data[:2])
                return ""
            if kind == PING:
                self._frame(PONG, data)
            elif kind != PONG:
                # A long message may come in several frames; the last one has the first bit set.
                parts.append(data)
                if first & 0x80:
                    return b"".join(parts).decode()

    def close(self):
        """Cuts the connection: a dead one would never answer a close."""
        self._socket.close()
