import { setTimeout as pause } from 'node:timers/promises';
import { SECOND_MS } from '#schema/constants.ts';

const ADDRESS = '198.51.100.66';
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
  () => [`/api/callers/${crypto.randomUUID()}`],
  () => [`/caller/${crypto.randomUUID()}`],
  () => [`/api/token-calls/${crypto.randomUUID()}/share.png`],
  () => ['/api/auth/twitter'],
  () => ['/api/telegram/webhook', 'POST'],
  () => ['/api/solana/send-transaction', 'POST'],
];

interface HammerOptions {
  readonly productUrl: string;
  readonly perSecond: number;
  readonly report: (violation: string) => void;
}

/** Sends requests from one address at this rate until it is stopped. A 500 or a broken connection is a violation. */
export function startHammer({ productUrl, perSecond, report }: HammerOptions) {
  const stopping = new AbortController();
  let refused = 0;
  const sendOne = async (count: number) => {
    const [path, method = 'GET'] = REQUESTS[count % REQUESTS.length]?.() ?? ['/'];
    const headers = { 'CF-Connecting-IP': ADDRESS };
    try {
      const { status } = await fetch(`${productUrl}${path}`, { method, headers, redirect: 'manual' });
      if (status === 429) refused += 1;
      // A third party that fails at random explains 502 to 504.
      if (status === 500) report(`${method} ${path.slice(0, 80)} responded 500 to the hammer`);
    } catch (error) {
      report(`${method} ${path.slice(0, 80)} broke the hammer's connection: ${String(error)}`);
    }
  };
  const run = async () => {
    const sent: Promise<void>[] = [];
    const startedAt = Date.now();
    while (!stopping.signal.aborted) {
      const due = ((Date.now() - startedAt) / SECOND_MS) * perSecond;
      while (sent.length < due) sent.push(sendOne(sent.length));
      await pause(TICK_MS);
    }
    await Promise.all(sent);
  };
  const running = perSecond > 0 ? run() : Promise.resolve();
  return {
    /** @returns the number of requests that were refused with 429 */
    async stop(): Promise<number> {
      stopping.abort();
      await running;
      return refused;
    },
  };
}
