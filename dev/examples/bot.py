"""Calls a token, and ends the call at +20% or -10%. After a crash, start it again: it finds its call through the API."""
import json
import os
import time
from datetime import datetime, timedelta, timezone
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

TARGET = 1.2
STOP = 0.9
BASE_URL = os.environ.get("SOLCALLERS_URL", "http://localhost:8787")
KEY = os.environ["SOLCALLERS_KEY"]
HANDLE = os.environ["HANDLE"]
MINT = os.environ["MINT"]
POLL_SECONDS = float(os.environ.get("POLL_SECONDS", "30"))


class ApiError(Exception):
    def __init__(self, body):
        self.code = body["error"]["code"]
        super().__init__(f"{self.code}: {body['message']}")


def request(method, path, body=None):
    """Repeats the request while the connection fails, the service is down or the API says that its error may pass."""
    while True:
        sent = Request(BASE_URL + path, method=method, data=body and json.dumps(body).encode())
        sent.add_header("Authorization", f"Bearer {KEY}")
        sent.add_header("Content-Type", "application/json")
        seconds = POLL_SECONDS
        try:
            try:
                with urlopen(sent, timeout=30) as response:
                    return json.load(response)
            except HTTPError as error:
                text = error.read().decode(errors="replace")
                if error.code < 500 and '"retryable":true' not in text:
                    raise ApiError(json.loads(text)) from None
                print(f"Trying again: {error.code} {text[:200]}", flush=True)
                # A date waits for the usual time, too: it isn't a number, which is a ValueError.
                seconds = float(error.headers.get("Retry-After", 0)) or POLL_SECONDS
        except (OSError, HTTPException, ValueError) as error:
            print(f"Trying again: {error}", flush=True)
        time.sleep(seconds)


def find_call():
    """Finds the bot's call: the active one, or one of the last day. A second call within a day would be unranked."""
    yesterday = datetime.now(timezone.utc) - timedelta(days=1)
    for call in request("GET", f"/api/token-calls/caller/{HANDLE}?limit=100"):
        called_at = datetime.fromisoformat(call["callTimestamp"].replace("Z", "+00:00"))
        if call["tokenMint"] == MINT and (call["isActive"] or called_at > yesterday):
            return call
    return None


def open_call():
    me = request("GET", f"/api/callers/{HANDLE}")
    token = request("GET", f"/api/tokens/{MINT}")
    if token["price"] is None:
        return None
    body = {"callerId": me["id"], "tokenMint": MINT, "tokenSymbol": token["symbol"]}
    body |= {"tokenName": token["name"], "entryPrice": token["price"]}
    try:
        return request("POST", "/api/token-calls", body)
    except ApiError as error:
        # The first request arrived, but its response was lost; or the price has moved since it was read.
        if error.code not in ("calls.already_called", "calls.price_moved"):
            raise
        return None


call = find_call()
while call is None:
    call = open_call() or find_call()
    if call is None:
        time.sleep(POLL_SECONDS)
print(f"Called {call['tokenSymbol']} at {call['entryPrice']}: {BASE_URL}/call/{call['id']}", flush=True)

while True:
    now = request("GET", f"/api/token-calls/{call['id']}")
    if not now["isActive"]:
        print(f"Ended at {now['endPrice']}.", flush=True)
        break
    price = now.get("lastPrice", {}).get("price", call["entryPrice"])
    factor = float(price) / float(call["entryPrice"])
    if factor <= STOP or factor >= TARGET:
        # A gain in the first ten minutes would count as 0%. A loss always counts.
        query = "?onlyIfCounted=true" if factor >= TARGET else ""
        try:
            request("PATCH", f"/api/token-calls/{call['id']}/end{query}")
            continue
        except ApiError as error:
            # If somebody else ended the call, the next reading shows its result.
            if error.code == "calls.already_ended":
                continue
            if error.code != "calls.gain_not_counted":
                raise
            print(error, flush=True)
    time.sleep(POLL_SECONDS)
