import { randomBytes } from 'node:crypto';
import { openBrowser, type Browser } from './browser.ts';

export interface ReceivedPush {
  readonly endpoint: string;
  /** The decrypted content. */
  readonly content: string;
  readonly ttl: number;
  /** The sender's VAPID key. */
  readonly key: string;
}

interface SubscribedBrowser extends Browser {
  /** The status of all responses, such as 410. Null to accept messages. */
  status: number | null;
}

export type PushService = ReturnType<typeof createPushService>;

/** A local push service together with its browsers, which decrypt each message at once. */
export function createPushService() {
  const browsers = new Map<string, SubscribedBrowser>();
  let received: ReceivedPush[] = [];
  let limit: { count: number; retryAfterSeconds: number } | null = null;

  return {
    /** Opens a browser and subscribes it. Returns the id in its address, and its keys in base64url. */
    async subscribe() {
      const [id, browser] = [randomBytes(16).toString('hex'), await openBrowser()];
      browsers.set(id, { ...browser, status: null });
      return { id, keys: browser.keys };
    },
    find: (id: string) => browsers.get(id),
    /** Returns false for an unknown browser. */
    setStatus(id: string, status: number | null): boolean {
      const browser = browsers.get(id);
      if (browser) browser.status = status;
      return browser !== undefined;
    },
    /** Makes `takeLimit` refuse the next `count` messages. */
    limitNext(next: { count: number; retryAfterSeconds: number } | null): void {
      limit = next;
    },
    /** Returns the seconds to wait if this message is over the limit; null if not. */
    takeLimit(): number | null {
      if (limit === null || limit.count === 0) return null;
      limit.count -= 1;
      return limit.retryAfterSeconds;
    },
    async receive(
      browser: Browser,
      body: Uint8Array<ArrayBuffer>,
      rest: Omit<ReceivedPush, 'content'>,
    ): Promise<void> {
      received.push({ ...rest, content: await browser.decrypt(body) });
    },
    list: () => received,
    clear(): void {
      browsers.clear();
      received = [];
      limit = null;
    },
  };
}
