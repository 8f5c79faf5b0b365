import type { PendingUpdate, Webhook } from './telegram-state.ts';

const TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 40;
const MAX_RETRY_SECONDS = 60;

export interface DeliveryError {
  date: number;
  message: string;
}

interface DeliveryOptions {
  now: () => number;
  webhook(): Webhook | null;
  /** Updates that the webhook hasn't accepted yet, oldest first. Delivery removes the accepted ones. */
  pending: PendingUpdate[];
  save(): void;
  /** Called with the Bot API method that the webhook's response contains, if any. */
  onReply(reply: Record<string, unknown>): void;
}

interface Queue {
  running: Promise<void>;
  failures: number;
  retry: NodeJS.Timeout | undefined;
}

/**
 * Posts updates as Telegram does: one after the other within a queue (`queueOf`), but up to 40 queues at the
 * same time. A failure holds up its own queue only.
 */
export function createWebhookDelivery({ now, webhook, pending, save, onReply }: DeliveryOptions) {
  const queues = new Map<string, Queue>();
  const limit = createLimit(MAX_CONNECTIONS);
  let error: DeliveryError | undefined;
  let isClosed = false;

  function find(name: string): Queue {
    const queue = queues.get(name) ?? { running: Promise.resolve(), failures: 0, retry: undefined };
    queues.set(name, queue);
    return queue;
  }

  async function deliverQueue(name: string, queue: Queue): Promise<void> {
    clearTimeout(queue.retry);
    const next = () => pending.find(({ update }) => queueOf(update) === name);
    for (let entry = next(); entry !== undefined; entry = next()) {
      const target = webhook();
      if (target === null || isClosed) return;
      const { update, expiresAt } = entry;
      const failure = expiresAt <= now() ? undefined : await limit(() => post({ update, target, onReply }));
      if (isClosed) return;
      if (failure !== undefined) {
        error = { date: Math.floor(now() / 1000), message: failure };
        retryLater(name, queue);
        return;
      }
      queue.failures = 0;
      // `pending` may have been cleared during the request, so search for the update again.
      const index = pending.indexOf(entry);
      if (index !== -1) pending.splice(index, 1);
      save();
    }
    queues.delete(name);
  }

  /** At once, and then after 2, 4, 8, … 60 seconds. */
  function retryLater(name: string, queue: Queue): void {
    const seconds = queue.failures === 0 ? 0 : Math.min(2 ** queue.failures, MAX_RETRY_SECONDS);
    queue.failures += 1;
    queue.retry = setTimeout(() => void start(name), seconds * 1000).unref();
  }

  function start(name: string): Promise<void> {
    const queue = find(name);
    const run = () => deliverQueue(name, queue);
    queue.running = queue.running.then(run, run);
    return queue.running;
  }

  return {
    /** Resolves when these updates were posted once, or wait behind a failed update. */
    async deliver(entries: readonly PendingUpdate[] = pending): Promise<void> {
      const names = new Set(entries.map(({ update }) => queueOf(update)));
      await Promise.all([...names].map(start));
    },
    lastError: () => error,
    close(): void {
      isClosed = true;
      for (const { retry } of queues.values()) clearTimeout(retry);
    },
  };
}

/** The queues of `Client::add_update` in the source of the Bot API: by chat, or by the user who acts. */
function queueOf(update: Record<string, unknown>): string {
  const [kind = '', content] = Object.entries(update).find(([key]) => key !== 'update_id') ?? [];
  const read = (...path: string[]) =>
    path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], content);
  if (kind === 'callback_query') return `press ${String(read('from', 'id'))}`;
  if (kind === 'my_chat_member') return `bot ${String(read('chat', 'id'))}`;
  if (kind === 'chat_join_request') return `member ${String(read('from', 'id'))}`;
  if (kind === 'chat_member') return `member ${String(read('new_chat_member', 'user', 'id'))}`;
  return `chat ${String(read('chat', 'id'))}`;
}

/** Runs at most `most` tasks at the same time. */
function createLimit(most: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

interface PostOptions {
  update: Record<string, unknown>;
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
