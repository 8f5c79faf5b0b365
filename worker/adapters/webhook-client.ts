import { createHmac } from 'node:crypto';
import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Messenger } from '../ports/messenger.ts';
import { fromBase64, toBase64 } from '../shared/base64.ts';
import type { TokenCipher } from '../shared/token-cipher.ts';
import { allowedUrl, type UrlRules } from './allowed-url.ts';

const TIMEOUT_MS = 5 * SECOND_MS;
/** A receiver that didn't respond gets nothing for this long, then twice as long, so that it doesn't block the sender. */
const BACKOFF_MS = MINUTE_MS;
const MAX_BACKOFF_MS = HOUR_MS;
const SLOW_MS = 2 * SECOND_MS;
/** After a slow response, the back-off is this many times the response time, so that other receivers do not wait. */
const BACKOFF_PER_RESPONSE_TIME = 10;
const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 24;
const HTTP_GONE = 410;

interface WebhookOptions extends UrlRules {
  readonly cipher: TokenCipher;
  readonly clock: Clock;
}

interface Address {
  readonly userId: string;
  readonly url: string;
  readonly secretCiphertext: string;
}

interface WebhookPost {
  /** Identifies the event. Retries have the same id. */
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly body: string;
}

export type WebhookClient = ReturnType<typeof createWebhookClient>;

const createSecret = (): string =>
  `${SECRET_PREFIX}${toBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))}`;

/** Sends signed requests (https://www.standardwebhooks.com) to addresses that strangers chose. */
export function createWebhookClient(options: WebhookOptions) {
  const { cipher, clock } = options;
  /** By the id of the account, because an account has one webhook but may change its address. */
  const backoffs = new Map<string, { readonly until: number; readonly durationMs: number }>();

  /** True if the server may send requests to this address, which a stranger chose. */
  const isAllowed = (url: string): boolean => allowedUrl(url, options) !== null;

  /** Sends a signed request and returns the status. @throws without a response, or if the address isn't allowed */
  const post = async ({ id, url, secret, body }: WebhookPost): Promise<number> => {
    if (!isAllowed(url)) throw new Error('The address of the webhook is not allowed');
    const timestamp = String(Math.floor(clock.now() / SECOND_MS));
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': `${PRODUCT_NAME}-Webhooks`,
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${sign(secret, `${id}.${timestamp}.${body}`)}`,
      },
      body,
    });
    await response.body?.cancel();
    return response.status;
  };

  const send: Messenger['send'] = async ({ chatId, text, tag = '' }) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The webhooks' repository wrote it.
    const { userId, url, secretCiphertext } = JSON.parse(chatId) as Address;
    const secret = await cipher.decrypt(secretCiphertext, userId);
    if (secret === null) throw new Error('The secret of the webhook can’t be decrypted');
    const startedAt = clock.now();
    const before = backoffs.get(userId);
    const waitMs = (before?.until ?? 0) - startedAt;
    if (waitMs > 0) {
      return { status: 'rate_limited', retryAfterSeconds: Math.ceil(waitMs / SECOND_MS), isByUs: true };
    }
    let status: number;
    try {
      status = await post({ id: tag, url, secret, body: text });
    } catch (cause) {
      backOff(userId, before ? Math.min(2 * before.durationMs, MAX_BACKOFF_MS) : BACKOFF_MS);
      return { status: 'no_response', cause };
    }
    const tookMs = clock.now() - startedAt;
    if (tookMs > SLOW_MS) backOff(userId, BACKOFF_PER_RESPONSE_TIME * tookMs);
    else backoffs.delete(userId);
    if (status === HTTP_GONE) return { status: 'unreachable' };
    if (status < 200 || status > 299) throw new Error(`The receiver responded ${status}`);
    return { status: 'sent' };
  };

  const backOff = (userId: string, durationMs: number) => {
    const now = clock.now();
    for (const [each, { until }] of backoffs) if (until < now - MAX_BACKOFF_MS) backoffs.delete(each);
    backoffs.set(userId, { until: now + durationMs, durationMs });
  };

  return { createSecret, isAllowed, post, send };
}

const sign = (secret: string, text: string): string =>
  createHmac('sha256', fromBase64(secret.slice(SECRET_PREFIX.length)))
    .update(text)
    .digest('base64');
