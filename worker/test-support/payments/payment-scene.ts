import type { Keypair } from '@solana/web3.js';
import { createPaidCaller } from '../people/callers.ts';
import { balanceOf, createFundedWallet } from './chain.ts';
import { createTestApp, type Person, type TestApp } from '../test-app.ts';

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
