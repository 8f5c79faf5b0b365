import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { OpenRefundResponse } from '#schema/contracts/payments.ts';
import { AppError } from '../../app/errors.ts';
import { createRefundsRepository } from '../../modules/money/payments/refunds.repository.ts';
import { createRefundsService } from '../../modules/money/payments/refunds.service.ts';
import { createDatabase, runBatch } from '../../shared/database.ts';
import { query } from '../database/database.ts';
import { insertRows } from '../database/insert-rows.ts';
import { createRandom, type Random } from '../seeded-random.ts';
import { testEnv } from '../test-app.ts';
import { jobOptions } from './job-options.ts';
import { landPayment } from './land-payment.ts';
import { createRefundChain } from './refund-chain.ts';

/**
 * Random histories of a payment and its refund: the subscriber asks, takes it back and asks again, the caller opens the
 * refund in two tabs and pays in parts, twice, or from another wallet, transfers become final or are forked away, others
 * name the reference, wallets are erased, and a new fee is being applied.
 */

const SHARE = 450n;
const TOTAL = 500n;
const STEPS = 24;
/** Later than the clocks of other tests. */
const START = Date.UTC(2100, 0, 1);

type Tab = 'left' | 'right';

interface Sent {
  readonly signature: string;
  readonly lamports: bigint;
  /** The caller's other wallet sent it, so it counts only while the wallet is verified. */
  readonly isFromOther: boolean;
}

interface World {
  readonly random: Random;
  readonly caller: string;
  readonly subscriber: string;
  readonly paymentId: string;
  readonly chain: ReturnType<typeof createRefundChain>;
  readonly refunds: ReturnType<typeof createRefundsService>;
  readonly clock: { time: number };
  readonly tabs: Map<Tab, OpenRefundResponse['refund'] & { readonly fromAddress: string }>;
  /** The valid transfers. */
  readonly sent: Sent[];
  isAsked: boolean;
  /** The caller has opened the refund while it was asked for. */
  isLocked: boolean;
  isErased: boolean;
  readonly trace: string[];
}

const db = createDatabase(testEnv.DB);

async function createWorld(seed: number): Promise<World> {
  const random = createRandom(seed);
  const clock = { time: START + seed * 60 * DAY_MS };
  const now = () => clock.time;
  const [caller, subscriber] = [`caller-${seed}`, `subscriber-${seed}`];
  await insertRows('users', [{ id: caller }, { id: subscriber }]);
  await insertRows('callers', [{ caller_id: caller, fee_lamports: Number(TOTAL), payout_address: 'payout' }]);
  await query(
    "INSERT INTO wallets (id, user_id, address, proven_at, created_at) VALUES (?1, ?1, 'other', 1, 1)",
    caller,
  );
  const chain = createRefundChain(now);
  const options = jobOptions({
    chain: chain.chain,
    clock: { now, sleep: () => Promise.reject(new Error('Unexpected sleep')) },
    alarms: [],
  });
  const paymentId = await landPayment({
    userId: subscriber,
    callerId: caller,
    now: now(),
    platformLamports: 50,
  });
  return {
    random,
    caller,
    subscriber,
    paymentId,
    chain,
    refunds: createRefundsService({ ...options, refunds: createRefundsRepository(db) }),
    clock,
    tabs: new Map(),
    sent: [],
    isAsked: false,
    isLocked: false,
    isErased: false,
    trace: [],
  };
}

/** The error's code, or null. */
async function codeOf(action: Promise<unknown>): Promise<string | null> {
  try {
    await action;
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

async function settle({ paymentId, clock }: World): Promise<void> {
  await runBatch(db, [
    sql`
      INSERT INTO payment_ledger (id, payment_id, kind, slot, at)
      SELECT ${`${paymentId}-final`}, ${paymentId}, 'finalized', 1, ${clock.time}
      WHERE NOT EXISTS (SELECT 1 FROM payment_ledger WHERE payment_id = ${paymentId} AND kind = 'finalized')`,
  ]);
}

async function request(world: World, isAsked: boolean): Promise<string> {
  const { refunds, subscriber: userId, paymentId: signature } = world;
  const code = await codeOf(refunds.request({ userId, signature, isAsked }));
  if (code === null) {
    expect(isAsked || !world.isLocked, 'an opened request was taken back').toBe(true);
    world.isAsked = isAsked;
  } else {
    const codes = ['payments.not_final', 'payments.refunded'];
    expect(isAsked ? codes : [...codes, 'payments.refund_opened']).toContain(code);
  }
  return code ?? 'ok';
}

async function open(world: World, tab: Tab): Promise<string> {
  const { refunds, random, caller, paymentId: signature, tabs } = world;
  const fromAddress = random.share() < 0.7 ? 'payout' : 'other';
  const sendsItself = random.share() < 0.3;
  const opening = async () => {
    const { refund } = await refunds.open(caller, { signature, fromAddress, sendsItself });
    tabs.set(tab, { ...refund, fromAddress });
    if (refund.isAsked) world.isLocked = true;
  };
  const code = await codeOf(opening());
  if (code === null) {
    expect(fromAddress === 'payout' || !world.isErased, 'an erased wallet may pay back').toBe(true);
  }
  return code ?? 'ok';
}

function pay({ random, tabs, chain, sent }: World, tab: Tab): string {
  const refund = tabs.get(tab);
  if (refund === undefined) return 'nothing';
  const left = BigInt(refund.lamports);
  const lamports = random.pick([left, left, left / 2n, left / 2n, SHARE, TOTAL, 1n]);
  const flaw = random.share() < 0.75 ? null : random.pick(['wallet', 'recipient', 'reference', 'amount']);
  const transfer = chain.land({
    from: flaw === 'wallet' ? 'stranger' : refund.fromAddress,
    to: flaw === 'recipient' ? 'stranger' : refund.toAddress,
    lamports: flaw === 'amount' ? 0n : lamports,
    references: flaw === 'reference' ? [] : [refund.reference],
  });
  if (flaw === null && lamports > 0n) {
    sent.push({ signature: transfer.signature, lamports, isFromOther: refund.fromAddress === 'other' });
  }
  return `${lamports} ${flaw ?? ''}`;
}

/** Somebody names the reference, which is public once a transfer has landed. */
function spam({ random, tabs, chain, sent }: World): void {
  const [refund] = tabs.values();
  if (refund === undefined || sent.length === 0) return;
  for (let count = random.between(1, 30); count > 0; count -= 1) {
    chain.land({ from: 'payer', to: 'payer', lamports: 1n, references: [refund.reference] });
  }
}

const setDue = ({ paymentId, clock }: World) =>
  query(
    'UPDATE refunds SET next_search_at = ? WHERE payment_id = ? AND opened_at IS NOT NULL',
    clock.time,
    paymentId,
  );

const SPANS = [400, 2 * SECOND_MS, 5 * SECOND_MS, 13 * SECOND_MS, 3 * MINUTE_MS, HOUR_MS] as const;

const STEP_KINDS = {
  ask: (world: World) => request(world, true),
  takeBack: (world: World) => request(world, false),
  openLeft: (world: World) => open(world, 'left'),
  openRight: (world: World) => open(world, 'right'),
  payLeft: (world: World) => pay(world, 'left'),
  payRight: (world: World) => pay(world, 'right'),
  cron: ({ refunds }: World) => refunds.searchDue(),
  async search(world: World) {
    await setDue(world);
    return world.refunds.searchDue();
  },
  wait(world: World) {
    const span = world.random.pick(SPANS);
    world.clock.time += span;
    return span;
  },
  fork: ({ chain }: World) => chain.fork(),
  spam,
  settle,
  async erase(world: World) {
    world.isErased = true;
    await query('DELETE FROM wallets WHERE user_id = ?', world.caller);
  },
  beginFee: ({ caller, clock }: World) =>
    query('INSERT OR IGNORE INTO fee_changes (caller_id, freed_at) VALUES (?, ?)', caller, clock.time),
  /** A refund that was paid meanwhile ends the period with the search a minute later. */
  async endFee({ caller, clock, refunds }: World) {
    await query('DELETE FROM fee_changes WHERE caller_id = ?', caller);
    clock.time += MINUTE_MS;
    await refunds.searchDue();
  },
} satisfies Record<string, (world: World) => unknown>;

type StepKind = keyof typeof STEP_KINDS;

/** The frequency of each kind of step. */
const WEIGHTS: Readonly<Record<StepKind, number>> = {
  ask: 6,
  takeBack: 5,
  openLeft: 6,
  openRight: 4,
  payLeft: 7,
  payRight: 4,
  cron: 3,
  search: 4,
  wait: 10,
  fork: 2,
  spam: 2,
  settle: 3,
  erase: 1,
  beginFee: 1,
  endFee: 1,
};
const PICKS = Object.entries(WEIGHTS).flatMap(([kind, weight]) =>
  Array.from({ length: weight * 10 }, () => kind as StepKind),
);
/** Steps that can run at once, as two tabs, a page and the cron, or both people do. */
const AT_ONCE: readonly (readonly [StepKind, StepKind])[] = [
  ['openLeft', 'openRight'],
  ['takeBack', 'openLeft'],
  ['ask', 'openRight'],
  ['search', 'cron'],
  ['ask', 'search'],
  ['takeBack', 'search'],
];

async function play(world: World): Promise<void> {
  const { random, trace } = world;
  if (random.share() < 0.8) await settle(world);
  for (let step = 0; step < STEPS; step += 1) {
    const kinds = random.share() < 0.15 ? random.pick(AT_ONCE) : [random.pick(PICKS)];
    const outcomes = await Promise.all(kinds.map((kind) => STEP_KINDS[kind](world)));
    trace.push(kinds.map((kind, index) => `${kind} ${JSON.stringify(outcomes[index] ?? '')}`).join(' | '));
    await check(world, { isAlone: kinds.length === 1 });
  }
  await endFee(world);
  await settle(world);
  // Each search reads 20, and the last one finds that all were read long ago.
  for (let left = world.chain.count() + 20; left > 0; left -= 20) {
    world.clock.time += 11 * MINUTE_MS;
    await setDue(world);
    await world.refunds.searchDue();
  }
  await checkEnd(world);
  await query('UPDATE refunds SET next_search_at = NULL');
}

const endFee = (world: World) => STEP_KINDS.endFee(world);

async function readState({ paymentId, caller }: World) {
  const [row] = await query<{
    recorded: number;
    transfers: string;
    asked: number;
    locked: number;
    ended: number;
    earned: number;
    waits: number;
  }>(
    `SELECT (SELECT COALESCE(SUM(lamports), 0) FROM refund_transfers WHERE payment_id = ?1) AS recorded,
       (SELECT json_group_object(signature, lamports) FROM refund_transfers WHERE payment_id = ?1) AS transfers,
       EXISTS (SELECT 1 FROM refunds WHERE payment_id = ?1 AND asked_at IS NOT NULL) AS asked,
       EXISTS (SELECT 1 FROM refunds WHERE payment_id = ?1 AND asked_at <= opened_at) AS locked,
       (SELECT COUNT(*) FROM payment_ledger WHERE payment_id = ?1 AND kind = 'refunded') AS ended,
       (SELECT earned_lamports FROM callers WHERE caller_id = ?2) AS earned,
       EXISTS (SELECT 1 FROM fee_changes WHERE caller_id = ?2) AS waits`,
    paymentId,
    caller,
  );
  if (!row) throw new Error('No state');
  return row;
}

async function check(world: World, { isAlone }: { isAlone: boolean }): Promise<void> {
  const { sent, chain } = world;
  const state = await readState(world);
  const transfers = JSON.parse(state.transfers) as Record<string, number>;
  for (const [signature, lamports] of Object.entries(transfers)) {
    const transfer = sent.find((each) => each.signature === signature);
    expect(transfer?.lamports, `${signature} is a refund`).toBe(BigInt(lamports));
    expect(chain.hasFinal({ signature }), `${signature} is final`).toBe(true);
  }
  // Steps that ran at once may have happened in either order.
  if (isAlone) expect(state.asked, 'asked').toBe(Number(world.isAsked));
  world.isAsked = state.asked === 1;
  if (world.isLocked) expect([state.asked, state.locked], 'an opened request stays').toEqual([1, 1]);
  const goal = Number(world.isAsked ? SHARE : TOTAL);
  if (state.waits === 0 || state.ended > 0) {
    expect(state.ended, `ended with ${state.recorded} of ${goal}`).toBe(Number(state.recorded >= goal));
  }
  expect(state.earned, 'earned').toBe(Math.max(0, Number(SHARE) - state.recorded));
}

/** All that is final was recorded, to the lamport, and the period ended exactly if it had to. */
async function checkEnd(world: World): Promise<void> {
  await check(world, { isAlone: true });
  const final = world.sent.filter(world.chain.hasFinal);
  const sumOf = (transfers: readonly Sent[]) =>
    transfers.reduce((sum, { lamports }) => sum + Number(lamports), 0);
  const { recorded, ended } = await readState(world);
  if (!(world.isErased && final.some(({ isFromOther }) => isFromOther))) {
    expect(recorded, 'paid back = recorded').toBe(sumOf(final));
  }
  if (recorded >= Number(SHARE) && world.isLocked) expect(ended, 'money with the access').toBe(1);
  if (recorded < Number(TOTAL) && !world.isAsked) expect(ended, 'thrown out at their own cost').toBe(0);
}

/** Plays one history. @throws with all steps if a rule is broken */
export async function playRefundHistory(seed: number): Promise<void> {
  const world = await createWorld(seed);
  try {
    await play(world);
  } catch (error) {
    throw new Error(`History ${seed}: ${String(error)}\n${world.trace.join('\n')}`, { cause: error });
  }
}
