import type { OpenRefundResponse } from '#schema/contracts/payments.ts';
import { parseSol } from '#schema/rules/money/lamports.ts';
import { buildTransaction, transferWithReference } from '#web/lib/wallets/build-transaction.ts';

interface RefundPart {
  readonly from: string;
  readonly amount: string;
}

/** Builds the unsigned transfer of this amount in SOL. Import this module lazily, because it loads web3.js. */
export function buildRefund(opened: OpenRefundResponse, { from, amount }: RefundPart): Uint8Array {
  const { blockhash, refund, computeBudget } = opened;
  const { reference, toAddress: to } = refund;
  const lamports = parseSol(amount) ?? 0n;
  return buildTransaction({ payer: from, blockhash, computeBudget }, [
    transferWithReference({ from, to, lamports, reference }),
  ]);
}
