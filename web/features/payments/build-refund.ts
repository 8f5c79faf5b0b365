import type { OpenRefundResponse } from '#schema/contracts/payments.ts';
import { buildTransaction, transferWithReference } from '#web/lib/wallets/build-transaction.ts';

/** Builds the unsigned transfer of this amount. Import this module lazily, because it loads web3.js. */
export function buildRefund(opened: OpenRefundResponse, lamports: bigint): Uint8Array {
  const { blockhash, refund, computeBudget } = opened;
  const { reference, fromAddress: from, toAddress: to } = refund;
  return buildTransaction({ payer: from, blockhash, computeBudget }, [
    transferWithReference({ from, to, lamports, reference }),
  ]);
}
