import { setTimeout as pause } from 'node:timers/promises';
import { SECOND_MS } from '#schema/constants/time.ts';
import { createId } from '#worker/shared/ids.ts';

/** Addresses of a network that is reserved for documentation. */
const addressOf = (index: number) => `198.51.100.${index + 1}`;
const TICK_MS = 5;
const MINTS = 100;
const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

const randomMint = () =>
  `Hammer${Array.from({ length: 37 }, () => letters[Math.floor(Math.random() * letters.length)]).join('')}`;

/** Expensive requests. Each is for different data, so that no cache helps. */
const REQUESTS: readonly (() => [path: string, method?: string])[] = [
  () => [`/api/prices?mints=${Array.from({ length: MINTS }, randomMint).join(',')}`],
  () => [`/api/tokens/${randomMint()}`],
  () => [`/api/tokens/search?q=${randomMint().slice(6, 12)}`],
  () => [`/api/callers?search=${randomMint().slice(6, 9)}`],
  () => [`/api/callers/${createId()}`],
  () => [`/caller/${createId()}`],
  () => [`/api/token-calls/${createId()}/share.png`],
  () => ['/api/auth/twitter'],
  () => ['/api/telegram/webhook', 'POST'],
  () => ['/api/solana/send-transaction', 'POST'],
];

interface HammerOptions {
  readonly productUrl: string;
  readonly perSecond: number;
  readonly addresses: number;
  readonly report: (violation: string) => void;
  readonly wasDisturbedSince: (from: number) => boolean;
}

/**
 * Sends requests from these addresses in turn, at this rate in all, until it is stopped. A 500 or a broken connection
 * is a violation, unless everything was disturbed.
 */
export function startHammer(options: HammerOptions) {
  const { productUrl, perSecond, addresses, report, wasDisturbedSince } = options;
  const stopping = new AbortController();
  let [sent, refused] = [0, 0];
  const sendOne = async (count: number) => {
    const [path, method = 'GET'] = REQUESTS[count % REQUESTS.length]?.() ?? ['/'];
    const headers = { 'CF-Connecting-IP': addressOf(Math.floor(count / REQUESTS.length) % addresses) };
    const from = Date.now();
    const reportUndisturbed = (violation: string) => {
      if (!wasDisturbedSince(from)) report(`${method} ${path.slice(0, 80)} ${violation}`);
    };
    try {
      const response = await fetch(`${productUrl}${path}`, { method, headers, redirect: 'manual' });
      const { status } = response;
      // An unread body would keep its connection, so each request would open another one.
      await response.arrayBuffer();
      if (status === 429) refused += 1;
      // A third party that fails at random explains 502 to 504.
      if (status === 500) reportUndisturbed('responded 500 to the hammer');
    } catch (error) {
      reportUndisturbed(`broke the hammer's connection: ${String(error)}`);
    }
  };
  const run = async () => {
    const sending: Promise<void>[] = [];
    const startedAt = Date.now();
    while (!stopping.signal.aborted) {
      const due = ((Date.now() - startedAt) / SECOND_MS) * perSecond;
      while (sending.length < due) sending.push(sendOne(sending.length));
      await pause(TICK_MS);
    }
    await Promise.all(sending);
    sent = sending.length;
  };
  const running = run();
  return {
    /** @returns the number of requests, and of those that were refused with 429 */
    async stop() {
      stopping.abort();
      await running;
      return { sent, refused };
    },
  };
}
