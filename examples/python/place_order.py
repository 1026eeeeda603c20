"""Places a limit order, watches it, and cancels what has not filled:

python3 place_order.py NSE:INFY 10 1480 --broker paper --seconds 30
"""

import argparse
import sys
import time

from gateway import Problem, connect, new_key

ENDS = {"filled", "partial", "cancelled", "rejected", "not_sent", "disputed"}

parser = argparse.ArgumentParser()
parser.add_argument("instrument")
parser.add_argument("quantity", type=int)
parser.add_argument("price", type=float)
parser.add_argument("--broker")
parser.add_argument("--seconds", type=float, default=30)
given = parser.parse_args()

gateway = connect()
terms = {
    "instrument": given.instrument,
    "side": "BUY",
    "quantity": given.quantity,
    "orderType": "LIMIT",
    "price": given.price,
    "product": "CNC",
}
if given.broker:
    terms["broker"] = given.broker

try:
    answer, _ = gateway.change("POST", "/api/v1/orders", terms, new_key())
except Problem as problem:
    # Known not to be placed: say why. Anything else ends the program, with the key to ask again with.
    if problem.may_have_executed:
        raise
    sys.exit(f"not placed: {problem}")
order = answer["data"]
path = f"/api/v1/orders/{order['id']}"
print(f"{order['id']} at {order['broker']} ({order['mode']})")

# `uncertain` is no end: the gateway is finding out, and the order may have filled already.
until = time.monotonic() + given.seconds
while order["status"] not in ENDS and time.monotonic() < until:
    time.sleep(0.5)
    order = gateway.get(path)["data"]

if order["status"] not in ENDS:
    print(f"still {order['status']}: cancelling")
    # A cancel can come too late, so its answer is read like any other.
    order = gateway.change("DELETE", path, {}, new_key())[0]["data"]
    while order["status"] not in ENDS:
        time.sleep(0.5)
        order = gateway.get(path)["data"]

# None is "not known", not "nothing".
filled = "an unknown quantity" if order["filledQuantity"] is None else order["filledQuantity"]
print(f"{order['status']}: {filled} of {order['quantity']}")
if order["status"] == "disputed":
    sys.exit("A person has to look in the broker's app, and tell the gateway: docs/orders.md")
