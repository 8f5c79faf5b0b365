import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS } from '#schema/constants.ts';
import { nextPeriod } from '#schema/rules/access/subscription.ts';
import { splitFee } from '#schema/rules/money/lamports.ts';
import { callers } from '#schema/tables/callers.ts';
import { paymentIntents } from '#schema/tables/payments.ts';
import { users } from '#schema/tables/users.ts';
import { createDatabase } from '../../../shared/database.ts';
import { createId } from '../../../shared/ids.ts';
import { query } from '../../../test-support/database/database.ts';
import { testEnv } from '../../../test-support/test-app.ts';
import { createLedgerRepository } from './ledger.repository.ts';

const START = Date.UTC(2026, 0, 1);

interface Step {
  readonly does: 'pay' | 'vanish' | 'return';
  readonly wait: number;
  readonly which: number;
}

interface Paid {
  readonly number: number;
  readonly grantId: string;
  readonly grantedAt: number;
}

async function createPair() {
  const db = createDatabase(testEnv.DB);
  const ledger = createLedgerRepository(db);
  const [userId, callerId, intentId] = [createId(), createId(), createId()];
  const shared = { userId, callerId, ...splitFee(1_000_000_000n), createdAt: START };
  const person = (id: string) => ({
    id,
    xUserId: id,
    twitterHandle: id,
    firstName: 'Sample',
    lastName: 'Person',
    isVerified: false,
    createdAt: START,
    updatedAt: START,
  });
  await db.batch([
    db.insert(users).values([person(userId), person(callerId)]),
    db.insert(callers).values({
      callerId,
      feeLamports: 1_000_000_000n,
      payoutAddress: null,
      searchText: '',
      createdAt: START,
      updatedAt: START,
    }),
    db.insert(paymentIntents).values({
      ...shared,
      id: intentId,
      reference: intentId,
      callerAddress: 'caller',
      platformAddress: 'platform',
      expiresAt: START,
      reconciledAt: START,
      nextCheckAt: null,
    }),
  ]);
  const paymentId = (number: number) => `${userId} ${number}`;
  return {
    async grant(number: number, now: number): Promise<Paid> {
      const grantId = createId();
      const payment = {
        ...shared,
        id: paymentId(number),
        signature: paymentId(number),
        intentId,
        payerAddress: 'payer',
        slot: 1,
        paidAt: now,
      };
      await ledger.grant({ payment, grantId, subscriptionId: createId(), now });
      return { number, grantId, grantedAt: now };
    },
    revoke: ({ number, grantId }: Paid, now: number) =>
      ledger.revoke({ paymentId: paymentId(number), grantId, revocationId: createId(), now }),
    periods: () =>
      query<{ startsAt: number; endsAt: number }>(
        'SELECT starts_at AS startsAt, ends_at AS endsAt FROM subscriptions WHERE subscriber_id = ? ORDER BY starts_at',
        userId,
      ),
  };
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom('pay', 'pay', 'vanish', 'return'),
  wait: fc.oneof(fc.constant(0), fc.nat({ max: DAY_MS }), fc.nat({ max: 40 * DAY_MS })),
  which: fc.nat(),
});

it('after any sequence of payments, revocations and repeated grants, the periods are those of the remaining payments', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 10 }), async (steps) => {
      const pair = await createPair();
      let now = START;
      let count = 0;
      let paid: Paid[] = [];
      const vanished: number[] = [];
      for (const { does, wait, which } of steps) {
        now += wait;
        if (does === 'pay') paid.push(await pair.grant((count += 1), now));
        const gone = paid[which % paid.length];
        if (does === 'vanish' && gone) {
          expect(await pair.revoke(gone, now)).toBe(true);
          paid = paid.filter((one) => one !== gone);
          vanished.push(gone.number);
        }
        const [back] = does === 'return' ? vanished.splice(which % vanished.length, 1) : [];
        if (back !== undefined) paid.push(await pair.grant(back, now));

        const expected: { startsAt: number; endsAt: number }[] = [];
        for (const { grantedAt } of paid) {
          expected.push(nextPeriod(grantedAt, expected.at(-1)?.endsAt ?? null));
        }
        expect(await pair.periods()).toEqual(expected);
      }
    }),
    { numRuns: 30 },
  );
});
