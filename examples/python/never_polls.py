"""A strategy that never polls. It buys once a day, when the price is at a level or below it:

python3 never_polls.py NSE:INFY 5 --below 1490 --broker paper

Prices come by their stream, and what becomes of the order comes by events. Ctrl-C ends it. Started again, also after a
crash, it goes on after the last event that it has handled, and places nothing twice.
"""

import argparse
import json
import os
import sys
import threading

from gateway import NoAnswer, Problem, connect

parser = argparse.ArgumentParser()
parser.add_argument("instrument")
parser.add_argument("quantity", type=int)
parser.add_argument("--below", type=float, required=True, help="the price at which it buys")
parser.add_argument("--broker")
parser.add_argument("--file", default="never-polls.json")
given = parser.parse_args()

gateway = connect(patience=2.0)
# What has failed in the thread of the events.
failures = []
# Both threads change the state.
lock = threading.Lock()


def newest_event():
    """Read once, and follow from there: docs/events.md."""
    return gateway.get("/api/v1/orders", limit=1)["meta"]["eventsCursor"]


# `cursor`: the last event that was handled. `orders`: the status of the order of each signal, by its key.
if os.path.exists(given.file):
    with open(given.file) as file:
        state = json.load(file)
else:
    state = {"cursor": newest_event(), "orders": {}}


def keep():
    """The cursor and what its event has changed are in one file, which is replaced as a whole."""
    with open(given.file + ".new", "w") as file:
        json.dump(state, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(given.file + ".new", given.file)


# Before anything is placed: so the events of an order are known to come after this cursor.
keep()


def follow_orders():
    wanted = {"type": "order.updated,order.fill", "instrument": given.instrument, "scope": "mine"}
    # A restart of the gateway takes seconds; a stream without a connection for ten minutes is an error.
    stream = connect(patience=600.0).stream("/api/v1/events", silence=30.0, after=state["cursor"], **wanted)
    for event in stream:
        order = event.get("data", {}).get("order")
        key = order and order["clientOrderId"]
        if not key or not key.startswith(f"dip {given.instrument} "):
            continue
        with lock:
            if event["type"] == "order.fill":
                fill = event["data"]["fill"]
                print(f"{key}: bought {fill['quantity']} at {fill['price']}", flush=True)
            if order["status"] != state["orders"].get(key):
                print(f"{key}: {order['status']}", flush=True)
            if order["status"] == "disputed":
                print("A person has to look: docs/orders.md", file=sys.stderr)
            state["orders"][key] = order["status"]
            state["cursor"] = event["id"]
            keep()


def follow_orders_in_thread():
    try:
        try:
            follow_orders()
        except Problem as problem:
            # Events that are 30 days old are removed. Then there is nothing to follow, and it begins with those of now.
            if problem.code != "cursor_expired":
                raise
            state["cursor"] = newest_event()
            follow_orders()
    except Exception as error:
        failures.append(error)


def buy(day):
    """The key says which signal this is, so it is the same after a crash. The price of the order follows from it, too."""
    key = f"dip {given.instrument} {given.below:g} {day}"
    if key in state["orders"]:
        return
    order = {
        "instrument": given.instrument,
        "side": "BUY",
        "quantity": given.quantity,
        "product": "CNC",
        "orderType": "LIMIT",
        "price": given.below,
    }
    if given.broker:
        order["broker"] = given.broker
    try:
        answer, _ = gateway.change("POST", "/api/v1/orders", order, key)
        status = answer["data"]["status"]
        print(f"{key}: is placed, {status}", flush=True)
    except (Problem, NoAnswer) as error:
        if getattr(error, "code", None) == "idempotency_conflict":
            raise
        print(f"{key}: {error}", file=sys.stderr)
        # Where it may have arrived, the next price asks again with the same key. Else it is not placed: that is the end.
        if error.may_have_executed:
            return
        status = "not placed"
    with lock:
        # An event may have told more already. `uncertain` is not repeated either: the event that resolves it will come.
        state["orders"].setdefault(key, status)
        keep()


def follow_prices():
    # Something comes every five seconds at least: a heartbeat, where no price changes.
    stream = connect(patience=600.0).stream("/api/v1/stream", silence=10.0, instruments=given.instrument)
    for message in stream:
        if failures:
            raise failures[0]
        if message["type"] == "lost":
            print("no price is that of now, until the next one", flush=True)
        elif message["type"] == "subscribed":
            for why in message["refused"].values():
                sys.exit(why)
            print(f"watching {given.instrument}: buys {given.quantity} at {given.below:g} or less", flush=True)
        elif message["type"] in ("snapshot", "ticks"):
            for price in message["prices"]:
                if not price["stale"] and price["lastPrice"] <= given.below:
                    buy(price["receivedAt"][:10])
                print(f"{given.instrument} {price['lastPrice']:g}{' STALE' if price['stale'] else ''}", flush=True)


threading.Thread(target=follow_orders_in_thread, daemon=True).start()
try:
    follow_prices()
except KeyboardInterrupt:
    # In the middle of an order this is as a crash: events tell of it at the next start.
    print("stopped: orders that are open stay with their broker")
    for key, status in state["orders"].items():
        print(f"  {key}: {status}")
