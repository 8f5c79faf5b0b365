import type { z } from 'zod';
import { HOUR_MS } from '#schema/constants/time.ts';
import type {
  OpenRefundResponse,
  openRefundSchema,
  RefundSearchResponse,
  searchRefundSchema,
  SendTransactionResponse,
  sendTransactionSchema,
} from '#schema/contracts/payments.ts';
import { chooseComputeBudget } from '#schema/rules/money/network-fee.ts';
import { refundedLamports } from '#schema/rules/money/refund.ts';
import type { Base } from '../../../app/base.ts';
import { AppError } from '../../../app/errors.ts';
import { ifUnavailable } from '../../../ports/unavailable.ts';
import { createId } from '../../../shared/ids.ts';
import { createRejectedByChainError } from './payments.errors.ts';
import { SEARCHED_SIGNATURES } from './payments.service.ts';
import { countPayments, type PaymentDependencies } from './record-payment.ts';
import { createReference } from './reference.ts';
import type { RefundRow, RefundsRepository } from './refunds.repository.ts';
import { decodeSignedTransaction } from './signed-transaction.ts';

const SEARCHES_PER_RUN = 5;
/** No transaction has it, so it's absent from every block that both endpoints have finalized. */
const NO_SIGNATURE = '1'.repeat(64);

export interface RefundsOptions
  extends
    Pick<PaymentDependencies, 'intents' | 'ledger' | 'chain' | 'live' | 'metrics' | 'clock'>,
    Pick<Base, 'alarmOnce'> {
  readonly refunds: RefundsRepository;
}

export function createRefundsService(options: RefundsOptions) {
  const { refunds, chain, clock } = options;
  const searchOne = createSearchOne(options);

  const findOwn = async (callerId: string, accounts: readonly string[]): Promise<RefundRow> => {
    const [refund, ...others] = await refunds.findByReferences(callerId, accounts);
    if (!refund || others.length > 0) throw new AppError({ code: 'payments.not_found' });
    return refund;
  };

  return {
    open: createOpen(options, searchOne),

    /** Broadcasts a transaction that pays exactly one open refund of this caller in full. */
    async send(
      callerId: string,
      { transaction }: z.infer<typeof sendTransactionSchema>,
    ): Promise<SendTransactionResponse> {
      const signed = decodeSignedTransaction(transaction);
      const refund = await findOwn(callerId, signed.accounts);
      const { reference, fromAddress, toAddress, callerLamports, isRefunded } = refund;
      if (isRefunded) throw new AppError({ code: 'payments.refunded' });
      const [transfer, ...others] = signed.transfers;
      const isRefund =
        transfer?.source === fromAddress &&
        transfer.destination === toAddress &&
        transfer.lamports === callerLamports &&
        others.length === 0;
      if (!isRefund) throw new AppError({ code: 'payments.not_the_refund' });
      if (signed.hasDurableNonce) throw new AppError({ code: 'payments.durable_nonce' });
      const { signature } = signed;
      const lastValidBlockHeight = await markSent(options, { reference, signature });
      // Without a response, it may have been sent, so the page waits for it.
      const sent = await chain.send(signed).catch(ifUnavailable({ signature }));
      if ('signature' in sent) return { result: signature };
      // Bytes that were sent before may still land, although the cluster rejects them now.
      if (refund.sentSignature !== signature) await refunds.forgetSent(reference, lastValidBlockHeight);
      throw createRejectedByChainError(sent.rejection);
    },

    /** Searches the chain for the refund's transfer. @throws payments.pending if it isn't finalized yet */
    async search(
      callerId: string,
      { reference }: z.infer<typeof searchRefundSchema>,
    ): Promise<RefundSearchResponse> {
      const refund = await findOwn(callerId, [reference]);
      const found = refund.signature === null ? await searchOne(refund) : { signature: refund.signature };
      if (found === 'unreadable') throw new AppError({ code: 'payments.refund_unreadable' });
      if (typeof found === 'string') throw new AppError({ code: 'payments.pending' });
      return found;
    },

    async searchDue(): Promise<{ searched: number; found: number }> {
      const due = await refunds.listDue(clock.now(), SEARCHES_PER_RUN);
      // Postpone them first, so that a search that fails doesn't block the next run.
      await refunds.postpone(
        due.map(({ reference }) => reference),
        clock.now(),
      );
      let found = 0;
      for (const refund of due) found += typeof (await searchOne(refund)) === 'string' ? 0 : 1;
      return { searched: due.length, found };
    },
  };
}

/**
 * Two pages can open the refund and sign at the same time, and both transfers would leave the wallet.
 * @returns the last block that can include the transfer
 * @throws payments.refund_pending if another transfer may land
 */
async function markSent(
  { refunds, chain }: RefundsOptions,
  transfer: { reference: string; signature: string | null },
): Promise<number> {
  const lastValidBlockHeight = await chain.lastValidBlockHeight();
  const isMarked = await refunds.markSent({ ...transfer, lastValidBlockHeight });
  if (!isMarked) throw new AppError({ code: 'payments.refund_pending' });
  return lastValidBlockHeight;
}

function createOpen(options: RefundsOptions, searchOne: ReturnType<typeof createSearchOne>) {
  const { refunds, chain, clock } = options;

  /** False once the transfer that was sent last is final, or can't land any more. */
  const canLand = async ({ sentSignature, lastValidBlockHeight }: RefundRow) => {
    if (lastValidBlockHeight === null) return false;
    const signature = sentSignature ?? NO_SIGNATURE;
    const [state] = await chain.signatureStates([signature]);
    const upTo = { blockHeight: lastValidBlockHeight };
    const absent = await chain.absentAtFinalized([{ signature, upTo }]);
    return state?.status !== 'finalized' && !absent.has(signature);
  };

  /** @throws payments.refund_pending while an earlier transfer for the refund may still land or has landed */
  const assertNoneOnTheWay = async (callerId: string, reference: string): Promise<void> => {
    const [refund] = await refunds.findByReferences(callerId, [reference]);
    if (!refund) return;
    // Asked before the search, which then finds whatever has landed.
    const isSent = await canLand(refund);
    const found = await searchOne(refund);
    if (found === 'unreadable') throw new AppError({ code: 'payments.refund_unreadable' });
    if (isSent || found !== 'absent') throw new AppError({ code: 'payments.refund_pending' });
    await refunds.forgetSent(reference, refund.lastValidBlockHeight);
  };

  return async (
    callerId: string,
    { signature, sendsItself }: z.infer<typeof openRefundSchema>,
  ): Promise<OpenRefundResponse> => {
    const payment = await refunds.findPayment({ signature, callerId });
    if (!payment) throw new AppError({ code: 'payments.not_found' });
    const { id: paymentId, fromAddress, toAddress, callerLamports, isRefunded, paymentSlot } = payment;
    const [{ blockhash }, prices] = await Promise.all([
      chain.latestBlockhash(),
      chain.recentPrices([fromAddress, toAddress]).catch(ifUnavailable([])),
    ]);
    const fresh = createReference();
    const reference = await refunds.open({ reference: fresh, paymentId, now: clock.now() });
    if (reference === null) {
      if (paymentSlot === null) throw new AppError({ code: 'payments.not_final' });
      throw new AppError({ code: isRefunded ? 'payments.refunded' : 'payments.too_many_refunds' });
    }
    if (reference !== fresh) await assertNoneOnTheWay(callerId, reference);
    if (sendsItself) await markSent(options, { reference, signature: null });
    const { computeUnitLimit, microLamports } = chooseComputeBudget(prices);
    return {
      blockhash,
      refund: { reference, fromAddress, toAddress, lamports: callerLamports.toString() },
      computeBudget: { computeUnitLimit, microLamports: microLamports.toString() },
    };
  };
}

/** `pending`: the transfer is final, but it's too early to record it. */
type RefundReading = { signature: string } | 'absent' | 'pending' | 'unreadable';

/** Returns the signature of the refund's transfer, recorded if it's new. */
function createSearchOne(options: RefundsOptions) {
  const { refunds, intents, ledger, chain, live, clock, alarmOnce } = options;
  const readCandidate = async (
    { signature, slot: landedIn }: { signature: string; slot: number },
    { paymentSlot, ...refund }: RefundRow,
  ) => {
    const transaction = await chain.transaction(signature);
    // A final transaction that isn't returned, or without its time, isn't absent.
    if (typeof transaction === 'string' || transaction.blockTime === null) {
      const { reference, callerId: person } = refund;
      const releasedUntil = await refunds.releasedUntil(reference);
      if (releasedUntil > 0 && (await chain.blockTime(landedIn)) <= releasedUntil) return [];
      const details = { signature, reference, callerId: person };
      await alarmOnce({ kind: 'payments.refund_unreadable', details }, { person, everyMs: HOUR_MS });
      return 'unreadable';
    }
    if (paymentSlot === null) return [];
    // A transaction that names an intent may be a payment that isn't recorded yet. A payment is never a refund.
    if ((await intents.find(transaction)).length > 0) return [];
    const lamports = refundedLamports(transaction, { ...refund, paymentSlot });
    const { slot, blockTime: paidAt } = transaction;
    return lamports === 0n ? [] : [{ signature, lamports, slot, paidAt }];
  };

  return async (refund: RefundRow): Promise<RefundReading> => {
    const { reference, sentSignature, id: paymentId, userId, callerId } = refund;
    const listed = (await chain.signaturesFor(reference)).slice(0, SEARCHED_SIGNATURES);
    // Others may have named the reference earlier and more often.
    const signatures = [...new Set([...listed, ...(sentSignature === null ? [] : [sentSignature])])];
    const states = await chain.signatureStates(signatures);
    const candidates = [];
    let missing: 'absent' | 'pending' | 'unreadable' = 'absent';
    for (const [index, signature] of signatures.entries()) {
      const state = states[index];
      if (state?.status !== 'finalized' || state.error !== null) continue;
      const read = await readCandidate({ signature, slot: state.slot }, refund);
      if (read === 'unreadable') missing = read;
      else candidates.push(...read);
    }
    const isFull = ({ lamports }: { lamports: bigint }) => lamports >= refund.callerLamports;
    const full = candidates.filter(isFull);
    for (const found of [...full, ...candidates.filter((each) => !isFull(each))]) {
      const { signature } = found;
      const now = clock.now();
      if (!(await ledger.refund({ ...found, reference, paymentId, entryId: createId(), now }))) {
        if (!(await refunds.isRecorded(signature))) missing = 'pending';
        continue;
      }
      countPayments(options, 'refunded', Number(isFull(found)));
      live.peopleChanged({ userIds: [userId], topic: 'payments' });
      live.peopleChanged({ userIds: [callerId], topic: 'earnings' });
      return { signature };
    }
    return missing;
  };
}
