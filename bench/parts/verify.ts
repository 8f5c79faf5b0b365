import { Author, MINUTE, type World } from '#verify/test-support/history.ts';
import { check, createStore, Server } from '#verify/test-support/server.ts';
import type { Part } from '../context.ts';
import { summarize, type Result } from '../results.ts';

const SIZES = [1_000, 10_000, 100_000];
const TINY_SIZES = [300];
const CALLER = 'amara';
/** The measured caller's first call comes this many entries before the end: 96 days. */
const CALLER_SINCE = 17_280;
/** Entries of all callers between two visits. */
const NEW_ENTRIES = 20;

/** Measures what it takes to verify a caller, on a first visit and on the next one, without the network. */
export const measureVerify: Part = async ({ options: { isTiny } }) => {
  const results: Result[] = [];
  for (const size of isTiny ? TINY_SIZES : SIZES) {
    const author = createHistory(size);
    const store = createStore();
    const visit = async (when: string) => {
      const measured = await measureVisit(author.world, store);
      const what = `${size.toLocaleString('en-US')} entries, ${when} visit`;
      for (const [unit, value] of Object.entries(measured)) {
        results.push({ what, value: summarize([value]), unit });
      }
    };
    await visit('first');
    addEntries(author, author.world.events.length + NEW_ENTRIES);
    await visit('next');
  }
  return results;
};

/** An entry every eight minutes, most with an anchor. Every 20th of the newest calls is the measured caller's. */
function createHistory(size: number): Author {
  const author = new Author(1);
  author.name('bruno');
  addEntries(author, Math.max(2, size - CALLER_SINCE));
  author.name(CALLER);
  addEntries(author, size);
  return author;
}

function addEntries(author: Author, size: number): void {
  const { events } = author.world;
  const step = () => {
    author.anchor();
    author.wait(4 * MINUTE);
  };
  const isMeasured = events.some(({ caller }) => caller === CALLER);
  for (let call = 0; events.length < size; call += 1) {
    const opened = author.open(isMeasured && call % 20 === 0 ? CALLER : 'bruno', { target: null });
    step();
    author.wait(10 * MINUTE);
    author.close(opened, 1.5);
    step();
  }
}

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

async function measureVisit(world: World, store: ReturnType<typeof createStore>) {
  const server = new Server(world);
  let serverMs = 0;
  // The server does all its work before it returns its promise.
  const timed =
    <Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> => {
      const startedAt = cpuMs();
      const result = run(...args);
      serverMs += cpuMs() - startedAt;
      return result;
    };
  const startedAt = cpuMs();
  const options = { store, get: timed(server.get), callRpc: timed(server.callRpc) };
  const { outcome, failures } = await check(server, CALLER, options);
  const ms = cpuMs() - startedAt - serverMs;
  if (outcome !== 'verified') throw new Error(`The log isn't verified: ${JSON.stringify(failures)}`);
  const { site, rpc, bytes } = server.requests;
  return {
    'CPU ms': ms,
    'requests to the site': site,
    'requests to Solana': rpc,
    'kB from the site': bytes / 1_000,
  };
}
