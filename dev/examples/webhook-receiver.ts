// Receives webhooks, checks their signatures, and prints each event once, except those older than one already printed.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET: secret = '', PORT: port = '8799' } = process.env;
const MAX_AGE_SECONDS = 300;

/** The ids of the printed events. A retry has the same id. */
const printed = new Set<string>();
/** The newest version of each call, payment or subscription. */
const versions = new Map<string, number>();

function isGenuine(headers: Record<string, string | undefined>, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > MAX_AGE_SECONDS) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return signatures.split(' ').some((signature) => {
    const sent = Buffer.from(signature.replace('v1,', ''), 'base64');
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  });
}

createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  if (!isGenuine(request.headers as Record<string, string>, body)) {
    response.writeHead(401).end();
    return;
  }
  response.writeHead(204).end();
  const id = String(request.headers['webhook-id']);
  if (printed.has(id)) return;
  printed.add(id);
  const { type, data } = JSON.parse(body) as { type: string; data: { id: string; version: number } };
  if (data.version < (versions.get(data.id) ?? 0)) return;
  versions.set(data.id, data.version);
  console.log(`${type} ${JSON.stringify(data)}`);
}).listen(Number(port), '127.0.0.1');
