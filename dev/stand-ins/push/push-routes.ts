import { Hono } from 'hono';
import { checkVapid } from './check-vapid.ts';
import type { PushService } from './push-service.ts';

const MAX_BYTES = 4_096;

/** Responds like a browser vendor's push service (RFC 8030). */
export function createPushRoutes({ push, now }: { push: PushService; now: () => number }): Hono {
  return new Hono().post('/:id', async (c) => {
    const { origin } = new URL(c.req.url);
    const browser = push.find(c.req.param('id'));
    if (browser === undefined) return c.text('No such subscription', 404);
    if (browser.status !== null) return c.text('', browser.status as 410);
    const key = checkVapid({ authorization: c.req.header('Authorization') ?? '', origin, now: now() });
    if (key === null) return c.text('The VAPID header is invalid', 403);
    const ttl = Number(c.req.header('TTL') ?? 'missing');
    if (!Number.isInteger(ttl) || c.req.header('Content-Encoding') !== 'aes128gcm') {
      return c.text('TTL and Content-Encoding: aes128gcm are required', 400);
    }
    const retryAfterSeconds = push.takeLimit();
    if (retryAfterSeconds !== null) return c.text('', 429, { 'Retry-After': String(retryAfterSeconds) });
    const body = new Uint8Array(await c.req.arrayBuffer());
    if (body.length > MAX_BYTES) return c.text('', 413);
    try {
      await push.receive(browser, body, { endpoint: c.req.url, ttl, key });
    } catch (error) {
      return c.text(`The message can't be decrypted: ${String(error)}`, 400);
    }
    return c.text('', 201, { Location: `${origin}/push/messages/1` });
  });
}
