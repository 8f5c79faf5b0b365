import { setImmediate } from 'node:timers/promises';
import { nextPeriod } from '#schema/rules/subscription.ts';
import { splitFee } from '#schema/rules/lamports.ts';
import { callerKeys } from '#schema/rules/look-alike-callers.ts';
import { callerSearchText } from '#schema/rules/search.ts';
import { acceptances } from '#schema/tables/acceptances.ts';
import { callers } from '#schema/tables/callers.ts';
import { paymentLedger } from '#schema/tables/payment-ledger.ts';
import { paymentBroadcasts, paymentIntents, payments } from '#schema/tables/payments.ts';
import { subscriptions } from '#schema/tables/subscriptions.ts';
import { users } from '#schema/tables/users.ts';
import { wallets } from '#schema/tables/wallets.ts';
import { DOCUMENT_VERSIONS, DOCUMENTS, INTENT_LIFETIME_MS } from '#schema/constants.ts';
import type { Chain } from '../chain/chain.ts';
import { buyOnChain, stockMarket } from './buy-on-chain.ts';
import { createCast, uuidFrom, type Cast, type Member, type SeededCaller } from './cast.ts';
import { insertCalls } from './insert-calls.ts';
import { fundWallets, payOnChain, type MadePayment } from './pay-on-chain.ts';
import { planBuys } from './plan-buys.ts';
import { planCalls } from './plan-calls.ts';
import { planSubscriptions, type PlannedFollow } from './plan-subscriptions.ts';
import { createInserter, createRunner, type Insert, type LocalD1 } from './inserter.ts';

const HISTORY_MS = 85 * 86_400_000;
const FUNDING_MS = 3_600_000;

export interface SeedOptions {
  readonly d1: LocalD1;
  readonly chain: Chain;
  /** The end of the seeded history (unix ms). */
  readonly now: number;
  readonly platformAddress: string;
  /** Base URL of the profile pictures and token icons. */
  readonly standInsUrl: string;
}

/**
 * Fills an empty database with three months of history: people, callers with calls at market prices, buys, and
 * subscriptions that are paid by real transactions on the local chain. The product's cron computes the
 * statistics.
 */
export async function seed({
  d1,
  chain,
  now,
  platformAddress,
  standInsUrl,
}: SeedOptions): Promise<{ callers: number; calls: number; payments: number }> {
  const from = now - HISTORY_MS;
  const cast = createCast({ from, now });
  const plannedCalls = cast.callers.flatMap((caller) => planCalls({ caller, from, now }));
  const planned = planSubscriptions({ cast, now });
  const buys = planBuys({ callers: cast.callers, calls: plannedCalls, now });
  fundWallets({
    chain,
    platformAddress,
    callers: cast.callers,
    payments: planned.payments,
    at: from - FUNDING_MS,
  });
  stockMarket({ chain, buys, at: from - FUNDING_MS });
  // The chain's clock can't go back, so pay in time order.
  const made: MadePayment[] = [];
  for (const event of [...planned.payments, ...buys].sort((one, other) => one.at - other.at)) {
    if ('buyer' in event) buyOnChain({ chain, buy: event });
    else made.push(payOnChain({ chain, payment: event, number: made.length, platformAddress }));
  }

  // The chain's past took seconds without a pause. Lets the client of the database notice connections that the runtime
  // has closed meanwhile.
  await setImmediate();
  const insert = createInserter(d1);
  await insertPeople({ insert, cast, made, follows: planned.follows, standInsUrl, now });
  await insertCalls({
    insert,
    run: createRunner(d1),
    plannedCalls,
    standInsUrl,
    slotAt: (unixMs) => chain.clock.slotAt(unixMs),
    now,
  });
  await insertSubscriptions({ insert, made, follows: planned.follows, platformAddress, now });
  return { callers: cast.callers.length, calls: plannedCalls.length, payments: made.length };
}

interface PeopleOptions {
  insert: Insert;
  cast: Cast;
  made: readonly MadePayment[];
  follows: readonly PlannedFollow[];
  standInsUrl: string;
  now: number;
}

const describeNames = (person: Parameters<typeof callerKeys>[0]) => ({
  searchText: callerSearchText(person),
  ...callerKeys(person),
});

async function insertPeople({ insert, cast, made, follows, standInsUrl, now }: PeopleOptions): Promise<void> {
  const callersById = new Map(cast.callers.map((caller) => [caller.id, caller]));
  const people = [...cast.callers, ...cast.followers].map((member) =>
    userRow({ member, caller: callersById.get(member.id), standInsUrl }),
  );
  await insert(users, people);
  await insert(
    acceptances,
    people.flatMap(({ id: userId, createdAt: at }) =>
      DOCUMENTS.map((document) => ({ userId, document, version: DOCUMENT_VERSIONS[document], at })),
    ),
  );
  const names = new Map(people.map((person) => [person.id, person]));
  const countSubscribers = (callerId: string) =>
    new Set(
      [...made, ...follows].filter(({ caller }) => caller.id === callerId).map(({ follower }) => follower.id),
    ).size;
  await insert(
    callers,
    cast.callers.map(({ id, feeLamports, payout, joinedAt, person }) => ({
      callerId: id,
      feeLamports,
      payoutAddress: payout?.publicKey.toBase58() ?? null,
      ...describeNames({
        firstName: names.get(id)?.firstName ?? '',
        lastName: names.get(id)?.lastName ?? '',
        handle: person.handle,
      }),
      handleSince: joinedAt,
      nameSince: joinedAt,
      // This counts lapsed subscribers, too, because the cron subtracts them when it expires their periods.
      subscriberCount: countSubscribers(id),
      earnedLamports: made
        .filter(({ caller }) => caller.id === id)
        .reduce((sum) => sum + splitFee(feeLamports).callerLamports, 0n),
      createdAt: joinedAt,
      updatedAt: now,
    })),
  );
  await insert(wallets, cast.callers.flatMap(walletRows));
}

function userRow({
  member: { id, person, joinedAt },
  caller,
  standInsUrl,
}: {
  member: Member;
  caller: SeededCaller | undefined;
  standInsUrl: string;
}) {
  const [firstName = person.handle, ...rest] = person.name.split(' ');
  const picture = person.picture?.replace('_normal.', '_400x400.');
  return {
    id,
    xUserId: person.xUserId,
    twitterHandle: person.handle,
    firstName,
    lastName: rest.join(' '),
    email: person.email ?? null,
    profileImageUrl: picture === undefined ? null : `${standInsUrl}${picture}`,
    bio: caller === undefined ? null : (person.bio ?? null),
    isVerified: caller?.isVerified ?? false,
    createdAt: joinedAt,
    updatedAt: joinedAt,
  };
}

function walletRows({ id, payout, joinedAt }: SeededCaller) {
  if (payout === null) return [];
  const address = payout.publicKey.toBase58();
  return [{ id: uuidFrom(`wallet ${id}`), userId: id, address, provenAt: joinedAt, createdAt: joinedAt }];
}

interface SubscriptionsOptions {
  insert: Insert;
  made: readonly MadePayment[];
  follows: readonly PlannedFollow[];
  platformAddress: string;
  now: number;
}

async function insertSubscriptions({
  insert,
  made,
  follows,
  platformAddress,
  now,
}: SubscriptionsOptions): Promise<void> {
  const rows = made.map((payment, number) => paymentRows({ payment, number, platformAddress }));
  const paidPeriods = planPaidPeriods(rows.map(({ payment }) => payment));
  const freePeriods = follows.map(({ caller, follower, at }, number) => ({
    id: uuidFrom(`follow ${number}`),
    subscriberId: follower.id,
    callerId: caller.id,
    paymentId: null,
    startsAt: Math.min(at, now),
    endsAt: null,
    status: 'active' as const,
    createdAt: at,
  }));
  const grants = paidPeriods.map(({ paymentId, startsAt, endsAt, createdAt }, number) => ({
    id: uuidFrom(`grant ${number}`),
    paymentId,
    kind: 'granted' as const,
    slot: rows[number]?.payment.slot,
    startsAt,
    endsAt,
    at: createdAt,
  }));
  const intents = rows.map(({ intent }) => intent);
  const broadcasts = rows.map(({ broadcast }) => broadcast);
  const paid = rows.map(({ payment }) => payment);
  await insert(paymentIntents, intents);
  await insert(paymentBroadcasts, broadcasts);
  await insert(payments, paid);
  await insert(paymentLedger, grants);
  await insert(subscriptions, [...paidPeriods, ...freePeriods]);
}

interface PaymentRowsOptions {
  payment: MadePayment;
  number: number;
  platformAddress: string;
}

function paymentRows({
  payment: { caller, follower, payer, at, reference, signature, slot },
  number,
  platformAddress,
}: PaymentRowsOptions) {
  const intentId = uuidFrom(`intent ${number}`);
  const shared = {
    userId: follower.id,
    callerId: caller.id,
    ...splitFee(caller.feeLamports),
    createdAt: at,
  };
  return {
    intent: {
      ...shared,
      id: intentId,
      reference,
      callerAddress: caller.payout.publicKey.toBase58(),
      platformAddress,
      expiresAt: at + INTENT_LIFETIME_MS,
      reconciledAt: at,
      nextCheckAt: null,
    },
    broadcast: { signature, intentId, createdAt: at, lastValidBlockHeight: 0 },
    payment: {
      ...shared,
      id: uuidFrom(`payment ${number}`),
      signature,
      intentId,
      payerAddress: payer.publicKey.toBase58(),
      slot,
      paidAt: at,
    },
  };
}

/** Plans one period per payment. A subscriber's periods with a caller follow each other without gaps. */
function planPaidPeriods(paid: readonly ReturnType<typeof paymentRows>['payment'][]) {
  const paidUntil = new Map<string, number>();
  return paid.map(({ id, userId, callerId, paidAt }, number) => {
    const pair = `${userId} ${callerId}`;
    const period = nextPeriod(paidAt, paidUntil.get(pair) ?? null);
    paidUntil.set(pair, period.endsAt);
    return {
      id: uuidFrom(`period ${number}`),
      subscriberId: userId,
      callerId,
      paymentId: id,
      ...period,
      status: 'active' as const,
      createdAt: paidAt,
    };
  });
}
