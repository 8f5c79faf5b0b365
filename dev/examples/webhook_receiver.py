"""Receives webhooks, checks their signatures, and prints each message once."""
import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
PORT = int(os.environ.get("PORT", "8799"))
FILE = os.environ.get("RECEIVED", "received.txt")
MAX_AGE_SECONDS = 300

# The ids of printed messages, also after a restart. A repeated message has the same id, and only then.
received = set()
if os.path.exists(FILE):
    with open(FILE, encoding="utf-8") as lines:
        received = set(lines.read().split("\n"))


def is_genuine(headers, body):
    sent_at = headers.get("webhook-timestamp", "")
    if not sent_at.isdigit() or abs(time.time() - int(sent_at)) > MAX_AGE_SECONDS:
        return False
    signed = f"{headers.get('webhook-id')}.{sent_at}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    signatures = headers.get("webhook-signature", "").encode().split()
    return any(hmac.compare_digest(signature, expected) for signature in signatures)


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_genuine(self.headers, body):
            self.respond(401)
            return
        message_id = self.headers["webhook-id"]
        if message_id not in received:
            message = json.loads(body)
            sample = "Sample of " if message.get("isSample") else ""
            print(sample + message["type"], json.dumps(message["data"]), flush=True)
            received.add(message_id)
            with open(FILE, "a", encoding="utf-8") as lines:
                lines.write(f"{message_id}\n")
        # Confirm at the end: a message that wasn't confirmed is sent again.
        self.respond(204)

    def respond(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


HTTPServer.request_queue_size = 100
HTTPServer(("127.0.0.1", PORT), Receiver).serve_forever()
