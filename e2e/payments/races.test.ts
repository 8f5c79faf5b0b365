import type { Keypair } from '@solana/web3.js';
import { afterAll, beforeEach, expect, inject, it, vi } from 'vitest';
import { MIN_COUNTED_HOLD_MS } from '#schema/constants/market.ts';
import { INTENT_LIFETIME_MS, SUBSCRIPTION_PERIOD_MS } from '#schema/constants/money.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { OpenIntentResponse } from '#schema/contracts/payments.ts';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { readResponse } from '#worker/test-support/responses.ts';
import { createCaller, createPaidCaller, makeCall, MINTS } from '#worker/test-support/people/callers.ts';
import { createFundedWallet } from '#worker/test-support/payments/chain.ts';
import { query } from '#worker/test-support/database/database.ts';
import { memo } from '#worker/test-support/payments/hostile-transactions.ts';
import {
  claimBody,
  land,
  openIntent,
  send,
  finalize,
  signPayment,
} from '#worker/test-support/payments/payments.ts';
import { control, createTestApp, type Person, type TestApp } from '#worker/test-support/test-app.ts';
import { NO_LIMITS } from '#worker/test-support/test-limits.ts';

// A hundred concurrent requests must have the effect of one. `npm run payments:races` runs more rounds.

const PARALLEL = 100;
const rounds = inject('raceRounds');
const TEST_TIMEOUT_MS = 60_000 + rounds * 30_000;
const CALLER_PART = 450_000_000;

type Violations = string[];

const table: { kind: string; rounds: number; parallel: number; violations: number }[] = [];
const MAX_COMPLAINTS = 10;
const complaints = new Set<string>();
let app: TestApp;

beforeEach(async () => {
  for (const method of ['log', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((line: unknown) => {
      if (method !== 'log' && complaints.size < MAX_COMPLAINTS) complaints.add(String(line).slice(0, 300));
    });
  }
  // Disables timeouts. All rounds share the runtime, which allows ten thousand timers.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
  complaints.clear();
  app = await createTestApp({ bindings: NO_LIMITS });
});

afterAll(() => {
  vi.restoreAllMocks();
  const row = (cells: readonly (string | number)[]) =>
    cells.map((cell, index) => (index === 0 ? String(cell).padEnd(32) : String(cell).padStart(12))).join('');
  console.info(
    [
      row(['kind', 'rounds', 'parallel', 'violations']),
      ...table.map(({ kind, parallel, violations, ...of }) => row([kind, of.rounds, parallel, violations])),
    ].join('\n'),
  );
});

const atOnce = <Result>(sendRequest: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: PARALLEL }, (_, index) => sendRequest(index)));
const count = async (sql: string, ...values: unknown[]) =>
  (await query<{ n: number }>(`SELECT COUNT(*) AS n FROM ${sql}`, ...values))[0]?.n ?? 0;
const countersOf = async ({ id }: Person) =>
  (
    await query<{ subscriber_count: number; earned_lamports: number }>(
      'SELECT subscriber_count, earned_lamports FROM callers WHERE caller_id = ?',
      id,
    )
  )[0];
const periodsOf = (person: Person) =>
  query<{ starts_at: number; ends_at: number; payment_id: string | null }>(
    'SELECT starts_at, ends_at, payment_id FROM subscriptions WHERE subscriber_id = ? ORDER BY starts_at',
    person.id,
  );

/** Counts statuses: `200×1 409×99`. */
function statusesOf(responses: readonly Response[]): string {
  const counts = Map.groupBy(responses, ({ status }) => status);
  return [...counts]
    .toSorted(([one], [other]) => one - other)
    .map(([status, list]) => `${status}×${list.length}`)
    .join(' ');
}

function compare<Value>(what: string, actual: Value, expected: Value): Violations {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)];
  return one === other ? [] : [`${what}: ${one}, not ${other}`];
}

async function race(kind: string, round: (number: number) => Promise<Violations>): Promise<void> {
  const found: Violations = [];
  for (let number = 0; number < rounds; number++) {
    found.push(...(await round(number)).map((violation) => `round ${number}: ${violation}`));
  }
  table.push({ kind, rounds, parallel: PARALLEL, violations: found.length });
  expect(found.length === 0 ? [] : [...found, ...complaints]).toEqual([]);
}

/**
 * Sends a payment directly to the chain. Another `number` gives another transaction for the same intent.
 */
async function landPayment({
  terms,
  payer,
  number,
}: {
  terms: OpenIntentResponse;
  payer: Keypair;
  number?: number;
}): Promise<string> {
  return land(
    signPayment({ terms, payer, changes: number === undefined ? {} : { after: [memo(String(number))] } }),
  );
}

it('a hundred concurrent claims of a signature open one period', { timeout: TEST_TIMEOUT_MS }, async () => {
  const { caller } = await createPaidCaller(app);
  const [follower, thief] = [await app.signIn('follower'), await app.signIn('thief')];
  await race('claims of one signature', async (number) => {
    const terms = await openIntent(follower, caller.id);
    const signature = await landPayment({ terms, payer: await createFundedWallet() });
    await finalize(app);
    const body = claimBody({ terms, callerId: caller.id, signature });
    // Every tenth claim comes from another user.
    const responses = await atOnce((index) =>
      (index % 10 === 9 ? thief : follower).post('/api/subscriptions', body),
    );
    const ids = await Promise.all(
      responses
        .filter(({ status }) => status === 201)
        .map(async (response) => (await response.json<Subscription>()).id),
    );
    const periods = await periodsOf(follower);
    return [
      ...compare('statuses', statusesOf(responses), '201×90 409×10'),
      ...compare('subscriptions answered', new Set(ids).size, 1),
      ...compare('periods', periods.length, number + 1),
      ...compare('thief’s periods', (await periodsOf(thief)).length, 0),
      ...compare(
        'days paid',
        (periods.at(-1)?.ends_at ?? 0) - (periods[0]?.starts_at ?? 0),
        (number + 1) * SUBSCRIPTION_PERIOD_MS,
      ),
      ...compare('counters', await countersOf(caller), {
        subscriber_count: 1,
        earned_lamports: (number + 1) * CALLER_PART,
      }),
      ...compare('ledger', await count("payment_ledger WHERE kind = 'granted'"), number + 1),
    ];
  });
});

it('a hundred concurrent requests open one intent', { timeout: TEST_TIMEOUT_MS }, async () => {
  const { caller } = await createPaidCaller(app);
  const follower = await app.signIn('follower');
  await race('intents', async (number) => {
    const responses = await atOnce(() =>
      follower.post('/api/solana/get-latest-blockhash', { callerId: caller.id }),
    );
    const references = await Promise.all(
      responses.map(async (response) => (await response.clone().json<OpenIntentResponse>()).intent.reference),
    );
    const violations = [
      ...compare('statuses', statusesOf(responses), '201×100'),
      ...compare('references', new Set(references).size, 1),
      ...compare('intents', await count('payment_intents'), number + 1),
    ];
    // Waits until the intent is too old to be reused.
    await app.advance(INTENT_LIFETIME_MS / 2 + MINUTE_MS);
    return violations;
  });
});

it(
  'only one of a hundred concurrent transactions for an intent is sent',
  { timeout: TEST_TIMEOUT_MS },
  async () => {
    const { caller } = await createPaidCaller(app);
    const payer = await createFundedWallet(10_000);
    const followers = await Promise.all(
      Array.from({ length: Math.min(rounds, 10) }, (_, number) => app.signIn(`follower_${number}`)),
    );
    await race('sends of ten transactions', async (number) => {
      const follower = followers[number % followers.length] ?? (await app.signIn('follower'));
      const terms = await openIntent(follower, caller.id);
      const transactions = Array.from({ length: 10 }, (_, index) =>
        signPayment({ terms, payer, changes: { after: [memo(String(index))] } }),
      );
      const responses = await atOnce((index) => send(follower, transactions[index % 10] ?? new Uint8Array()));
      await app.advance(MINUTE_MS);
      await app.runCron();
      return [
        ...compare('statuses', statusesOf(responses), '200×10 409×90'),
        ...compare('broadcasts', await count('payment_broadcasts WHERE intent_id = ?', terms.intent.id), 1),
        ...compare('payments', await count('payments WHERE intent_id = ?', terms.intent.id), 1),
        ...compare(
          'periods',
          await count('subscriptions WHERE subscriber_id = ?', follower.id),
          Math.floor(number / followers.length) + 1,
        ),
      ];
    });
  },
);

it('a hundred concurrent requests end a call once', { timeout: TEST_TIMEOUT_MS }, async () => {
  await race('ends of one call', async (number) => {
    const caller = await createCaller(app, `caller_${number}`);
    const call = await makeCall({ caller, mint: MINTS.BONK, price: 1 });
    await app.advance(MIN_COUNTED_HOLD_MS);
    await control('POST', '/prices', { mint: MINTS.BONK, price: 2 });
    const responses = await atOnce(() => caller.patch(`/api/token-calls/${call.id}/end`));
    const [statistics] = await query(
      'SELECT total_calls, ended_calls, win_rate, avg_return FROM callers WHERE caller_id = ?',
      caller.id,
    );
    return [
      ...compare('ends', responses.filter(({ status }) => status === 200).length, 1),
      // A refusal may also be a 429, because the number of attempts is limited.
      ...compare('refusals', responses.filter(({ status }) => [409, 429].includes(status)).length, 99),
      ...compare('statistics', statistics, {
        total_calls: 1,
        ended_calls: 1,
        win_rate: 100,
        avg_return: 100,
      }),
    ];
  });
});

it(
  'concurrent claims and cron runs record and finalize a payment once',
  { timeout: TEST_TIMEOUT_MS },
  async () => {
    const { caller } = await createPaidCaller(app);
    const follower = await app.signIn('follower');
    await race('claims, cron and settling', async (number) => {
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
        if (index % 5 !== 0) return follower.post('/api/subscriptions', body);
        await parts[(index / 5) % parts.length]?.();
        return null;
      });
      await app.runCron();
      const periods = await periodsOf(follower);
      return [
        ...compare('statuses', statusesOf(responses.filter((response) => response !== null)), '201×80'),
        ...compare('periods', periods.length, number + 1),
        ...compare(
          'days paid',
          (periods.at(-1)?.ends_at ?? 0) - (periods[0]?.starts_at ?? 0),
          (number + 1) * SUBSCRIPTION_PERIOD_MS,
        ),
        ...compare('granted', await count("payment_ledger WHERE kind = 'granted'"), number + 1),
        ...compare('finalized', await count("payment_ledger WHERE kind = 'finalized'"), number + 1),
        ...compare('counters', await countersOf(caller), {
          subscriber_count: 1,
          earned_lamports: (number + 1) * CALLER_PART,
        }),
      ];
    });
  },
);

it(
  'concurrent claims, free subscriptions and fee changes cause no overlaps and no wrong counts',
  { timeout: TEST_TIMEOUT_MS },
  async () => {
    const { caller } = await createPaidCaller(app);
    const [follower, fan] = [await app.signIn('follower'), await app.signIn('fan')];
    await race('claims, free ones and fee changes', async (number) => {
      await readResponse(caller.patch('/api/user/caller-profile', { monthlyFee: '0.5' }));
      const [terms, payer] = [await openIntent(follower, caller.id), await createFundedWallet()];
      const signatures = [
        await landPayment({ terms, payer, number: 0 }),
        await landPayment({ terms, payer, number: 1 }),
      ];
      await finalize(app);
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
      const claims = responses.filter((_, index) => index % 4 > 1);
      const others = responses.filter((_, index) => index % 4 <= 1);
      return [
        ...compare('claims', statusesOf(claims), '201×50'),
        ...compare(
          'faults',
          others.filter(({ status }) => status !== 200 && status !== 201 && status !== 422).length,
          0,
        ),
        ...compare(
          'paid periods',
          await count('subscriptions WHERE payment_id IS NOT NULL'),
          2 * (number + 1),
        ),
        ...compare(
          'overlaps',
          await count(
            'subscriptions a JOIN subscriptions b ON a.subscriber_id = b.subscriber_id AND a.id < b.id AND (a.ends_at IS NULL OR a.ends_at > b.starts_at) AND (b.ends_at IS NULL OR b.ends_at > a.starts_at)',
          ),
          0,
        ),
        ...compare(
          'subscribers',
          (await countersOf(caller))?.subscriber_count,
          await count("(SELECT DISTINCT subscriber_id FROM subscriptions WHERE status = 'active')"),
        ),
        ...compare('earned', (await countersOf(caller))?.earned_lamports, 2 * (number + 1) * CALLER_PART),
      ];
    });
  },
);

declare module 'vitest' {
  interface ProvidedContext {
    raceRounds: number;
  }
}
