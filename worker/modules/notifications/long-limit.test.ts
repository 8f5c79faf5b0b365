import { afterEach, expect, it, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#schema/constants.ts';
import { createServices } from '../../app/services.ts';
import { runQueue } from '../../jobs/run-queue.ts';
import { createPaidCaller, makeCall, MINTS } from '../../test-support/callers.ts';
import { gatherFollowers } from '../../test-support/crowd.ts';
import { query } from '../../test-support/database.ts';
import { createQueuePlatform } from '../../test-support/queue-platform.ts';
import { seededRandom } from '../../test-support/seeded-random.ts';
import { createSlowDatabase } from '../../test-support/slow-database.ts';
import { interceptTelegram } from '../../test-support/telegram-model.ts';
import { createTestApp, testEnv } from '../../test-support/test-app.ts';
import { createVirtualClock } from '../../test-support/virtual-clock.ts';

// A queue hands a message over a hundred and one times at most. Telegram can limit a bot for much longer than that.

const FOLLOWERS = 3;

afterEach(() => vi.restoreAllMocks());

/** The product with its queues at a virtual clock; Telegram takes nothing for so long. */
async function createLimitedWorld({
  limitedMs,
  retryAfterSeconds,
}: {
  limitedMs: number;
  retryAfterSeconds: number;
}) {
  for (const level of ['log', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation(() => undefined);
  }
  const app = await createTestApp();
  const { caller } = await createPaidCaller(app, { handle: 'amara_calls' });
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await app.queue.fanOut();
  await gatherFollowers({ callerId: caller.id, count: FOLLOWERS });
  const clock = createVirtualClock(app.clock.now());
  const limited = { until: clock.now() + limitedMs, retryAfterSeconds };
  const telegram = interceptTelegram({
    clock,
    seed: 'limited',
    refusedShare: 0,
    blockedShare: 0,
    perSecond: 30,
    limited,
  });
  const random = seededRandom('limited');
  const platform = createQueuePlatform({
    clock,
    random,
    redeliveredShare: 0,
    consume: (batch) => runQueue({ batch, services, clock }),
  });
  const env = {
    ...testEnv,
    ...platform.bindings,
    DB: createSlowDatabase({ database: testEnv.DB, clock, latencyMs: 8 }),
  };
  const services = createServices(env, { clock, random });
  const sendUpdate = () =>
    clock.run(
      services.callUpdates.send({ userId: caller.id, body: { callId: call.id, message: 'Take half off.' } }),
    );
  const timesTold = () =>
    Array.from({ length: FOLLOWERS }, (_, index) => telegram.taken.get(String(index + 1))?.length ?? 0);
  return { platform, sendUpdate, timesTold, clock };
}

it('a bot that may send nothing for 50 minutes loses nobody, and tells nobody twice', async () => {
  const { platform, sendUpdate, timesTold } = await createLimitedWorld({
    limitedMs: 50 * MINUTE_MS,
    retryAfterSeconds: 5,
  });
  await sendUpdate();
  await platform.run();
  expect(timesTold()).toEqual([1, 1, 1]);
  expect(platform.figures.dead).toBe(0);
  expect(platform.figures.batches).toBeGreaterThan(3 * 101);
  expect(await query('SELECT * FROM dead_letters')).toEqual([]);
}, 60_000);

it('a notice outlasts twenty hours', async () => {
  const { platform, timesTold } = await createLimitedWorld({
    limitedMs: 20 * HOUR_MS,
    retryAfterSeconds: 600,
  });
  const [someone] = await query<{ id: string }>("SELECT id FROM users WHERE twitter_handle = 'f1'");
  await query('INSERT INTO payout_changes (caller_id, at) VALUES (?, 0)', someone?.id);
  const [change] = await query<{ seq: number }>(
    'SELECT seq FROM payout_changes WHERE caller_id = ?',
    someone?.id,
  );
  await platform.bindings.NOTICES.sendBatch([
    { body: { kind: 'payout_changed', userId: someone?.id, seq: change?.seq } },
  ]);
  await platform.run();
  expect(timesTold()).toEqual([1, 0, 0]);
  expect([platform.figures.dead, await query('SELECT * FROM dead_letters')]).toEqual([0, []]);
}, 60_000);

it('what is given up is given up for its age alone', async () => {
  const { platform, sendUpdate, timesTold, clock } = await createLimitedWorld({
    limitedMs: 2 * HOUR_MS,
    retryAfterSeconds: 20,
  });
  const startedAt = clock.now();
  await sendUpdate();
  await platform.run();
  expect([timesTold(), platform.figures.dead]).toEqual([[0, 0, 0], 0]);
  const letters = await query<{ body: string; at: number }>(
    "SELECT body, at FROM dead_letters WHERE reason = 'too_old' AND queue = 'notifications'",
  );
  expect(letters).toHaveLength(FOLLOWERS);
  for (const { body, at } of letters) {
    expect(at - startedAt).toBeGreaterThanOrEqual(HOUR_MS);
    // As it is put into its queue once more.
    expect(Object.keys(JSON.parse(body) as object)).toEqual(['kind', 'eventId', 'userId']);
  }
  expect(await query("SELECT failed FROM call_events WHERE kind = 'call_update'")).toEqual([
    { failed: FOLLOWERS },
  ]);
}, 60_000);
