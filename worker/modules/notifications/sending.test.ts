import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  DELIVERY_LEASE_MS,
  NOTIFICATION_LIFETIME_MS,
  SECOND_MS,
  TELEGRAM_TIMEOUT_MS,
} from '#schema/constants.ts';
import type { SendResult } from '../../ports/messenger.ts';
import { createDatabase } from '../../shared/database.ts';
import { query } from '../../test-support/database.ts';
import { testEnv } from '../../test-support/test-app.ts';
import { createDeliveriesRepository } from './deliveries.repository.ts';
import type { PlanBatch } from './delivery-plans.ts';
import type { NotificationMessage } from './notification-message.ts';
import { createPacer } from './pacer.ts';
import { CLAIM_FRESH_MS, sendClaimed, type Task } from './sending.ts';

// What one run makes of a hundred messages, at a clock at which only sleeping and Telegram take time.

const COUNT = 100;
const SENT: SendResult = { status: 'sent' };
const refused = (retryAfterSeconds: number): SendResult => ({ status: 'rate_limited', retryAfterSeconds });
let now: number;
const clock = {
  now: () => now,
  sleep: async (milliseconds: number) => {
    now += milliseconds;
  },
};
const repository = createDeliveriesRepository(createDatabase(testEnv.DB));

beforeEach(() => {
  now = 1_780_000_000_000;
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

const planFor = (place: number) => ({ eventId: 'event', chatId: String(place), text: 'Hello.' });
const placeOf = ({ userId }: NotificationMessage) => Number(userId.slice(1));
const planAsBefore: PlanBatch = () => async (message) => planFor(placeOf(message));

/** Claims and sends a hundred; Telegram's answer to each is given by its place. Gives what became of each, and how many were asked at all and at once. */
async function sendAll(
  answer: (place: number) => Promise<SendResult>,
  { planBatch = planAsBefore, ageMs = 0 }: { planBatch?: PlanBatch; ageMs?: number } = {},
) {
  const fates: (number | 'done' | 'given up')[] = [];
  const tasks = Array.from({ length: COUNT }, (_, place): Task => {
    const decide = (fate: (typeof fates)[number]) => {
      if (fates[place] !== undefined) throw new Error('decided twice');
      fates[place] = fate;
    };
    const letter = {
      body: { kind: 'call_event', eventId: 'event', userId: `u${place}` } as const,
      attempts: 1,
      since: now - ageMs,
      done: () => decide('done'),
      retry: async (seconds: number) => decide(seconds),
      giveUp: async () => decide('given up'),
    };
    return { ...planFor(place), letter };
  });
  expect(await repository.claim({ deliveries: tasks, now })).toHaveLength(COUNT);
  const asked: number[] = [];
  let open = 0;
  let mostOpen = 0;
  const send = async ({ chatId }: { chatId: string }) => {
    asked.push(Number(chatId));
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    try {
      return await answer(Number(chatId));
    } finally {
      open -= 1;
    }
  };
  const messenger = { send, startUrl: () => '', answerUpdate: () => Promise.resolve(null) };
  const counts = await sendClaimed({
    tasks,
    plannedAt: now,
    claimedAt: now,
    planBatch,
    line: createPacer({ clock, perSecond: 25 }).openLine(),
    repository,
    messenger,
    clock,
  });
  return { fates, asked, mostOpen, counts };
}

const leftClaimed = async () => (await query('SELECT chat_id FROM deliveries WHERE outcome IS NULL')).length;

describe('a run of a hundred messages', () => {
  it('sends them all, several at once, in four seconds', async () => {
    const startedAt = now;
    const { fates, mostOpen, counts } = await sendAll(async () => SENT);
    expect(fates).toEqual(Array.from({ length: COUNT }, () => 'done'));
    expect(counts).toEqual({
      delivered: COUNT,
      unreachable: 0,
      rateLimited: 0,
      failed: 0,
      postponed: 0,
      unwanted: 0,
    });
    expect(mostOpen).toBeLessThanOrEqual(6);
    expect(now - startedAt).toBe(99 * 40);
  });

  it('goes on past a refusal, which waits by itself', async () => {
    const { fates, counts } = await sendAll(async (place) => (place % 10 === 3 ? refused(7) : SENT));
    expect(fates).toEqual(Array.from({ length: COUNT }, (_, place) => (place % 10 === 3 ? 7 : 'done')));
    expect(counts).toMatchObject({ delivered: 90, rateLimited: 10, postponed: 0 });
    expect(await leftClaimed()).toBe(0);
  });

  it('stops asking where nothing but refusals comes: the rest waits as long as the longest says, and nothing stays claimed', async () => {
    const { fates, asked, counts } = await sendAll(async (place) => refused(place === 1 ? 30 : 5));
    expect(asked.length).toBeLessThanOrEqual(6 + 3);
    expect(counts.postponed).toBe(COUNT - asked.length);
    expect(fates.filter((_, place) => !asked.includes(place))).toEqual(
      Array.from({ length: COUNT - asked.length }, () => 30),
    );
    expect(await query('SELECT * FROM deliveries')).toEqual([]);
  });

  it('stops asking where refusals become most of the answers', async () => {
    const { asked, counts } = await sendAll(async (place) => (place < 40 ? SENT : refused(5)));
    expect(counts.delivered).toBe(40);
    expect(asked.length).toBeLessThanOrEqual(40 + 11 + 6);
    expect(await leftClaimed()).toBe(0);
  });

  it('begins nothing that could outlast its claim', async () => {
    expect(CLAIM_FRESH_MS + TELEGRAM_TIMEOUT_MS + 5 * SECOND_MS).toBeLessThanOrEqual(DELIVERY_LEASE_MS);
    // Telegram hangs: each answer takes ten seconds, one after another.
    const { fates, asked } = await sendAll(async () => {
      now += 10 * SECOND_MS;
      return { status: 'unanswered', cause: new Error('timeout') };
    });
    expect(asked.length * 10 * SECOND_MS).toBeLessThanOrEqual(DELIVERY_LEASE_MS);
    expect(fates.filter((fate) => fate === 60)).toHaveLength(asked.length);
    expect(fates.filter((fate) => fate === 0)).toHaveLength(COUNT - asked.length);
    expect(await leftClaimed()).toBe(0);
  });

  it('keeps the claim of what was sent and could not be written down, and comes back after it', async () => {
    vi.spyOn(repository, 'record').mockImplementation(async ({ chatId }) => {
      if (chatId === '5') throw new Error('The write is lost');
    });
    const { fates } = await sendAll(async () => SENT);
    expect(fates[5]).toBe(DELIVERY_LEASE_MS / SECOND_MS);
    expect(fates.filter((fate) => fate === 'done')).toHaveLength(COUNT - 1);
    expect(await query("SELECT chat_id FROM deliveries WHERE chat_id = '5'")).toHaveLength(1);
  });

  it('comes back for what could not be given back when its claim is over', async () => {
    vi.spyOn(repository, 'release').mockRejectedValue(new Error('The write is lost'));
    const { fates } = await sendAll(async (place) => (place === 5 ? refused(3) : SENT));
    expect(fates[5]).toBe(3);
    expect(await leftClaimed()).toBe(1);
    expect(
      await repository.claim({
        deliveries: [{ eventId: 'event', chatId: '5' }],
        now: now + DELIVERY_LEASE_MS,
      }),
    ).toHaveLength(1);
  });
});

describe('what was planned holds for a second', () => {
  /** Counts how often it is asked; from `from` on, it comes to something else. */
  const planUntil = (from: number, then: (place: number) => ReturnType<ReturnType<PlanBatch>>) => {
    const asked: { at: number; left: number }[] = [];
    const planBatch: PlanBatch = (messages) => {
      asked.push({ at: now, left: messages.length });
      return async (message) => (now < from ? planFor(placeOf(message)) : then(placeOf(message)));
    };
    return { asked, planBatch };
  };

  it('then all that is left is asked anew, once, and nothing beside it', async () => {
    const startedAt = now;
    const { asked, planBatch } = planUntil(Number.POSITIVE_INFINITY, async () => null);
    const { counts } = await sendAll(async () => SENT, { planBatch });
    expect(counts.delivered).toBe(COUNT);
    expect(asked).toEqual(
      [1, 2, 3].map((second) => ({ at: startedAt + second * SECOND_MS, left: COUNT - second * 25 })),
    );
    expect(now - startedAt).toBe(99 * 40);
  });

  it('who does not want it any more is not told, and their letters are done', async () => {
    const startedAt = now;
    const told: number[] = [];
    const { planBatch } = planUntil(startedAt + 1_500, async (place) =>
      place % 2 === 0 ? null : planFor(place),
    );
    const { fates, counts } = await sendAll(
      async (place) => {
        told.push(place);
        return SENT;
      },
      { planBatch },
    );
    expect(told.filter((place) => place >= 50)).toEqual(
      Array.from({ length: 25 }, (_, index) => 51 + 2 * index),
    );
    expect(fates).toEqual(Array.from({ length: COUNT }, () => 'done'));
    expect(counts).toMatchObject({ delivered: 75, unwanted: 25 });
    expect(await query('SELECT chat_id FROM deliveries')).toHaveLength(75);
  });

  it('what they are told is what is true by then, and who has another chat is told there by the next attempt', async () => {
    const startedAt = now;
    const { planBatch } = planUntil(startedAt + 500, async (place) =>
      place === 99 ? { ...planFor(place), chatId: 'other' } : planFor(place),
    );
    const { fates, asked } = await sendAll(async () => SENT, { planBatch });
    expect([fates[99], asked.includes(99)]).toEqual([0, false]);
    expect(await leftClaimed()).toBe(0);
  });

  it('where it cannot be asked, nobody is told, and the letters come back', async () => {
    const { planBatch } = planUntil(now, async () => Promise.reject(new Error('The database is away')));
    const { fates, asked } = await sendAll(async () => SENT, { planBatch });
    expect(asked).toHaveLength(25);
    expect(fates.slice(25)).toEqual(Array.from({ length: COUNT - 25 }, () => 10));
    expect(await leftClaimed()).toBe(0);
  });
});

describe('a message that is too old', () => {
  it('is not sent, and given up', async () => {
    const { fates, asked, counts } = await sendAll(async () => SENT, { ageMs: NOTIFICATION_LIFETIME_MS });
    expect(asked).toEqual([]);
    expect(fates).toEqual(Array.from({ length: COUNT }, () => 'given up'));
    expect(counts.failed).toBe(COUNT);
  });

  it('is sent until then', async () => {
    expect(
      (await sendAll(async () => SENT, { ageMs: NOTIFICATION_LIFETIME_MS - 4 * SECOND_MS })).counts.delivered,
    ).toBe(COUNT);
  });
});
