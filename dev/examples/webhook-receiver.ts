// Receives webhooks, checks their signatures, and prints each message once.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';

const { WEBHOOK_SECRET: secret = '', PORT: port = '8799', RECEIVED: file = 'received.txt' } = process.env;
const MAX_AGE_SECONDS = 300;

/** The ids of printed messages, also after a restart. A repeated message has the same id, and only then. */
const received = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);

function isGenuine(headers: IncomingHttpHeaders, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) < MAX_AGE_SECONDS)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return String(signatures)
    .split(' ')
    .some((signature) => {
      const sent = Buffer.from(signature.replace('v1,', ''), 'base64');
      return sent.length === expected.length && timingSafeEqual(sent, expected);
    });
}

createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    // The connection was lost, so the message will be repeated.
    return;
  }
  const body = Buffer.concat(chunks).toString();
  if (!isGenuine(request.headers, body)) {
    response.writeHead(401).end();
    return;
  }
  const id = String(request.headers['webhook-id']);
  if (!received.has(id)) {
    const { type, data, isSample } = JSON.parse(body) as { type: string; data: unknown; isSample?: true };
    console.log(`${isSample ? 'Sample of ' : ''}${type} ${JSON.stringify(data)}`);
    received.add(id);
    appendFileSync(file, `${id}\n`);
  }
  // Confirm at the end: a message that wasn't confirmed is sent again.
  response.writeHead(204).end();
}).listen(Number(port), '127.0.0.1');
