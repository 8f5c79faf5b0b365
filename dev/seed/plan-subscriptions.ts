import type { Keypair } from '@solana/web3.js';
import type { PeriodDays } from '#schema/rules/money/lengths.ts';
import { hashText, hashToUnit } from '../stand-ins/market/noise.ts';
import {
  AMARA,
  KENJI,
  keypairFrom,
  MAXIMILIANE,
  TOBI,
  type Fixtures,
  type Member,
  type SeededCaller,
} from './fixtures.ts';

const DAY = 86_400_000;
/** Tobi, the sample follower, has a current subscription to a Free and a Paid caller. */
const TOBI_FOLLOWS = [KENJI, MAXIMILIANE];
/** The callers whom Tobi follows on paper, with the amount in USD per call. Null: he only watches. */
const TOBI_ON_PAPER = new Map<number, number | null>([
  [AMARA, 100],
  [8, 250],
  [9, null],
]);

export interface PlannedPayment {
  readonly caller: SeededCaller & { readonly payout: Keypair };
  readonly follower: Member;
  readonly payer: Keypair;
  readonly at: number;
  /** A length that isn't on sale then becomes 30 days. */
  readonly days: PeriodDays;
}

export interface PlannedFollow {
  readonly caller: SeededCaller;
  readonly follower: Member;
  readonly at: number;
}

export interface PlannedPaperFollow extends PlannedFollow {
  readonly amountUsd: number | null;
}

/** Plans what Tobi follows on paper, from when both have joined. */
export function planPaperFollows({ callers, followers }: Fixtures): PlannedPaperFollow[] {
  return followers
    .filter(({ index }) => index === TOBI)
    .flatMap((follower) =>
      callers.flatMap((caller) => {
        const amountUsd = TOBI_ON_PAPER.get(caller.index);
        const at = Math.max(caller.joinedAt, follower.joinedAt);
        return amountUsd === undefined ? [] : [{ caller, follower, at, amountUsd }];
      }),
    );
}

/** Plans the payments and the free subscriptions of all followers. The payments are in time order. */
export function planSubscriptions({ fixtures, now }: { fixtures: Fixtures; now: number }): {
  payments: PlannedPayment[];
  follows: PlannedFollow[];
} {
  const payments: PlannedPayment[] = [];
  const follows: PlannedFollow[] = [];
  for (const caller of fixtures.callers) {
    const appeal = 0.02 + caller.skill ** 2 * (caller.feeLamports === 0n ? 0.3 : 0.08);
    for (const follower of fixtures.followers) {
      const key = `${caller.index} ${follower.index}`;
      const isTobisChoice = follower.index === TOBI && TOBI_FOLLOWS.includes(caller.index);
      if (!isTobisChoice && hashToUnit(`follows ${key}`) > appeal) continue;
      const earliest = isTobisChoice ? now - 6 * DAY : Math.max(caller.joinedAt, follower.joinedAt);
      const since = Math.floor(earliest + hashToUnit(`since ${key}`) * (now - DAY - earliest));
      if (caller.feeLamports === 0n) follows.push({ caller, follower, at: since });
      if (caller.payout === null) continue;
      const paidCaller = { ...caller, payout: caller.payout };
      const payer = keypairFrom(`wallet ${follower.person.handle}`);
      for (const { at, days } of planPeriods({ key, since, now })) {
        payments.push({ caller: paidCaller, follower, payer, at, days: isTobisChoice ? 30 : days });
      }
    }
  }
  return { payments: payments.sort((one, other) => one.at - other.at), follows };
}

/** The lengths of the first and the later payments. */
const LENGTHS: readonly (readonly [PeriodDays, PeriodDays])[] = [
  [30, 30],
  [7, 30],
  [90, 90],
  [7, 7],
];

/** One to three payments. Each renewal is half a day early. */
function planPeriods({ key, since, now }: { key: string; since: number; now: number }) {
  const [first, later] = LENGTHS[hashText(`length ${key}`) % LENGTHS.length] ?? [30, 30];
  const renewals = hashText(`months ${key}`) % 3;
  const periods = Array.from({ length: 1 + renewals }, (_, index) => ({
    at: index === 0 ? since : since + (first + (index - 1) * later - index / 2) * DAY,
    days: index === 0 ? first : later,
  }));
  return periods.filter(({ at }) => at < now - DAY / 24);
}
