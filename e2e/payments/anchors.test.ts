import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import { LOG_ANCHOR_MAX_MS } from '#schema/constants/log.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import {
  addCheckpoint,
  createAnchorKey,
  fundAnchors,
  listMemos,
  readAnchors,
} from '#test/payments/anchors.ts';
import { query } from '#test/database/database.ts';
import type { TestApp } from '#test/test-app.ts';
import { watchFetch } from './support/awaits.ts';
import { chooseCrashes, createCrashInjector, type Crash } from './support/crash.ts';
import { createWatchedApp } from './support/payments-app.ts';

// The worker stops at some point of a run that anchors the log. After further runs, each size that had to be anchored
// must have exactly one transaction on the chain, which the database knows.

/** `npm run test:deep` tries all crashes. */
const CRASHES_SAMPLED = inject('isDeep') ? Number.POSITIVE_INFINITY : 10;
const PAUSE_MS = 20 * SECOND_MS;
const MOST_RUNS = 20;

let unwatch: () => void;
let app: TestApp;
let address: string;
let size: number;

beforeEach(async () => {
  for (const method of ['log', 'warn', 'error'] as const) vi.spyOn(console, method).mockReturnValue();
  unwatch = watchFetch();
  const key = createAnchorKey();
  app = await createWatchedApp({ LOG_ANCHOR_KEY: key });
  address = await fundAnchors(app, { key });
  size = 0;
});
afterEach(() => unwatch());

const anchor = () => app.services.logAnchors.anchor();

/** Makes an anchor due, at the beginning of a span in which a size is anchored once. */
async function grow(): Promise<void> {
  size += 1;
  await addCheckpoint(app, size);
  await app.advance(LOG_ANCHOR_MAX_MS - (app.clock.now() % LOG_ANCHOR_MAX_MS));
}

/** Runs the job until the size is anchored. Returns the violations. */
async function repair(): Promise<string[]> {
  for (let runs = 0; runs < MOST_RUNS; runs++) {
    await app.advance(PAUSE_MS);
    await anchor().catch(() => undefined);
    const [newest] = await readAnchors();
    if (newest?.size === size) return findViolations();
  }
  return [`the size ${size} isn't anchored after ${MOST_RUNS} runs`];
}

async function findViolations(): Promise<string[]> {
  const memos = (await listMemos(address)).map(
    ({ signature, memo }) => `${memo?.split(' ')[2]} ${signature}`,
  );
  const known = (await readAnchors()).map((each) => `${each.size} ${each.signature}`);
  const open = await query('SELECT size FROM log_anchors WHERE finalized_at IS NULL AND dead_at IS NULL');
  const sizes = Array.from({ length: size }, (_, index) => String(size - index));
  return [
    ...(JSON.stringify(memos) === JSON.stringify(known)
      ? []
      : [`the chain has ${memos}, and we know ${known}`]),
    ...(known.map((each) => each.split(' ')[0]).join() === sizes.join() ? [] : [`anchors: ${known}`]),
    ...(open.length === 0 ? [] : ['an anchor is still open']),
  ];
}

it.each([
  ['signs and sends an anchor', async () => undefined],
  [
    'finalizes an anchor',
    async () => {
      await anchor();
      await app.advance(PAUSE_MS);
    },
  ],
])(
  'if an anchor run stops while it %s, later runs still give exactly one anchor per log size',
  async (_what, prepare) => {
    const found: string[] = [];
    const crashIn = async (crash?: Crash & { at: number }) => {
      await grow();
      await prepare();
      const { inWorker, timestamps } = createCrashInjector(crash);
      await inWorker(() => anchor().catch(() => undefined));
      const at = crash && timestamps[crash.at];
      found.push(...(await repair()).map((violation) => `${at?.when} ${at?.what}: ${violation}`));
      return timestamps.length;
    };
    const crashes = chooseCrashes(await crashIn(), CRASHES_SAMPLED);
    for (const crash of crashes) await crashIn(crash);
    expect(found).toEqual([]);
  },
);
