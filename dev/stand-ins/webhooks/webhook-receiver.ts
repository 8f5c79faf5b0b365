import { createHmac } from 'node:crypto';
import { Hono } from 'hono';

interface Received {
  readonly id: string;
  readonly signature: string;
  /** The signature's time in Unix seconds. */
  readonly timestamp: string;
  readonly body: string;
}

interface Receiver {
  readonly received: Received[];
  /** The status of all responses. */
  status: number;
}

/** Checks a signature as https://www.standardwebhooks.com says. */
export function isSigned({ id, signature, timestamp, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return signature.split(' ').includes(`v1,${expected}`);
}

/** Receives webhooks at any path, and shows what each path has received. */
export function createWebhookReceiver() {
  const receivers = new Map<string, Receiver>();
  const at = (name: string): Receiver => {
    const receiver = receivers.get(name) ?? { received: [], status: 204 };
    receivers.set(name, receiver);
    return receiver;
  };
  const routes = new Hono().post('/:name', async (c) => {
    const receiver = at(c.req.param('name'));
    receiver.received.push({
      id: c.req.header('webhook-id') ?? '',
      signature: c.req.header('webhook-signature') ?? '',
      timestamp: c.req.header('webhook-timestamp') ?? '',
      body: await c.req.text(),
    });
    return new Response(null, { status: receiver.status, headers: { Location: '/webhooks/elsewhere' } });
  });
  const controls = new Hono()
    .post('/:name/status/:status', (c) => {
      at(c.req.param('name')).status = Number(c.req.param('status'));
      return c.json({ ok: true });
    })
    .get('/:name', (c) => {
      const secret = c.req.query('secret') ?? '';
      return c.json(
        at(c.req.param('name')).received.map((each) => ({ ...each, isSigned: isSigned(each, secret) })),
      );
    });
  return { routes, controls, clear: () => receivers.clear() };
}
