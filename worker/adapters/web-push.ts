import { encryptNotification } from '@block65/webcrypto-web-push';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { PushMessage } from '#schema/contracts/push.ts';
import { isPushEndpoint } from '#schema/rules/people/push-endpoint.ts';
import { cutText } from '#schema/rules/text/visible-text.ts';
import type { Clock } from '../ports/clock.ts';
import type { Messenger, OutgoingMessage, SendResult } from '../ports/messenger.ts';
import type { createVapid } from './vapid.ts';

/** A push service must accept 4,096 bytes. Encryption adds 103 (RFC 8291). */
const PUSH_PAYLOAD_MAX_BYTES = 3_993;

const TIMEOUT_MS = 10 * SECOND_MS;
const DEFAULT_RETRY_SECONDS = 30;
const HTTP_TOO_MANY = 429;

export interface PushDevice {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

export interface WebPushOptions {
  readonly vapid: Pick<ReturnType<typeof createVapid>, 'authorize'>;
  readonly services: readonly string[];
  readonly defaultUrl: string;
  readonly forget: (endpoints: readonly string[]) => Promise<void>;
  readonly clock: Clock;
}

/**
 * Sends a message to a person's browsers. A further attempt leaves out browsers that have got the message, or whose
 * push service has refused it for good. A browser is named by its public key.
 */
export function createWebPush(options: WebPushOptions): Pick<Messenger, 'send'> {
  const { forget, services } = options;
  return {
    async send(message): Promise<SendResult> {
      const before = message.settled ?? [];
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The repository of the browsers wrote it.
      const devices = (JSON.parse(message.chatId) as PushDevice[]).filter(
        ({ endpoint, p256dh }) => isPushEndpoint(endpoint, services) && !before.includes(p256dh),
      );
      const results = await Promise.all(
        devices.map(async (device) => ({ device, ...(await post(device, message, options)) })),
      );
      const listWith = (...statuses: readonly PostStatus[]) =>
        results.filter(({ status }) => statuses.includes(status));
      const gone = listWith('gone');
      if (gone.length > 0) await forget(gone.map(({ device }) => device.endpoint));
      const settled = [...before, ...listWith('sent', 'gone', 'refused').map(({ device }) => device.p256dh)];
      const [failed] = listWith('failed');
      if (failed) return { status: 'failed', cause: failed.cause, settled };
      const waits = listWith('rate_limited').map(({ retryAfterSeconds = 0 }) => retryAfterSeconds);
      if (waits.length > 0) return { status: 'rate_limited', retryAfterSeconds: Math.max(...waits), settled };
      return { status: before.length + listWith('sent').length > 0 ? 'sent' : 'unreachable' };
    },
  };
}

/** `gone`: the browser has unsubscribed. `refused`: its push service will never accept this message. */
type PostStatus = 'sent' | 'gone' | 'refused' | 'rate_limited' | 'failed';

interface PostResult {
  readonly status: PostStatus;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

const FINAL: Readonly<Record<number, PostStatus>> = {
  400: 'refused',
  404: 'gone',
  410: 'gone',
  413: 'refused',
};

/** Never throws. A refused key (401 or 403) counts as failed, because it may be ours. */
async function post(
  device: PushDevice,
  message: OutgoingMessage,
  options: WebPushOptions,
): Promise<PostResult> {
  try {
    const { status, ok, headers } = await request(device, message, options);
    if (ok) return { status: 'sent' };
    if (status === HTTP_TOO_MANY) {
      const seconds = Number(headers.get('Retry-After'));
      return { status: 'rate_limited', retryAfterSeconds: seconds > 0 ? seconds : DEFAULT_RETRY_SECONDS };
    }
    const cause = new Error(`${new URL(device.endpoint).host} responded ${status}`);
    return { status: FINAL[status] ?? 'failed', cause };
  } catch (cause) {
    return { status: 'failed', cause };
  }
}

async function request(
  { endpoint, p256dh, auth }: PushDevice,
  message: OutgoingMessage,
  { vapid, clock, defaultUrl }: WebPushOptions,
): Promise<Response> {
  const { text, buttons = [], tag = '', expiresAt = clock.now() } = message;
  // A call's Buy button comes before Open.
  const link = buttons.findLast((button) => 'url' in button);
  const content: PushMessage = { text, url: link?.url ?? defaultUrl, tag };
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
  return response;
}

const CUT_STEP = 50;

/** Encodes the message. Cuts a text that is too long for push services; the page shows all of it. */
function fitPayload(message: PushMessage): Uint8Array {
  for (let length = message.text.length; ; length -= CUT_STEP) {
    const text = cutText(message.text, length);
    const payload = new TextEncoder().encode(JSON.stringify({ ...message, text }));
    if (payload.length <= PUSH_PAYLOAD_MAX_BYTES || length <= 0) return payload;
  }
}
