import { ComputeBudgetProgram, type Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { MONTH_DAYS } from '#schema/constants/money.ts';
import type { OpenIntentResponse } from '#schema/contracts/payments.ts';
import { priceOf, QUARTER_DAYS } from '#schema/rules/money/lengths.ts';
import type { Chain } from '../stand-ins/chain/chain.ts';
import type { SeededCaller } from './fixtures.ts';
import type { PlannedPayment } from './plan-subscriptions.ts';

const SOL = 1_000_000_000n;

interface FundWalletsOptions {
  chain: Chain;
  platformAddress: string;
  callers: readonly SeededCaller[];
  payments: readonly PlannedPayment[];
}

/**
 * Funds the seeded wallets, so that their accounts exist. A new account can't receive an amount below the rent-exempt
 * minimum.
 */
export function fundWallets({ chain, platformAddress, callers, payments }: FundWalletsOptions): void {
  chain.airdrop(platformAddress, SOL / 10n);
  for (const { payout } of callers) {
    if (payout) chain.airdrop(payout.publicKey.toBase58(), SOL / 100n);
  }
  const spending = new Map<string, bigint>();
  for (const { payer, caller, days } of payments) {
    const address = payer.publicKey.toBase58();
    // A length that isn't on sale becomes 30 days.
    const { totalLamports } = priceOf(caller.feeLamports, days === QUARTER_DAYS ? days : MONTH_DAYS);
    spending.set(address, (spending.get(address) ?? 0n) + totalLamports);
  }
  for (const [address, lamports] of spending) chain.airdrop(address, lamports + SOL);
}

/** Builds and signs the transaction that pays an intent, as the product's page and a wallet do. */
export function signPayment(payer: Keypair, { result, intent, computeBudget }: OpenIntentResponse): Buffer {
  const reference = new PublicKey(intent.reference);
  const transfer = (to: string, lamports: string) => {
    const instruction = SystemProgram.transfer({
      fromPubkey: payer.publicKey,
      toPubkey: new PublicKey(to),
      lamports: BigInt(lamports),
    });
    instruction.keys.push({ pubkey: reference, isSigner: false, isWritable: false });
    return instruction;
  };
  const transaction = new Transaction({ feePayer: payer.publicKey, ...result.value }).add(
    ComputeBudgetProgram.setComputeUnitLimit({ units: computeBudget.computeUnitLimit }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: BigInt(computeBudget.microLamports) }),
    transfer(intent.callerAddress, intent.callerLamports),
    transfer(intent.platformAddress, intent.platformLamports),
  );
  transaction.sign(payer);
  return transaction.serialize({ verifySignatures: false });
}
