import { afterEach, expect, it, vi } from 'vitest';
import { BROADCASTS_PER_SECOND, SECOND_MS } from '#schema/constants.ts';
import { createServices, type Services } from '../../app/services.ts';
import { runQueue } from '../../jobs/run-queue.ts';
import { createPaidCaller, makeCall, MINTS } from '../../test-support/callers.ts';
import { gatherFollowers } from '../../test-support/crowd.ts';
import { query } from '../../test-support/database.ts';
import { createQueuePlatform } from '../../test-support/queue-platform.ts';
import { seededRandom } from '../../test-support/seeded-random.ts';
import { createSlowDatabase, type Asked } from '../../test-support/slow-database.ts';
import { interceptTelegram } from '../../test-support/telegram-model.ts';
import { createTestApp, testEnv } from '../../test-support/test-app.ts';
import { createVirtualClock } from '../../test-support/virtual-clock.ts';

// The whole way from an update to ten thousand chats, in workerd and D1: only Telegram, the platform's queues and time itself are models.

const RECIPIENTS = 10_000;
/** What Telegram takes: the pace, and in one second beside it what was caught up on. */
const TAKEN_PER_SECOND = 30;
/** After so many outcomes the worker that is about to write down the next one dies, with everything that it has under way. */
const DEATHS_AFTER = [700, 2_500, 5_000];
/** And at these the write fails, and fails again, but the worker lives. */
const WRITES_LOST_AFTER = [1_400, 3_600];
const DATABASE_LATENCY_MS = 8;

afterEach(() => vi.restoreAllMocks());

const isOutcome = ({ sql }: Asked) =>
  sql.includes('INSERT INTO deliveries (event_id, chat_id, claimed_at, outcome)');

it('an update reaches ten thousand recipients: none is lost, none is told twice but where a worker died, and the bot is never slower than it may be', async () => {
  const seed = 'ten thousand';
  const quiet = (['log', 'warn'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => undefined),
  );
  const app = await createTestApp();
  const { caller } = await createPaidCaller(app, { handle: 'amara_calls' });
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await app.queue.fanOut();
  await gatherFollowers({ callerId: caller.id, count: RECIPIENTS });

  const clock = createVirtualClock(app.clock.now());
  const telegram = interceptTelegram({
    clock,
    seed,
    refusedShare: 0.1,
    blockedShare: 0.05,
    perSecond: TAKEN_PER_SECOND,
  });
  const random = seededRandom(seed);
  /** Who may be told twice: Telegram's answer was there and could not be written down. */
  const unrecorded = new Set<string>();
  let outcomes = 0;

  /** A worker on its own machine, until it dies: then nothing that it waits for ever comes. */
  const startWorker = (): { services: Services; died: Promise<never> } => {
    const { promise: died, reject: die } = Promise.withResolvers<never>();
    died.catch(() => undefined);
    let isDead = false;
    const before = async (asked: Asked) => {
      if (isOutcome(asked)) {
        const chatId = String(asked.params[1]);
        if (!isDead && !unrecorded.has(chatId)) outcomes += 1;
        if (DEATHS_AFTER.includes(outcomes) && !isDead) {
          isDead = true;
          die(new Error('The worker died'));
        }
        if (isDead || WRITES_LOST_AFTER.includes(outcomes)) unrecorded.add(chatId);
        if (!isDead && WRITES_LOST_AFTER.includes(outcomes)) throw new Error('The write is lost');
      }
      if (isDead) await new Promise(() => undefined);
    };
    const env = {
      ...testEnv,
      ...platform.bindings,
      DB: createSlowDatabase({ database: testEnv.DB, clock, latencyMs: DATABASE_LATENCY_MS, before }),
    };
    const services = createServices(env, {
      clock: { now: clock.now, sleep: (ms) => (isDead ? new Promise(() => undefined) : clock.sleep(ms)) },
      random,
    });
    return { services, died };
  };
  const platform = createQueuePlatform({
    clock,
    random,
    redeliveredShare: 0.2,
    consume: async (batch) => {
      const { services, died } = worker;
      await Promise.race([runQueue({ batch, services, clock }), died]).catch((error: unknown) => {
        worker = startWorker();
        throw error;
      });
    },
  });
  let worker = startWorker();

  const startedAt = clock.now();
  const { recipients } = await clock.run(
    worker.services.callUpdates.send({
      userId: caller.id,
      body: { callId: call.id, message: 'Take half off.' },
    }),
  );
  await platform.run();

  const chats = Array.from({ length: RECIPIENTS }, (_, index) => String(index + 1));
  const reachable = chats.filter((chatId) => !telegram.isBlocked(chatId));
  const blocked = chats.filter(telegram.isBlocked);
  const timesTold = (chatId: string) => telegram.taken.get(chatId)?.length ?? 0;
  const lost = reachable.filter((chatId) => timesTold(chatId) === 0);
  const duplicated = reachable.filter((chatId) => timesTold(chatId) > 1);
  const disconnected = await query<{ chat: string }>(
    'SELECT substr(handle, 2) AS chat FROM telegram_links WHERE chat_id IS NULL',
  );
  const [counters] = await query(
    "SELECT recipients, delivered, unreachable, failed FROM call_events WHERE kind = 'call_update'",
  );
  const wallSeconds = (telegram.figures.lastAt - startedAt) / SECOND_MS;
  const allowedSeconds = RECIPIENTS / BROADCASTS_PER_SECOND;
  for (const spy of quiet) spy.mockRestore();
  console.log(
    `ten thousand: ${reachable.length} reachable, ${blocked.length} blocked, ${lost.length} lost, ${duplicated.length} told twice of ${unrecorded.size} unrecorded, ` +
      `${telegram.figures.requests} requests, ${telegram.figures.refused} refused, ${telegram.figures.overruns} over the rate, at most ${telegram.figures.mostInASecond} a second, ` +
      `${platform.figures.batches} batches, ${platform.figures.redelivered} redelivered, ${platform.figures.died} died, ${wallSeconds.toFixed(1)} s of ${allowedSeconds} s (${(wallSeconds / allowedSeconds).toFixed(4)})`,
  );

  expect(recipients).toBe(RECIPIENTS);
  expect(lost).toEqual([]);
  // After a send that was written down nobody is told again; where it could not be, once more at most.
  expect(duplicated.filter((chatId) => !unrecorded.has(chatId) || timesTold(chatId) > 2)).toEqual([]);
  expect(disconnected.map(({ chat }) => chat).toSorted()).toEqual(blocked.toSorted());
  expect(counters).toEqual({
    recipients: RECIPIENTS,
    delivered: reachable.length,
    unreachable: blocked.length,
    failed: 0,
  });
  expect(telegram.figures.overruns).toBe(0);
  expect(wallSeconds).toBeLessThanOrEqual(1.02 * allowedSeconds);
  // And all of it did happen.
  expect(platform.figures.died).toBe(DEATHS_AFTER.length);
  expect(unrecorded.size).toBeGreaterThanOrEqual(DEATHS_AFTER.length + WRITES_LOST_AFTER.length);
  expect(platform.figures.redelivered / platform.figures.batches).toBeGreaterThan(0.15);
  expect(telegram.figures.refused / telegram.figures.requests).toBeGreaterThan(0.08);
}, 180_000);
