import { PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { splitFee } from '#schema/rules/lamports.ts';
import type { Chain } from '../chain/chain.ts';
import { keypairFrom, type SeededCaller } from './cast.ts';
import type { PlannedPayment } from './plan-subscriptions.ts';

const SOL = 1_000_000_000n;

export interface MadePayment extends PlannedPayment {
  readonly reference: string;
  readonly signature: string;
  readonly slot: number;
}

interface FundWalletsOptions {
  chain: Chain;
  platformAddress: string;
  callers: readonly SeededCaller[];
  payments: readonly PlannedPayment[];
  at: number;
}

/**
 * Funds the seeded wallets at the time `at`, so that their accounts exist. A new account can't receive an
 * amount below the rent-exempt minimum.
 */
export function fundWallets({ chain, platformAddress, callers, payments, at }: FundWalletsOptions): void {
  chain.airdrop(platformAddress, SOL / 10n, { at });
  for (const { payout } of callers) {
    if (payout) chain.airdrop(payout.publicKey.toBase58(), SOL / 100n, { at });
  }
  const spending = new Map<string, bigint>();
  for (const { payer, caller } of payments) {
    const address = payer.publicKey.toBase58();
    spending.set(address, (spending.get(address) ?? 0n) + caller.feeLamports);
  }
  for (const [address, lamports] of spending) chain.airdrop(address, lamports + SOL, { at });
}

interface PayOnChainOptions {
  chain: Chain;
  payment: PlannedPayment;
  number: number;
  platformAddress: string;
}

/** Pays as the product's page does, with two transfers that name a reference. */
export function payOnChain({ chain, payment, number, platformAddress }: PayOnChainOptions): MadePayment {
  const { payer, caller, at } = payment;
  const { callerLamports, platformLamports } = splitFee(caller.feeLamports);
  const reference = keypairFrom(`reference ${number}`).publicKey;
  const transfer = (toPubkey: PublicKey, lamports: bigint) => {
    const instruction = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports });
    instruction.keys.push({ pubkey: reference, isSigner: false, isWritable: false });
    return instruction;
  };
  const transaction = new Transaction({ feePayer: payer.publicKey, ...chain.latestBlockhash({ at }) });
  transaction.add(
    transfer(caller.payout.publicKey, callerLamports),
    transfer(new PublicKey(platformAddress), platformLamports),
  );
  transaction.sign(payer);
  const signature = chain.submit(transaction.serialize(), { at });
  const landed = chain.transaction(signature);
  if (!landed) throw new Error(`The seeded payment ${signature} is not on the chain`);
  return { ...payment, reference: reference.toBase58(), signature, slot: landed.slot };
}
