import type { Webhook } from './chat-state.ts';

const TIMEOUT_MS = 10_000;
const RETRY_AFTER_MS = 5_000;

export type Update = Record<string, unknown>;

export interface DeliveryError {
  date: number;
  message: string;
}

interface DeliveryOptions {
  now: () => number;
  webhook(): Webhook | null;
  /** Updates that the webhook hasn't accepted yet, oldest first. Delivery removes the accepted ones. */
  pending: Update[];
  save(): void;
  /** Called with the Bot API method that the webhook's response contains, if any. */
  onReply(reply: Record<string, unknown>): void;
}

export function createWebhookDelivery({ now, webhook, pending, save, onReply }: DeliveryOptions) {
  let error: DeliveryError | undefined;
  let running: Promise<void> = Promise.resolve();
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function deliverAll(): Promise<void> {
    clearTimeout(retry);
    for (let update = pending[0]; update !== undefined; update = pending[0]) {
      const target = webhook();
      if (target === null) return;
      const failure = isWanted({ update, target }) ? await post({ update, target, onReply }) : undefined;
      if (isClosed) return;
      if (failure !== undefined) {
        error = { date: Math.floor(now() / 1000), message: failure };
        retry = setTimeout(() => void deliverPending(), RETRY_AFTER_MS).unref();
        return;
      }
      // `pending` may have been cleared during the request, so search for the update again.
      const index = pending.indexOf(update);
      if (index !== -1) pending.splice(index, 1);
      save();
    }
  }

  // Posts updates one after the other. This way, no update is posted twice or out of order.
  function deliverPending(): Promise<void> {
    running = running.then(deliverAll, deliverAll);
    return running;
  }

  function close(): void {
    isClosed = true;
    clearTimeout(retry);
  }

  return { deliverPending, lastError: () => error, close };
}

function isWanted({ update, target }: { update: Update; target: Webhook }): boolean {
  const wanted = target.allowedUpdates;
  return wanted === null || wanted.length === 0 || wanted.some((kind) => kind in update);
}

interface PostOptions {
  update: Update;
  target: Webhook;
  onReply: DeliveryOptions['onReply'];
}

/** @returns the reason if the update wasn't accepted */
async function post({ update, target, onReply }: PostOptions): Promise<string | undefined> {
  const { url, secretToken } = target;
  const headers = new Headers({ 'content-type': 'application/json' });
  if (secretToken !== null) headers.set('x-telegram-bot-api-secret-token', secretToken);
  const body = JSON.stringify(update);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    const text = await response.text();
    if (!response.ok) return `Wrong response from the webhook: ${response.status} ${response.statusText}`;
    const reply = parseReply(text);
    if (reply !== undefined) onReply(reply);
    return undefined;
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    return isTimeout ? 'Read timeout expired' : 'Connection refused';
  }
}

function parseReply(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'method' in value ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
