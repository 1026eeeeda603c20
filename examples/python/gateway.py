"""Calls the gateway with plain requests, and keeps its promise on this side.

An order is one key and one body, however often it has to be sent: `change` makes both once, and repeats the same
bytes. docs/client.md has the rules, docs/problems.md the problems.
"""

import json
import os
import secrets
import time

import requests

# Problems after which nothing has happened, and which are over in moments.
WAIT = {"change_under_way", "recovering", "too_many_requests"}
# Problems with an open outcome that the same request, under the same key, can settle.
FIND_OUT = {"broker_unavailable", "internal", "journal_unavailable", "no_broker"}


class Problem(Exception):
    """The gateway has answered with a problem. Go by `code` and `may_have_executed`."""

    def __init__(self, body, key):
        super().__init__(f"{body['detail']} ({body['code']})")
        self.code = body["code"]
        self.may_have_executed = body["mayHaveExecuted"]
        self.order = body.get("order")
        self.key = key


class NoAnswer(Exception):
    """No answer says what happened. A change may have happened: send it again with the same key."""

    def __init__(self, cause, key):
        super().__init__(f"no answer: {cause}" + (f"; send the same again with the key {key}" if key else ""))
        self.may_have_executed = key is not None
        self.key = key


class Gateway:
    """`patience`: seconds after which no further attempt begins. `timeout`: seconds for one attempt."""

    def __init__(self, url, key, timeout=15.0, patience=30.0):
        self.url = url.rstrip("/")
        self.timeout = timeout
        self.patience = patience
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {key}"
        # A proxy of the environment, or a password of ~/.netrc, has nothing to do with the gateway.
        self.session.trust_env = False

    def get(self, path, **query):
        """The body of the answer: `data`, and `meta` where there is one."""
        return self._send("GET", path, query, None, None)[0]

    def change(self, method, path, body, key):
        """The body of the answer and its status. 202 means that the outcome is not known yet. None: no body, or no key."""
        return self._send(method, path, {}, None if body is None else json.dumps(body).encode(), key)

    def stream(self, path, silence, **query):
        """The messages of a stream, over as many connections as it takes; events go on after the last one.

        Yields {"type": "lost"} when a connection has ended, also where nothing came for `silence` seconds. Raises what
        `get` raises, NoAnswer once there was no connection for `patience` seconds.
        """
        last_id, attempt, lost_at = None, 0, time.monotonic()
        while True:
            attempt += 1
            headers = {"Accept": "text/event-stream"}
            if last_id is not None:
                headers["Last-Event-ID"] = last_id
            again, wait, was_open = True, 0.0, False
            try:
                with self.session.get(
                    self.url + path,
                    params=query,
                    headers=headers,
                    stream=True,
                    timeout=(self.timeout, silence),
                    allow_redirects=False,
                ) as answer:
                    if not answer.ok:
                        error = Problem(answer.json(), None)
                        again = self._may_repeat("GET", error)
                        wait = float(answer.headers.get("Retry-After", 0))
                    else:
                        error = NoAnswer("the stream has ended", None)
                        for event_id, message in _events(answer):
                            was_open = True
                            yield message
                            # Once the caller is back for more: what was handled does not come again.
                            last_id = event_id or last_id
            except (requests.RequestException, ValueError, KeyError) as cause:
                error = NoAnswer(cause, None)
            if was_open:
                attempt, lost_at = 0, time.monotonic()
                yield {"type": "lost"}
            wait = max(wait, min(0.25 * 2**attempt, 5.0))
            if not again or time.monotonic() - lost_at + wait > self.patience:
                raise error
            time.sleep(wait)

    def _send(self, method, path, query, data, key):
        headers = {} if data is None else {"Content-Type": "application/json"}
        if key is not None:
            headers["Idempotency-Key"] = key
        began = time.monotonic()
        attempt = 0
        while True:
            attempt += 1
            wait = min(0.25 * 2 ** (attempt - 1), 5.0)
            try:
                answer = self.session.request(
                    method,
                    self.url + path,
                    params=query,
                    data=data,
                    headers=headers,
                    timeout=self.timeout,
                    allow_redirects=False,
                )
                body = answer.json()
                if answer.ok and body.get("status") == "success":
                    return body, answer.status_code
                # Without these, it is not an answer of the gateway, such as the page of a proxy.
                error = Problem(body, key) if "mayHaveExecuted" in body else NoAnswer(answer.status_code, key)
                again = isinstance(error, NoAnswer) or self._may_repeat(method, error)
                wait = max(wait, float(answer.headers.get("Retry-After", 0)))
            except (requests.RequestException, ValueError) as cause:
                error, again = NoAnswer(cause, key), True
            if not again or time.monotonic() - began + wait > self.patience:
                raise error
            time.sleep(wait)

    @staticmethod
    def _may_repeat(method, problem):
        if problem.may_have_executed:
            return problem.code in FIND_OUT
        # Reads and cancels do no harm when they are late. An order may: its caller decides.
        late = method in ("GET", "DELETE") and problem.code in ("broker_unavailable", "journal_unavailable")
        return problem.code in WAIT or late


def _events(answer):
    """Server-sent events: each one's id, None without one, and its data."""
    event_id, data = None, []
    for line in answer.iter_lines(chunk_size=None):
        name, _, value = line.decode("utf-8").partition(":")
        if name == "id":
            event_id = value.strip()
        elif name == "data":
            data.append(value.strip())
        elif not line and data:
            yield event_id, json.loads("\n".join(data))
            event_id, data = None, []


def connect(**options):
    """The gateway that GATEWAY names, with the key in GATEWAY_KEY."""
    key = os.environ.get("GATEWAY_KEY", "")
    if not key:
        raise SystemExit("GATEWAY_KEY is not set: make a key with `altbroker-gateway keys add NAME --scope trade`")
    return Gateway(os.environ.get("GATEWAY", "http://127.0.0.1:8420"), key, **options)


def new_key():
    """A new idempotency key. Write it down before you send the order that it is for."""
    return secrets.token_hex(16)
