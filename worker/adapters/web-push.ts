import { encryptNotification } from '@block65/webcrypto-web-push';
import { PUSH_PAYLOAD_MAX_BYTES, SECOND_MS } from '#schema/constants.ts';
import type { PushMessage } from '#schema/contracts/push.ts';
import { isPushEndpoint } from '#schema/rules/people/push-endpoint.ts';
import type { Clock } from '../ports/clock.ts';
import type { Messenger, OutgoingMessage, SendResult } from '../ports/messenger.ts';
import { fromBase64Url } from '../shared/base64.ts';
import type { createVapid } from './vapid.ts';

const TIMEOUT_MS = 10 * SECOND_MS;
const DEFAULT_RETRY_SECONDS = 30;
const HTTP_NOT_FOUND = 404;
const HTTP_GONE = 410;
const HTTP_TOO_MANY = 429;

export interface PushDevice {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

export interface WebPushOptions {
  readonly vapid: Pick<ReturnType<typeof createVapid>, 'authorize'>;
  /** Origins of the permitted push services (`isPushEndpoint`). */
  readonly services: readonly string[];
  /** The URL that a message without a button opens. */
  readonly defaultUrl: string;
  /** Deletes the subscriptions of browsers that have unsubscribed. */
  readonly forget: (endpoints: readonly string[]) => Promise<void>;
  readonly clock: Clock;
}

/** True if messages can be encrypted for the key, a point on P-256 in base64url. */
export async function isPushKey(p256dh: string): Promise<boolean> {
  const algorithm = { name: 'ECDH', namedCurve: 'P-256' };
  try {
    const point = fromBase64Url(p256dh);
    await crypto.subtle.importKey('raw', point, algorithm, false, []);
    return true;
  } catch {
    return false;
  }
}

/** Encodes a recipient's address: all of their browsers. */
export const toAddress = (devices: readonly PushDevice[]) => JSON.stringify(devices);

/**
 * Sends a message to all browsers of a person. If one must be retried, all are, because the service worker replaces a
 * message that it has shown before.
 */
export function createWebPush(options: WebPushOptions): Pick<Messenger, 'send'> {
  const { forget, services } = options;
  return {
    async send(message): Promise<SendResult> {
      const devices = (JSON.parse(message.chatId) as PushDevice[]).filter(({ endpoint }) =>
        isPushEndpoint(endpoint, services),
      );
      const results = await Promise.allSettled(
        devices.map(async (device) => ({ device, ...(await post(device, message, options)) })),
      );
      const responses = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      const gone = responses.filter(({ status }) => status === 'unreachable');
      if (gone.length > 0) await forget(gone.map(({ device }) => device.endpoint));
      const limited = responses.filter(({ status }) => status === 'rate_limited');
      const failed = results.find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
      if (limited.length > 0) {
        const retryAfterSeconds = Math.max(...limited.map(({ retryAfterSeconds }) => retryAfterSeconds));
        return { status: 'rate_limited', retryAfterSeconds };
      }
      return { status: gone.length === devices.length ? 'unreachable' : 'sent' };
    },
  };
}

/** @throws if the push service doesn't accept the message, but may accept it later */
async function post(
  device: PushDevice,
  message: OutgoingMessage,
  { vapid, clock, defaultUrl }: WebPushOptions,
) {
  const { endpoint, p256dh, auth } = device;
  const { text, buttons = [], tag = '', expiresAt = clock.now() } = message;
  const content: PushMessage = { text, url: buttons[0]?.url ?? defaultUrl, tag };
  const body = await encryptNotification(
    { endpoint, expirationTime: null, keys: { p256dh, auth } },
    fitPayload(content),
  );
  const response = await fetch(endpoint, {
    method: 'POST',
    body,
    headers: {
      Authorization: await vapid.authorize(endpoint),
      'Content-Encoding': 'aes128gcm',
      'Content-Type': 'application/octet-stream',
      TTL: String(Math.max(0, Math.ceil((expiresAt - clock.now()) / SECOND_MS))),
      Urgency: 'high',
    },
    // A redirect could lead away from the permitted service.
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  const { status, ok, headers } = response;
  if (ok) return { status: 'sent', retryAfterSeconds: 0 } as const;
  if (status === HTTP_NOT_FOUND || status === HTTP_GONE) {
    return { status: 'unreachable', retryAfterSeconds: 0 } as const;
  }
  if (status !== HTTP_TOO_MANY) throw new Error(`${new URL(endpoint).host} responded ${status}`);
  const seconds = Number(headers.get('Retry-After'));
  return {
    status: 'rate_limited',
    retryAfterSeconds: seconds > 0 ? seconds : DEFAULT_RETRY_SECONDS,
  } as const;
}

/** Encodes the message. Cuts a text that is too long for push services; the page shows all of it. */
export function fitPayload(message: PushMessage): Uint8Array {
  const encode = (text: string) => new TextEncoder().encode(JSON.stringify({ ...message, text }));
  const whole = encode(message.text);
  if (whole.length <= PUSH_PAYLOAD_MAX_BYTES) return whole;
  const characters = [...message.text];
  let [fits, tooLong] = [0, characters.length];
  while (tooLong - fits > 1) {
    const midpoint = Math.floor((fits + tooLong) / 2);
    if (encode(`${characters.slice(0, midpoint).join('')}…`).length <= PUSH_PAYLOAD_MAX_BYTES) {
      fits = midpoint;
    } else tooLong = midpoint;
  }
  return encode(`${characters.slice(0, fits).join('')}…`);
}
