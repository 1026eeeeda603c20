"""Cancels every open order of this key, closes what it holds, and waits until both are over:

python3 exit_everything.py --broker paper
"""

import argparse
import sys
import time

from gateway import connect, new_key

parser = argparse.ArgumentParser()
parser.add_argument("--broker")
parser.add_argument("--scope", choices=["mine", "account"], default="mine")
parser.add_argument("--holdings", default="", help="delivery shares to sell: NSE:INFY,NSE:TCS")
given = parser.parse_args()

gateway = connect()
about = {"scope": given.scope}
if given.broker:
    about["broker"] = given.broker

# The same key again is about the same orders: so the answer can be asked for until nothing is open.
key = new_key()
while True:
    answer, status = gateway.change("POST", "/api/v1/orders/cancel-all", about, key)
    if status == 200:
        break
    time.sleep(1)
print(f"{len(answer['data'])} open orders: none is open any more")

# Delivery shares are sold only where they are named.
if given.holdings:
    about["holdings"] = given.holdings.split(",")
closing = gateway.change("POST", "/api/v1/positions/close-all", about, new_key())[0]["data"]
while closing["status"] == "running":
    time.sleep(0.5)
    closing = gateway.get(f"/api/v1/positions/close-all/{closing['id']}")["data"]
for position in closing["positions"]:
    print(position["instrument"], "at", position["broker"] + ":", position["status"], position["reason"] or "")
print(f"{closing['status']}: {closing['detail']}")
if closing["status"] != "flat":
    sys.exit(1)
