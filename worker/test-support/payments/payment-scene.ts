import type { Keypair } from '@solana/web3.js';
import { createPaidCaller } from '../people/callers.ts';
import { balanceOf, createFundedWallet } from './chain.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import { query } from '../database/database.ts';
import { control, createTestApp, type Person, type TestApp } from '../test-app.ts';

/** The caller's fee in lamports. */
export const SCENE_FEE = 500_000_000n;
/** The payer's initial balance, in lamports. */
const FUNDS = 10_000_000_000n;

export interface PaymentScene {
  readonly app: TestApp;
  readonly caller: Person;
  readonly payout: Keypair;
  readonly follower: Person;
  /** The follower's wallet, with 10 SOL. */
  readonly payer: Keypair;
}

/** Starts a new app with a Paid caller and a follower who hasn't paid yet. */
export async function createPaymentScene(): Promise<PaymentScene> {
  const app = await createTestApp();
  const { caller, payout } = await createPaidCaller(app, { fee: '0.5' });
  return { app, caller, payout, follower: await app.signIn('follower'), payer: await createFundedWallet() };
}

/** The lamports that the scene's payer has spent. */
export async function spentBy({ payer }: Pick<PaymentScene, 'payer'>): Promise<bigint> {
  return FUNDS - (await balanceOf(payer.publicKey.toBase58()));
}

/** True if the follower may see the caller's active calls. */
export async function hasAccess({
  follower,
  caller,
}: Pick<PaymentScene, 'follower' | 'caller'>): Promise<boolean> {
  return (await follower.get(`/api/token-calls/caller/${caller.id}/active`)).status === 200;
}

/** Lets a fork remove a transaction. */
export const forget = (signature: string) => control('POST', '/solana/forget', { signature });

/** Makes a transaction one of a version that only a later deploy can read. It lands and is listed as usual. */
export const makeUnreadable = (signature: string, { isReturned = false } = {}) =>
  control('POST', '/solana/unreadable', { signature, isReturned });
export const makeAllReadable = () => control('DELETE', '/solana/unreadable');

/** Lets the endpoints fail, or one of them, on each request or only on those of one method (`path`). */
export const failSolana = (how: object) => control('POST', '/faults', { service: 'solana', ...how });
export const clearFaults = () => control('DELETE', '/faults');

/** Waits for finality and runs the payments' jobs. */
export async function settle({ app }: Pick<PaymentScene, 'app'>): Promise<void> {
  await app.advance(MINUTE_MS);
  await app.runJobs('payments');
}

/** The kinds of all ledger entries, oldest first. */
export const listLedger = async () =>
  (await query<{ kind: string }>('SELECT kind FROM payment_ledger ORDER BY seq')).map(({ kind }) => kind);

export const listPeriods = () =>
  query<{ starts_at: number; ends_at: number | null; payment_id: string | null }>(
    'SELECT starts_at, ends_at, payment_id FROM subscriptions ORDER BY starts_at',
  );

export const countersOf = async ({ id }: Person) =>
  (
    await query<{ subscriber_count: number; paying_count: number; earned_lamports: number }>(
      'SELECT subscriber_count, paying_count, earned_lamports FROM callers WHERE caller_id = ?',
      id,
    )
  )[0];
