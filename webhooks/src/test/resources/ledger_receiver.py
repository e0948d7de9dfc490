# Keeps a list of what it verified and accepted, safe on disk before it answers. While the file FAIL is there it refuses.
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["WEBHOOK_SECRET"])
ledger = open(os.environ["LEDGER"], "a")
lock = Lock()


class Hooks(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if os.path.exists(os.environ["FAIL"]):
            return self.answer(500)
        try:
            event = webhook.verify(body, {name.lower(): value for name, value in self.headers.items()})
            self.keep(f"{self.headers['webhook-id']} {event['id']} {event['subject']} {event['sequence']}")
            self.answer(204)
        except WebhookVerificationError as error:
            self.keep(f"FORGED {error}")
            self.answer(400)

    def keep(self, line):
        with lock:
            ledger.write(line + "\n")
            ledger.flush()
            os.fsync(ledger.fileno())

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *arguments):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Hooks).serve_forever()
