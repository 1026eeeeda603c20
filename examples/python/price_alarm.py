"""Tells once when a price is at its level or below it, over WebSocket, and ends when it has told of all:

python3 price_alarm.py NSE:INFY=1490 NSE:TCS=3100

A price that is stale raises no alarm, and neither does anything from before a connection was lost.
"""

import sys

from gateway import connect
from price_socket import PriceSocket

# By instrument, as it was written: the level. Those that were told of are not there any more.
levels = {}
for word in sys.argv[1:]:
    instrument, _, level = word.partition("=")
    try:
        levels[instrument] = float(level)
    except ValueError:
        levels[instrument] = 0.0
    if not levels[instrument] > 0:
        sys.exit(f"{word}: takes an instrument and a level: NSE:INFY=1490")
if not levels:
    sys.exit("name at least one instrument and its level: NSE:INFY=1490")
# How each instrument was written, by the name that prices have.
written = {}


def look_at(price):
    name, last = price["instrument"], price["lastPrice"]
    text = written.get(name, name)
    # It was unsubscribed from a moment ago.
    if text not in levels:
        return
    print(f"{name} {last}{' STALE' if price['stale'] else ''}", flush=True)
    if price["stale"] or last > levels[text]:
        return
    print(f"ALARM: {name} is at {last}, which is {levels[text]:.15g} or below", flush=True)
    del levels[text]
    prices.unsubscribe(text)


prices = PriceSocket(connect(patience=2.0), instruments=lambda: list(levels))
try:
    for message in prices.messages():
        kind = message["type"]
        if kind == "subscribed":
            # An alarm that cannot come must not be waited for.
            for why in message["refused"].values():
                sys.exit(why)
            for text, name in message["instruments"].items():
                if written.setdefault(name, text) != text:
                    sys.exit(f"{text} and {written[name]} are the same instrument: name it once")
        elif kind == "feed":
            print(f"{', '.join(message['instruments'])}: {message['source']} of {message['broker']}", flush=True)
        elif kind == "lost":
            print("the connection was lost: no price is that of now, until the next one", flush=True)
        elif kind == "error":
            # `slow_consumer`, `stopping` and others: the connection ends, and the next one begins with a snapshot.
            print(f"{message['code']}: {message['message']}", file=sys.stderr, flush=True)
        elif kind in ("snapshot", "ticks"):
            for price in message["prices"]:
                look_at(price)
            if not levels:
                break
except KeyboardInterrupt:
    pass
