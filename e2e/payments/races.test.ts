import type { Keypair } from '@solana/web3.js';
import { beforeEach, expect, inject, it, vi } from 'vitest';
import { INTENT_LIFETIME_MS, SUBSCRIPTION_PERIOD_MS } from '#schema/constants/money.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { OpenIntentResponse } from '#schema/contracts/payments.ts';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { readResponse } from '#test/responses.ts';
import { createPaidCaller } from '#test/people/callers.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import { query } from '#test/database/database.ts';
import { countersOf } from '#test/payments/payment-scene.ts';
import {
  claimBody,
  waitUntilConfirmed,
  land,
  openIntent,
  send,
  signPayment,
} from '#test/payments/payments.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';
import { NO_LIMITS } from '#test/test-limits.ts';
import { memo } from '#test/payments/transactions.ts';

// A hundred concurrent requests must have the effect of one. `npm run payments:races` runs more rounds.

const PARALLEL = 100;
const rounds = inject('raceRounds');
const CALLER_PART = 450_000_000;

let app: TestApp;

beforeEach(async () => {
  vi.spyOn(console, 'log').mockReturnValue();
  // Disables timeouts. All rounds share the runtime, which allows ten thousand timers.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
  app = await createTestApp({ bindings: NO_LIMITS });
});

const atOnce = <Result>(sendRequest: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: PARALLEL }, (_, index) => sendRequest(index)));
const count = async (sql: string, ...values: unknown[]) =>
  (await query<{ n: number }>(`SELECT COUNT(*) AS n FROM ${sql}`, ...values))[0]?.n ?? 0;
/** The number of a subscriber's periods, and the time from the first one's start to the last one's end. */
const periodsOf = async ({ id }: Person) =>
  (
    await query<{ periods: number; paidMs: number }>(
      `SELECT COUNT(*) AS periods, COALESCE(MAX(ends_at) - MIN(starts_at), 0) AS paidMs
       FROM subscriptions WHERE subscriber_id = ?`,
      id,
    )
  )[0];

/** Counts statuses: `200×1 409×99`. */
function statusesOf(responses: readonly Response[]): string {
  const counts = Map.groupBy(responses, ({ status }) => status);
  return [...counts]
    .toSorted(([one], [other]) => one - other)
    .map(([status, list]) => `${status}×${list.length}`)
    .join(' ');
}

/** A test whose every round must give the expected result. */
function race(title: string, prepare: () => Promise<(number: number) => Promise<void>>): void {
  it(title, async () => {
    const round = await prepare();
    for (let number = 0; number < rounds; number++) await round(number);
  });
}

/** Sends a payment directly to the chain. Another `number` gives another transaction for the same intent. */
const landPayment = ({
  number,
  ...payment
}: {
  terms: OpenIntentResponse;
  payer: Keypair;
  number?: number;
}) =>
  land(signPayment({ ...payment, changes: number === undefined ? {} : { after: [memo(String(number))] } }));

race('a hundred concurrent requests open one intent', async () => {
  const { caller } = await createPaidCaller(app);
  const follower = await app.signIn('follower');
  return async (number) => {
    const responses = await atOnce(() =>
      follower.post('/api/solana/get-latest-blockhash', { callerId: caller.id }),
    );
    expect(statusesOf(responses)).toBe('201×100');
    const references = await Promise.all(
      responses.map(async (response) => (await response.json<OpenIntentResponse>()).intent.reference),
    );
    expect(new Set(references).size).toBe(1);
    expect(await count('payment_intents')).toBe(number + 1);
    // Waits until the intent is too old to be reused.
    await app.advance(INTENT_LIFETIME_MS / 2 + MINUTE_MS);
  };
});

race('a hundred concurrent requests with ten transactions for one intent send only one of them', async () => {
  const { caller } = await createPaidCaller(app);
  const payer = await createFundedWallet(10_000);
  const followers = await Promise.all(
    Array.from({ length: Math.min(rounds, 10) }, (_, number) => app.signIn(`follower_${number}`)),
  );
  return async (number) => {
    const follower = followers[number % followers.length] ?? (await app.signIn('follower'));
    const terms = await openIntent(follower, caller.id);
    const transactions = Array.from({ length: 10 }, (_, index) =>
      signPayment({ terms, payer, changes: { after: [memo(String(index))] } }),
    );
    const responses = await atOnce((index) => send(follower, transactions[index % 10] ?? new Uint8Array()));
    await app.advance(MINUTE_MS);
    await app.runCron();
    expect(statusesOf(responses)).toBe('200×10 409×90');
    expect(await count('payment_broadcasts WHERE intent_id = ?', terms.intent.id)).toBe(1);
    expect(await count('payments WHERE intent_id = ?', terms.intent.id)).toBe(1);
    expect(await count('subscriptions WHERE subscriber_id = ?', follower.id)).toBe(
      Math.floor(number / followers.length) + 1,
    );
  };
});

race('a hundred concurrent claims and cron runs open and finalize one period', async () => {
  const { caller } = await createPaidCaller(app);
  const [follower, thief] = [await app.signIn('follower'), await app.signIn('thief')];
  return async (number) => {
    const terms = await openIntent(follower, caller.id);
    const signature = await landPayment({ terms, payer: await createFundedWallet() });
    await app.advance(MINUTE_MS);
    const body = claimBody({ terms, callerId: caller.id, signature });
    const { reconciliation } = app.services;
    const parts = [
      () => app.runCron(),
      () => reconciliation.reconcile(),
      () => reconciliation.finalize(),
      () => reconciliation.finalize(),
    ];
    const responses = await atOnce(async (index) => {
      if (index % 5 !== 0) return (index % 10 === 9 ? thief : follower).post('/api/subscriptions', body);
      await parts[(index / 5) % parts.length]?.();
      return null;
    });
    await app.runCron();
    const claims = responses.filter((response) => response !== null);
    expect(statusesOf(claims)).toBe('201×70 409×10');
    const granted = claims.filter(({ status }) => status === 201);
    const ids = await Promise.all(granted.map(async (response) => (await response.json<Subscription>()).id));
    expect(new Set(ids).size).toBe(1);
    expect(await periodsOf(thief)).toEqual({ periods: 0, paidMs: 0 });
    await expectPaid({ caller, follower, payments: number + 1 });
    expect(await count("payment_ledger WHERE kind = 'finalized'")).toBe(number + 1);
  };
});

race(
  'concurrent claims, free follows and fee changes cause no overlapping periods and no wrong counters',
  async () => {
    const { caller } = await createPaidCaller(app);
    const [follower, fan] = [await app.signIn('follower'), await app.signIn('fan')];
    return async (number) => {
      await readResponse(caller.patch('/api/user/caller-profile', { monthlyFee: '0.5' }));
      const [terms, payer] = [await openIntent(follower, caller.id), await createFundedWallet()];
      const signatures = [
        await landPayment({ terms, payer, number: 0 }),
        await landPayment({ terms, payer, number: 1 }),
      ];
      await waitUntilConfirmed(app);
      const responses = await atOnce((index) => {
        if (index % 4 === 0) {
          return caller.patch('/api/user/caller-profile', { monthlyFee: index % 8 === 0 ? null : '0.5' });
        }
        if (index % 4 === 1) {
          return (index % 8 === 1 ? follower : fan).post('/api/subscriptions/free', { callerId: caller.id });
        }
        return follower.post(
          '/api/subscriptions',
          claimBody({ terms, callerId: caller.id, signature: signatures[index % 2] ?? '' }),
        );
      });
      expect(statusesOf(responses.filter((_, index) => index % 4 > 1))).toBe('201×50');
      const others = responses.filter((_, index) => index % 4 <= 1).map(({ status }) => status);
      expect(others.filter((status) => ![200, 201, 422].includes(status))).toEqual([]);
      expect(await count('subscriptions WHERE payment_id IS NOT NULL')).toBe(2 * (number + 1));
      const overlaps =
        'subscriptions a JOIN subscriptions b ON a.subscriber_id = b.subscriber_id AND a.id < b.id AND (a.ends_at IS NULL OR a.ends_at > b.starts_at) AND (b.ends_at IS NULL OR b.ends_at > a.starts_at)';
      expect(await count(overlaps)).toBe(0);
      expect(await countersOf(caller)).toEqual({
        subscriber_count: await count(
          "(SELECT DISTINCT subscriber_id FROM subscriptions WHERE status = 'active')",
        ),
        paying_count: await count(
          "(SELECT DISTINCT subscriber_id FROM subscriptions WHERE status = 'active' AND is_counted)",
        ),
        earned_lamports: 2 * (number + 1) * CALLER_PART,
      });
    };
  },
);

interface Paid {
  readonly caller: Person;
  readonly follower: Person;
  readonly payments: number;
}

/** Each payment has bought one period, one after the other, and counts once. */
async function expectPaid({ caller, follower, payments }: Paid): Promise<void> {
  const paidMs = payments * SUBSCRIPTION_PERIOD_MS;
  expect(await periodsOf(follower)).toEqual({ periods: payments, paidMs });
  expect(await count("payment_ledger WHERE kind = 'granted'")).toBe(payments);
  const earned = payments * CALLER_PART;
  expect(await countersOf(caller)).toEqual({ subscriber_count: 1, paying_count: 1, earned_lamports: earned });
}

declare module 'vitest' {
  interface ProvidedContext {
    raceRounds: number;
  }
}
