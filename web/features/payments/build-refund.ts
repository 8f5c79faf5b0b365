import type { OpenRefundResponse } from '#schema/contracts/payments.ts';
import { buildTransaction, transferWithReference } from '#web/lib/wallets/build-transaction.ts';

/** Builds the unsigned transfer of a refund. Import this module lazily, because it loads web3.js. */
export function buildRefund({ blockhash, refund, computeBudget }: OpenRefundResponse): Uint8Array {
  const { reference, fromAddress: from, toAddress: to, lamports } = refund;
  return buildTransaction({ payer: from, blockhash, computeBudget }, [
    transferWithReference({ from, to, lamports: BigInt(lamports), reference }),
  ]);
}
