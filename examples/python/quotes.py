"""Reads prices, and how old they are:   python3 quotes.py NSE:INFY NSE:TCS"""

import sys

from gateway import connect

instruments = sys.argv[1:] or ["NSE:INFY", "NSE:RELIANCE"]
answer = connect().get("/api/v1/quotes", instruments=",".join(instruments))

print(f"from {answer['meta']['broker']}, {answer['meta']['ageMs']} ms old")
for instrument, quote in answer["data"].items():
    print(instrument, quote["lastPrice"])
# Of several instruments, some can fail alone. One that is not in `data` has no price, which is not a price of 0.
for instrument, problem in (answer.get("errors") or {}).items():
    print(f"{instrument} has no price: {problem}")
