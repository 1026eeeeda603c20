"""What to do when the connection is cut in the middle of an order, or this program dies there:

python3 retry_safely.py NSE:INFY 1 --broker paper --patience 30

The intent is on disk before it is sent. If its outcome is not known when the program ends, start it again: it sends the
same order with the same key, which places no second one, and answers what became of the first.
"""

import argparse
import json
import os
import sys

from gateway import NoAnswer, Problem, connect, new_key

parser = argparse.ArgumentParser()
parser.add_argument("instrument")
parser.add_argument("quantity", type=int)
parser.add_argument("--broker")
parser.add_argument("--patience", type=float, default=30)
parser.add_argument("--file", default="open-order.json")
given = parser.parse_args()

if os.path.exists(given.file):
    with open(given.file) as file:
        intent = json.load(file)
    print(f"asking again about the order with the key {intent['key']}")
else:
    body = {
        "instrument": given.instrument,
        "side": "BUY",
        "quantity": given.quantity,
        "orderType": "MARKET",
        "product": "CNC",
    }
    if given.broker:
        body["broker"] = given.broker
    intent = {"key": new_key(), "body": body}
    with open(given.file, "w") as file:
        json.dump(intent, file)
        file.flush()
        os.fsync(file.fileno())

try:
    gateway = connect(patience=given.patience)
    answer, _ = gateway.change("POST", "/api/v1/orders", intent["body"], intent["key"])
except (Problem, NoAnswer) as error:
    if error.may_have_executed:
        print(f"not known whether it is placed: start this again.\n{error}", file=sys.stderr)
        sys.exit(2)
    os.replace(given.file, given.file + ".done")
    sys.exit(f"known not to be placed.\n{error}")
# `uncertain` is an order as well: its id is known, and GET /api/v1/orders/{id} tells how it goes on.
print(f"{answer['data']['id']} is placed: {answer['data']['status']}")
os.replace(given.file, given.file + ".done")
