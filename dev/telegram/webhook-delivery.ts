import type { Webhook } from './chat-state.ts';

const TIMEOUT_MS = 10_000;
const RETRY_AFTER_MS = 5_000;

/** An update as the Bot API posts it. */
export type Update = Record<string, unknown>;

export interface DeliveryError {
  date: number;
  message: string;
}

export interface WebhookDelivery {
  /** Posts pending updates in order; stops at the first failure. */
  deliverPending(): Promise<void>;
  lastError(): DeliveryError | undefined;
  close(): void;
}

interface DeliveryOptions {
  now: () => number;
  webhook(): Webhook | null;
  /** Pending updates, oldest first; accepted ones are removed from it. */
  pending: Update[];
  save(): void;
  /** A webhook may answer with a method call instead of calling the Bot API. */
  onReply(reply: Record<string, unknown>): void;
}

export function createWebhookDelivery({
  now,
  webhook,
  pending,
  save,
  onReply,
}: DeliveryOptions): WebhookDelivery {
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
      // Removed by identity: `pending` may have been emptied during the request.
      const index = pending.indexOf(update);
      if (index !== -1) pending.splice(index, 1);
      save();
    }
  }

  // Sequential, so that no update is posted twice or out of order.
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

async function post(options: {
  update: Update;
  target: Webhook;
  onReply: DeliveryOptions['onReply'];
}): Promise<string | undefined> {
  const { url, secretToken } = options.target;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(secretToken === null ? {} : { 'x-telegram-bot-api-secret-token': secretToken }),
      },
      body: JSON.stringify(options.update),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    if (!response.ok) return `Wrong response from the webhook: ${response.status} ${response.statusText}`;
    const reply = parseReply(text);
    if (reply !== undefined) options.onReply(reply);
    return undefined;
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError'
      ? 'Read timeout expired'
      : 'Connection refused';
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
