import type { z } from 'zod';
import { REFUND_OPEN_MS } from '#schema/constants/money.ts';
import { HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type {
  OpenRefundResponse,
  openRefundSchema,
  SendRefundBody,
  SendTransactionResponse,
} from '#schema/contracts/payments.ts';
import { chooseComputeBudget } from '#schema/rules/money/network-fee.ts';
import { refundBalance, refundedLamports } from '#schema/rules/money/refund.ts';
import type { Base } from '../../../app/base.ts';
import { AppError } from '../../../app/errors.ts';
import { FIRST_POSITION, type SignatureEntry } from '../../../ports/chain.ts';
import { ifUnavailable } from '../../../ports/unavailable.ts';
import { createId } from '../../../shared/ids.ts';
import type { FoundTransfer } from './paid-periods.repository.ts';
import { createRejectedByChainError } from './payments.errors.ts';
import { countPayments, type PaymentDependencies } from './record-payment.ts';
import { createReference } from './reference.ts';
import {
  isRefund,
  type PaymentToRefund,
  type RefundRow,
  type RefundsRepository,
} from './refunds.repository.ts';
import { decodeSignedTransaction } from './signed-transaction.ts';

const SEARCHES_PER_RUN = 5;
/** A search reads at most this many transactions. The next one goes on. */
export const READS_PER_SEARCH = 20;
/** A search lists at most this many pages of a thousand transactions. */
const PAGES_PER_SEARCH = 20;
/** Newer transactions are listed again, because an endpoint may have listed them with gaps. */
const SETTLED_MS = 10 * MINUTE_MS;
/** No transaction has it, so it's absent from every block that both endpoints have finalized. */
const NO_SIGNATURE = '1'.repeat(64);

export interface RefundsOptions
  extends
    Pick<PaymentDependencies, 'intents' | 'chain' | 'live' | 'metrics' | 'clock'>,
    Pick<Base, 'alarmOnce'> {
  readonly refunds: RefundsRepository;
}

export function createRefundsService(options: RefundsOptions) {
  const { refunds, chain, clock } = options;
  const searchOne = createSearchOne(options);
  const findOwn = createFindOwn(options);

  return {
    request: createRequest(options),
    open: createOpen(options),

    /** Broadcasts a transfer of this caller that pays one open refund, at most what is left to pay. */
    async send(callerId: string, body: SendRefundBody): Promise<SendTransactionResponse> {
      const signed = decodeSignedTransaction(body.transaction);
      const refund = await findOwn(callerId, body.signature);
      const { reference, fromAddresses, toAddress } = refund;
      const { left } = refundBalance(refund);
      if (left === 0n) throw new AppError({ code: 'payments.refunded' });
      const [transfer, ...others] = signed.transfers;
      const isExact =
        transfer !== undefined &&
        signed.accounts.includes(reference) &&
        fromAddresses.includes(transfer.source) &&
        transfer.destination === toAddress &&
        transfer.lamports <= left &&
        others.length === 0;
      if (!isExact) throw new AppError({ code: 'payments.not_the_refund' });
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

    /** Records finalized transfers of opened refunds. */
    async searchDue(): Promise<{ searched: number }> {
      // Postponed first, so that a search that fails doesn't block the next run.
      const due = await refunds.postponeDue(clock.now(), SEARCHES_PER_RUN);
      for (const refund of due) await searchOne(refund);
      return { searched: due.length };
    },
  };
}

const createFindOwn =
  ({ refunds }: RefundsOptions) =>
  async (callerId: string, signature: string): Promise<RefundRow> => {
    const refund = await refunds.find(signature);
    if (refund?.callerId === callerId && isRefund(refund)) return refund;
    throw new AppError({ code: 'payments.not_found' });
  };

function refuse({ paymentSlot, isRefunded }: PaymentToRefund): AppError {
  if (paymentSlot === null) return new AppError({ code: 'payments.not_final' });
  return new AppError({ code: isRefunded ? 'payments.refunded' : 'payments.refund_opened' });
}

/**
 * A subscriber asks for a refund, which ends the period at once if the caller's share was already paid back, or takes that
 * back. @throws payments.refund_opened once the caller has opened the refund that was asked for
 */
function createRequest({ refunds, live, clock }: RefundsOptions) {
  return async (request: { userId: string; signature: string; isAsked: boolean }): Promise<void> => {
    const { userId, signature, isAsked } = request;
    const payment = await refunds.find(signature);
    if (payment?.userId !== userId) throw new AppError({ code: 'payments.not_found' });
    const { paymentId } = payment;
    const fresh = { reference: createReference(), entryId: createId(), now: clock.now() };
    if (!(await refunds.request({ paymentId, isAsked, ...fresh }))) throw refuse(payment);
    tellPages(live, payment);
  };
}

function tellPages(live: RefundsOptions['live'], { userId, callerId }: PaymentToRefund): void {
  live.peopleChanged({ userIds: [userId], topic: 'payments' });
  live.peopleChanged({ userIds: [callerId], topic: 'earnings' });
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

function createOpen(options: RefundsOptions) {
  const { refunds, chain, clock } = options;
  const searchOne = createSearchOne(options);
  const findOwn = createFindOwn(options);

  /** False once the transfer that was sent last is final, or can't land any more. */
  const canLand = async ({ sentSignature, lastValidBlockHeight }: RefundRow) => {
    if (lastValidBlockHeight === null) return false;
    const signature = sentSignature ?? NO_SIGNATURE;
    const [state] = await chain.signatureStates([signature]);
    const upTo = { blockHeight: lastValidBlockHeight };
    const absent = await chain.absentAtFinalized([{ signature, upTo }]);
    return state?.status !== 'finalized' && !absent.has(signature);
  };

  /** @throws payments.refund_pending while an earlier transfer for the refund may still land or isn't recorded */
  const assertNoneOnTheWay = async (refund: RefundRow): Promise<void> => {
    // Asked before the search, which then finds whatever has landed.
    const isSent = await canLand(refund);
    const state = await searchOne(refund);
    if (state === 'unreadable') throw new AppError({ code: 'payments.refund_unreadable' });
    if (isSent || state === 'behind') throw new AppError({ code: 'payments.refund_pending' });
    await refunds.forgetSent(refund.reference, refund.lastValidBlockHeight);
  };

  return async (
    callerId: string,
    { signature, fromAddress, sendsItself }: z.infer<typeof openRefundSchema>,
  ): Promise<OpenRefundResponse> => {
    const payment = await refunds.find(signature);
    if (payment?.callerId !== callerId) throw new AppError({ code: 'payments.not_found' });
    const { paymentId, toAddress, openedAt } = payment;
    if (!payment.fromAddresses.includes(fromAddress)) {
      throw new AppError({ code: 'payments.not_your_wallet' });
    }
    const [{ blockhash }, prices] = await Promise.all([
      chain.latestBlockhash(),
      chain.recentPrices([fromAddress, toAddress]).catch(ifUnavailable([])),
    ]);
    const now = clock.now();
    const opened = await refunds.open({ paymentId, reference: createReference(), now });
    if (opened === null) throw refuse(payment);
    if (openedAt !== null) await assertNoneOnTheWay(await findOwn(callerId, signature));
    const refund = await findOwn(callerId, signature);
    // A request that came after the opening can be taken back, so it isn't part of the terms.
    const { reference, isAsked } = opened;
    const { left } = refundBalance({ ...refund, isAsked });
    if (left === 0n) throw new AppError({ code: 'payments.refunded' });
    if (sendsItself) await markSent(options, { reference, signature: null });
    const { computeUnitLimit, microLamports } = chooseComputeBudget(prices);
    const isOpen = openedAt !== null && openedAt > now - REFUND_OPEN_MS;
    return {
      blockhash,
      refund: { reference, toAddress, lamports: left.toString(), isAsked },
      openedBefore: isOpen ? new Date(openedAt).toISOString() : null,
      computeBudget: { computeUnitLimit, microLamports: microLamports.toString() },
    };
  };
}

/** `behind`: the next search goes on. `complete`: all that is final was read. */
type SearchState = 'complete' | 'behind' | 'unreadable';

/**
 * Records all transfers of the refund. Reads the transactions that name its reference, oldest first, because nobody else
 * knows the reference before the first transfer. Whoever names it in many later ones delays a search, but hides nothing.
 */
function createSearchOne(options: RefundsOptions) {
  const { refunds, intents, chain, live, clock, alarmOnce } = options;

  /** The finalized transactions behind the position up to which all were read, oldest first. */
  const listNew = async ({ reference: address, readSlot, readSignature }: RefundRow) => {
    const positions = [FIRST_POSITION];
    let page = await chain.newestFinalizedPage({ address, positions });
    const listed = [...page.entries];
    const reachesBack = () => page.end !== 'more' || (listed.at(-1)?.slot ?? 0) < readSlot;
    for (let pages = 1; !reachesBack() && pages < PAGES_PER_SEARCH; pages += 1) {
      page = await chain.finalizedPage({ address, before: listed.at(-1)?.signature ?? null, positions });
      listed.push(...page.entries);
    }
    const isNew = ({ slot, signature }: SignatureEntry) =>
      slot > readSlot || (slot === readSlot && signature > readSignature);
    // Endpoints order a slot's transactions differently, so their signatures order them.
    const entries = listed
      .filter(isNew)
      .toSorted((one, other) => one.slot - other.slot || (one.signature < other.signature ? -1 : 1));
    return { entries, isComplete: reachesBack() };
  };

  const read = async (
    { signature, slot: landedIn }: SignatureEntry,
    { paymentId, callerId: person, ...terms }: RefundRow,
  ): Promise<FoundTransfer[] | 'unreadable' | 'released'> => {
    const transaction = await chain.transaction(signature);
    // A final transaction that isn't returned, or without its time, isn't absent.
    if (typeof transaction === 'string' || transaction.blockTime === null) {
      const { reference } = terms;
      const releasedUntil = await refunds.releasedUntil(reference);
      if (releasedUntil > 0 && (await chain.blockTime(landedIn)) <= releasedUntil) return 'released';
      const details = { signature, reference, callerId: person };
      await alarmOnce({ kind: 'payments.refund_unreadable', details }, { person, everyMs: HOUR_MS });
      return 'unreadable';
    }
    // A transaction that names an intent may be a payment that isn't recorded yet. A payment is never a refund.
    if ((await intents.find(transaction)).length > 0) return [];
    const lamports = refundedLamports(transaction, terms);
    const { accounts, slot, blockTime: paidAt } = transaction;
    return lamports === 0n ? [] : [{ paymentId, signature, lamports, accounts, slot, paidAt }];
  };

  return async (refund: RefundRow): Promise<SearchState> => {
    const { paymentId } = refund;
    const { entries, isComplete } = await listNew(refund);
    const found: FoundTransfer[] = [];
    const settledBefore = clock.now() - SETTLED_MS;
    const next = entries.filter(({ hasFailed }) => !hasFailed).at(READS_PER_SEARCH);
    let isGapless = isComplete;
    let state: SearchState = isComplete && !next ? 'complete' : 'behind';
    let { readSlot, readSignature } = refund;
    for (const entry of next ? entries.slice(0, entries.indexOf(next)) : entries) {
      const transfers = entry.hasFailed ? [] : await read(entry, refund);
      if (transfers === 'unreadable') state = transfers;
      // One that can't be read is read again, even after its release.
      if (typeof transfers === 'string') isGapless = false;
      else found.push(...transfers);
      if (isGapless && (entry.at ?? Infinity) < settledBefore) {
        ({ slot: readSlot, signature: readSignature } = entry);
      }
    }
    const end = { paymentId, entryId: createId(), now: clock.now() };
    const recorded = await refunds.record(found, { ...end, readSlot, readSignature });
    countPayments(options, 'paid_back', recorded);
    if (recorded > 0) tellPages(live, refund);
    return state;
  };
}
