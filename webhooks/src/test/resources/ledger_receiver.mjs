// Keeps a list of what it verified and accepted, safe on disk before it answers. While the file FAIL is there it refuses.
import { existsSync, fsyncSync, openSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const ledger = openSync(process.env.LEDGER, "a");

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  if (existsSync(process.env.FAIL)) return response.writeHead(500).end();
  try {
    const event = webhook.verify(Buffer.concat(chunks).toString("utf8"), request.headers);
    writeSync(ledger, `${request.headers["webhook-id"]} ${event.id} ${event.subject} ${event.sequence}\n`);
    fsyncSync(ledger);
    response.writeHead(204).end();
  } catch (error) {
    writeSync(ledger, `FORGED ${error.message}\n`);
    response.writeHead(400).end();
  }
}).listen(Number(process.env.PORT), "127.0.0.1");
