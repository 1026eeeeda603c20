"""Shows prices as they come, for some seconds:   python3 stream_prices.py NSE:INFY NSE:TCS --seconds 10"""

import argparse
import time

from gateway import connect

parser = argparse.ArgumentParser()
parser.add_argument("instruments", nargs="*", default=["NSE:INFY", "NSE:RELIANCE"])
parser.add_argument("--seconds", type=float, default=30.0)
given = parser.parse_args()

end = time.monotonic() + given.seconds
try:
    # Something comes every five seconds at least: a heartbeat, where no price changes.
    for message in connect().stream("/api/v1/stream", silence=10.0, instruments=",".join(given.instruments), mode="quote"):
        kind = message["type"]
        if kind == "subscribed":
            for instrument, why in message["refused"].items():
                print(f"{instrument} is refused: {why}")
        elif kind == "feed":
            print(f"{', '.join(message['instruments'])}: {message['source']} of {message['broker']}")
        elif kind == "lost":
            # A strategy would stop here: what it knows is not the price of now any more.
            print("the connection was lost")
        elif kind in ("snapshot", "ticks"):
            for price in message["prices"]:
                late = f" STALE, of {price['receivedAt']}" if price["stale"] else ""
                print(f"{price['instrument']} {price['lastPrice']}{late}")
        if time.monotonic() > end:
            break
except KeyboardInterrupt:
    pass
