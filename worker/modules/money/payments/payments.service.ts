import type { z } from 'zod';
import {
  BLOCKHASH_BLOCKS,
  CHAIN_CLOCK_SKEW_MS,
  INTENT_LIFETIME_MS,
  MAX_AHEAD_MS,
  MAX_LANDING_MS,
} from '#schema/constants/money.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type {
  confirmTransactionSchema,
  ConfirmTransactionResponse,
  OpenIntentResponse,
  openIntentSchema,
  searchPaymentSchema,
  SendTransactionResponse,
  sendTransactionSchema,
} from '#schema/contracts/payments.ts';
import type { PaidSubscriptionBody, Subscription } from '#schema/contracts/subscriptions.ts';
import { parseSol, type FeeSplit } from '#schema/rules/money/lamports.ts';
import {
  findShortfall,
  lengthsOf,
  priceOf,
  type Balances,
  type PeriodDays,
  type SaleTerms,
} from '#schema/rules/money/lengths.ts';
import { chooseComputeBudget } from '#schema/rules/money/network-fee.ts';
import { matchTransfers } from '#schema/rules/money/payment.ts';
import type { ChainTransaction } from '../../../ports/chain.ts';
import { ifUnavailable, PortUnavailableError } from '../../../ports/unavailable.ts';
import type { Timer } from '../../../ports/timer.ts';
import { AppError } from '../../../app/errors.ts';
import { toBase64 } from '../../../shared/base64.ts';
import { mapConcurrently } from '../../../shared/concurrency.ts';
import { createId } from '../../../shared/ids.ts';
import { firstRebroadcastAt } from './broadcasts.repository.ts';
import type { IntentRow } from './intents.repository.ts';
import {
  createLandedError,
  createLengthError,
  createOtherPaymentError,
  createRejectedByChainError,
  createSendTimedOutError,
  createUnderRentError,
  type LandedRefusal,
} from './payments.errors.ts';
import {
  isUndecided,
  judgeFirstPaid,
  judgeIntent,
  recordIfPaid,
  recordPayment,
  type PaymentDependencies,
} from './record-payment.ts';
import type { PausesService } from '../pauses/pauses.service.ts';
import { createReference } from './reference.ts';
import { decodeSignedTransaction } from './signed-transaction.ts';
import type { UnreadRepository } from './unread.repository.ts';
import type { SubscriptionsService } from '../subscriptions/subscriptions.service.ts';

export interface PaidTerms extends Omit<SaleTerms, 'isSteady'> {
  readonly payoutAddress: string | null;
}

/** A confirmed transaction is final much earlier. */
const FINAL_AFTER_MS = 10 * MINUTE_MS;
const CONFIRM_POLLS = 5;
const CONFIRM_POLL_MS = SECOND_MS;
/** An open intent is reused only if it has this much time left. */
const INTENT_REUSE_MS = INTENT_LIFETIME_MS / 2;
/**
 * A search reads at most this many transactions. They are the oldest, because nobody else knows the reference
 * before the payment is sent.
 */
export const SEARCHED_SIGNATURES = 10;
/** Searches of the cron, and what each reads at most. A payment that is found takes up to ten of a run's D1 queries. */
export const SEARCHES_PER_RUN = 20;
const READS_PER_SEARCH = 3;

export type PaymentsService = ReturnType<typeof createPaymentsService>;

/** Copies the terms of payments for a restore. No request waits for it. */
interface PaymentBackups {
  saveIntent(intent: IntentRow): void;
  saveBroadcast(intent: IntentRow, broadcast: SentBroadcast): void;
}

interface SentBroadcast {
  readonly signature: string;
  readonly intentId: string;
  readonly createdAt: number;
  readonly lastValidBlockHeight: number | null;
}

export interface PaymentsOptions extends PaymentDependencies {
  readonly pauses: PausesService;
  readonly subscriptions: SubscriptionsService;
  readonly terms: {
    assertAccepted(userId: string): Promise<void>;
  };
  readonly timer: Timer;
  readonly backups: PaymentBackups;
  readonly unread: UnreadRepository;
}

export function createPaymentsService(options: PaymentsOptions) {
  return {
    /** @throws if a payment for the shortest length on sale would leave a recipient below the rent-exempt minimum */
    async assertFeeCanLand(terms: PaidTerms): Promise<void> {
      const [shortest] = lengthsOf({ ...terms, isSteady: false });
      if (shortest !== undefined) assertLands(terms, shortest, await readBalances(options, terms));
    },

    openIntent: createOpenIntent(options),
    send: createSend(options),
    confirm: createConfirm(options),
    claim: createClaim(options),
    search: createSearch(options),
    searchDue: createSearchDue(options),
  };
}

type OpenIntentBody = z.infer<typeof openIntentSchema>;
type SendTransactionBody = z.infer<typeof sendTransactionSchema>;
type SearchPaymentBody = z.infer<typeof searchPaymentSchema>;
type ConfirmTransactionBody = z.infer<typeof confirmTransactionSchema>;

async function createUnopenedError(
  { intents, pauses }: PaymentsOptions,
  request: { userId: string; callerId: string; now: number },
): Promise<AppError> {
  await pauses.assertRunning('payments');
  const nextOpenAt = await intents.nextOpenAt(request);
  return nextOpenAt === null
    ? createOtherPaymentError('payments.already_sent', await intents.findPending(request))
    : new AppError({ code: 'payments.too_many_unused', waitMs: nextOpenAt - request.now });
}

/** @throws if a payment that we didn't send has landed, or may still land */
function createAssertNoneLanded(options: PaymentsOptions) {
  const { intents, ledger } = options;
  const recordLanded = createRecordLanded(options);
  return async (pair: { userId: string; callerId: string }, now: number) => {
    for (const earlier of await intents.listUnsearched(pair)) {
      const refusal = await recordLanded(earlier);
      const isPaid = (await ledger.findPaid(earlier.id)) !== null;
      if (isPaid) throw createOtherPaymentError('payments.intent_paid', earlier.id);
      if (refusal === 'payments.unreadable') throw createOtherPaymentError(refusal, earlier.id);
      if (refusal === 'payments.pending') throw createOtherPaymentError('payments.already_sent', earlier.id);
      // Once an intent can no longer be paid, a wrong amount doesn't block another payment.
      const canLand = earlier.expiresAt > now - MAX_LANDING_MS - CHAIN_CLOCK_SKEW_MS;
      if (canLand && refusal !== null && refusal !== 'payments.released') throw createLandedError(refusal);
    }
  };
}

/**
 * Fixes a payment's terms for ten minutes. While the intent is fresh and unpaid, returns it again.
 * @throws payments.intent_paid, or the reason why it doesn't count, if a payment that we didn't send has landed
 */
function createOpenIntent(options: PaymentsOptions) {
  const { intents, chain, subscriptions, terms, clock, platformAddress, backups, pauses } = options;
  const assertNoneLanded = createAssertNoneLanded(options);
  return async (
    userId: string,
    { callerId, payerAddress, days, replaces }: OpenIntentBody,
  ): Promise<OpenIntentResponse> => {
    await pauses.assertRunning('payments');
    const { payoutAddress, ...sale } = await subscriptions.paidTerms({ userId, callerId });
    const { feeLamports } = sale;
    if (payoutAddress === null) throw new AppError({ code: 'payments.payout_wallet_missing' });
    await terms.assertAccepted(userId);
    const lengths = lengthsOf(sale);
    if (!lengths.includes(days)) throw createLengthError(days, lengths);
    const [balances, [payerLamports], prices, slotMs] = await Promise.all([
      readBalances(options, { payoutAddress }),
      payerAddress === undefined ? [] : chain.balances([payerAddress]),
      // A payment mustn't fail because one of these two requests fails.
      chain.recentPrices([payoutAddress, platformAddress]).catch(ifUnavailable([])),
      chain.slotMs().catch(ifUnavailable(null)),
    ]);
    assertLands(sale, days, balances);
    const { computeUnitLimit, microLamports } = chooseComputeBudget(prices);
    const now = clock.now();
    const newIntent = {
      id: createId(),
      userId,
      callerId,
      callerAddress: payoutAddress,
      platformAddress,
      feeLamports,
      days,
      ...priceOf(feeLamports, days),
      reference: createReference(),
      createdAt: now,
      expiresAt: now + INTENT_LIFETIME_MS,
      priorityReads: 0,
      searchTurn: null,
    };
    try {
      await assertNoneLanded({ userId, callerId }, now);
    } catch (error) {
      // A payment that we have sent is known without the chain.
      const sent =
        error instanceof PortUnavailableError ? await intents.findPending({ userId, callerId }) : null;
      throw sent === null ? error : createOtherPaymentError('payments.already_sent', sent);
    }
    const bookedUntil = await intents.bookedUntil(newIntent, replaces);
    const isNear = (length: PeriodDays) => bookedUntil + length * DAY_MS <= now + MAX_AHEAD_MS;
    if (!isNear(days)) throw new AppError({ code: 'payments.too_far_ahead' });
    // Opened after the search, because the next search leaves out what could only land before the newest intent.
    const reuse = { reusableUntil: now + INTENT_REUSE_MS, replaces };
    const intent = await intents.openIntent(newIntent, reuse);
    if (!intent) throw await createUnopenedError(options, { userId, callerId, now });
    backups.saveIntent(intent);
    // Request the blockhash last, so that the user can sign for as long as it is valid.
    const [{ blockhash, lastValidBlockHeight }, height] = await Promise.all([
      chain.latestBlockhash(),
      chain.blockHeight(),
    ]);
    // The two responses may come from different nodes.
    const blocksLeft = Math.min(Math.max(0, lastValidBlockHeight - height), BLOCKHASH_BLOCKS);
    return {
      result: { value: { blockhash, lastValidBlockHeight } },
      signingMs: slotMs && Math.round(blocksLeft * slotMs),
      intent: describeIntent(intent),
      lengths: lengths
        .filter((length) => isNear(length) && findShortfall(priceOf(feeLamports, length), balances) === null)
        .map((length) => ({ days: length, ...describeLegs(priceOf(feeLamports, length)) })),
      computeBudget: { computeUnitLimit, microLamports: microLamports.toString() },
      ...(payerLamports === undefined ? {} : { payerLamports: payerLamports.toString() }),
      rentExemptLamports: balances.minimum.toString(),
    };
  };
}

const describeLegs = ({ callerLamports, platformLamports }: FeeSplit) => ({
  callerLamports: callerLamports.toString(),
  platformLamports: platformLamports.toString(),
});

function describeIntent(intent: IntentRow): OpenIntentResponse['intent'] {
  return {
    id: intent.id,
    reference: intent.reference,
    callerAddress: intent.callerAddress,
    platformAddress: intent.platformAddress,
    ...describeLegs(intent),
    feeLamports: intent.feeLamports.toString(),
    days: intent.days,
    expiresAt: new Date(intent.expiresAt).toISOString(),
  };
}

async function readBalances(
  { chain, platformAddress }: Pick<PaymentsOptions, 'chain' | 'platformAddress'>,
  { payoutAddress }: Pick<PaidTerms, 'payoutAddress'>,
): Promise<Balances> {
  if (payoutAddress === platformAddress) throw new AppError({ code: 'payments.payout_is_platform' });
  const [minimum, [platform = 0n, caller]] = await Promise.all([
    chain.rentExemptMinimum(),
    chain.balances(payoutAddress === null ? [platformAddress] : [platformAddress, payoutAddress]),
  ]);
  return { minimum, platform, caller: caller ?? minimum };
}

function assertLands({ feeLamports }: SaleTerms | PaidTerms, days: PeriodDays, balances: Balances): void {
  const shortfall = findShortfall(priceOf(feeLamports, days), balances);
  if (shortfall !== null) throw createUnderRentError(shortfall, days);
}

/** Broadcasts a transaction that pays exactly one open intent, which must be this user's. */
function createSend(options: PaymentsOptions) {
  const { intents, broadcasts, ledger, chain, subscriptions, clock, timer, backups } = options;
  return async (userId: string, { transaction }: SendTransactionBody): Promise<SendTransactionResponse> => {
    const signed = decodeSignedTransaction(transaction);
    const [intent, ...others] = await intents.find(signed);
    // A transaction that names two intents could be claimed for only one of them.
    if (!intent || others.length > 0 || intent.userId !== userId) {
      throw new AppError({ code: 'payments.intent_missing' });
    }
    const { signature } = signed;
    if ((await ledger.findPayment(signature))?.isGranted === true) return { result: signature };
    const isPaid = (await ledger.findPaid(intent.id)) !== null;
    if (isPaid) throw createOtherPaymentError('payments.intent_paid', intent.id);
    const verdict = matchTransfers(signed, intent);
    if ('mismatch' in verdict) throw new AppError({ code: `payments.${verdict.mismatch}` });
    if (signed.hasDurableNonce) throw new AppError({ code: 'payments.durable_nonce' });
    if (intent.expiresAt <= clock.now()) throw new AppError({ code: 'payments.intent_expired' });
    // Money that hasn't left yet isn't sent to a caller who was suspended or has left since the intent was opened.
    if (!(await broadcasts.wasBroadcastForIntent({ signature, intentId: intent.id }))) {
      await subscriptions.assertTakesPayments({ userId, callerId: intent.callerId });
    }
    const lastValidBlockHeight = await chain.lastValidBlockHeight().catch(ifUnavailable(null));
    const now = clock.now();
    const signedBytes = toBase64(signed.bytes);
    const stored = await broadcasts.insert({ signature, signedBytes, intent, lastValidBlockHeight, now });
    if (!stored) throw createOtherPaymentError('payments.already_sent', await intents.findPending(intent));
    backups.saveBroadcast(intent, { signature, intentId: intent.id, createdAt: now, lastValidBlockHeight });
    const timerSet = timer.wakeAt(firstRebroadcastAt(now));
    if (lastValidBlockHeight === null) {
      // The rebroadcaster sends it once an endpoint responds, so the user doesn't wait for more timeouts.
      await timerSet;
      throw createSendTimedOutError('no endpoint answered');
    }
    const sending = chain.send(signed).catch((error: unknown) => {
      throw error instanceof PortUnavailableError ? createSendTimedOutError(error) : error;
    });
    await Promise.allSettled([sending, timerSet]);
    const sent = await sending;
    if ('signature' in sent) return { result: signature };
    // Bytes that were sent before, or by a concurrent request, may still land, although the cluster rejects them now.
    const isConcurrent =
      !stored.wasSentBefore &&
      !(await broadcasts.markRejected({ signature, tries: stored.tries, now: clock.now() }));
    if (isConcurrent) return { result: signature };
    throw createRejectedByChainError(sent.rejection);
  };
}

/**
 * Waits a few seconds for this user's transaction to land.
 * @throws payments.pending if the transaction may still land. payments.expired if it never will; then the user
 * may sign another one.
 */
function createConfirm({ broadcasts, chain, clock }: PaymentsOptions) {
  return async (
    userId: string,
    { signature }: ConfirmTransactionBody,
  ): Promise<ConfirmTransactionResponse> => {
    const broadcast = await broadcasts.find(signature);
    if (broadcast?.userId !== userId) throw new AppError({ code: 'payments.intent_missing' });
    for (let poll = 0; poll < CONFIRM_POLLS; poll++) {
      if (poll > 0) await clock.sleep(CONFIRM_POLL_MS);
      const [state] = await chain.signatureStates([signature]);
      if (state?.status === 'confirmed' || state?.status === 'finalized') {
        return { result: { value: [{ err: state.error, confirmationStatus: state.status }] } };
      }
      // The cluster rejected our broadcast, but somebody else may have sent the same transaction.
      if (broadcast.isDead && state?.status === 'unknown') throw new AppError({ code: 'payments.expired' });
    }
    const absent = await chain.absentAtFinalized([
      { signature, upTo: { blockHeight: broadcast.lastValidBlockHeight } },
    ]);
    await broadcasts.markDead([...absent], clock.now());
    throw absent.has(signature)
      ? new AppError({ code: 'payments.expired' })
      : new AppError({ code: 'payments.pending' });
  };
}

async function findPeriod({ subscriptions }: PaymentsOptions, paymentId: string): Promise<Subscription> {
  const period = await subscriptions.findByPayment(paymentId);
  // A refund has removed the period before it began.
  if (!period) throw new AppError({ code: 'payments.refunded' });
  return period;
}

/** Turns a landed transaction into a subscription. Repeating the claim returns the same subscription. */
function createClaim(options: PaymentsOptions) {
  const { intents, broadcasts, ledger, chain, clock } = options;

  /** The user's intents that the transaction names. Intents for this caller come first. */
  const findOwnIntents = async (transaction: ChainTransaction, userId: string, callerId: string) => {
    const named = await intents.find(transaction);
    if (named.length === 0) throw new AppError({ code: 'payments.missing_reference' });
    return named
      .filter((intent) => intent.userId === userId)
      .toSorted((one, other) => Number(other.callerId === callerId) - Number(one.callerId === callerId));
  };

  return async (userId: string, body: PaidSubscriptionBody): Promise<Subscription> => {
    const existing = await ledger.findPayment(body.transactionId);
    if (existing && existing.userId !== userId) throw new AppError({ code: 'payments.not_yours' });
    if (existing?.isGranted === true) {
      assertPostedAmounts(body, existing);
      return findPeriod(options, existing.id);
    }
    const transaction = await chain.transaction(body.transactionId);
    if (transaction === 'absent') throw new AppError({ code: 'payments.pending' });
    if (transaction === 'unreadable') {
      const broadcast = await broadcasts.find(body.transactionId);
      const isReleased = broadcast?.userId === userId && broadcast.isReleased;
      throw new AppError({ code: isReleased ? 'payments.released' : 'payments.unreadable' });
    }
    const ownIntents = await findOwnIntents(transaction, userId, body.callerId);
    const { intent, verdict } = await judgeFirstPaid(broadcasts, transaction, ownIntents);
    if (!intent) throw new AppError({ code: 'payments.not_yours' });
    assertPostedAmounts(body, intent);
    if (isUndecided(transaction, verdict)) throw new AppError({ code: 'payments.pending' });
    if ('mismatch' in verdict) throw new AppError({ code: `payments.${verdict.mismatch}` });
    const payment = await recordPayment(options, { intent, transaction, ...verdict, now: clock.now() });
    if (payment.userId !== userId) throw new AppError({ code: 'payments.not_yours' });
    // `payment` differs from the intent if a simultaneous claim recorded the transaction for another intent.
    assertPostedAmounts(body, payment);
    return findPeriod(options, payment.id);
  };
}

/**
 * Records the transactions on the chain that name the intent's reference.
 * @returns why one of them doesn't count (yet)
 */
function createRecordLanded(options: PaymentsOptions) {
  const { intents, broadcasts, ledger, unread, chain, clock, platformAddress } = options;
  return async (intent: IntentRow, limit = SEARCHED_SIGNATURES): Promise<LandedRefusal | null> => {
    let refusal: LandedRefusal | null = null;
    let isReleased = false;
    const signatures = (await chain.signaturesFor(intent.reference)).slice(0, limit);
    const granted = await ledger.listGranted(signatures);
    for (const signature of signatures.filter((each) => !granted.has(each))) {
      const transaction = await chain.transaction(signature);
      if (transaction === 'absent') {
        refusal ??= 'payments.pending';
        continue;
      }
      if (transaction === 'unreadable') {
        // One stored transaction is enough to block another payment, and anybody could send many.
        if (refusal === 'payments.unreadable') continue;
        const lastValidBlockHeight = await chain.lastValidBlockHeight();
        const landed = { signature, intentId: intent.id, lastValidBlockHeight };
        await broadcasts.saveUnreadable([landed], clock.now());
        if ((await broadcasts.find(signature))?.isReleased === true) isReleased = true;
        else refusal = 'payments.unreadable';
        continue;
      }
      const named = await intents.find(transaction);
      const recorded = await recordIfPaid(options, { transaction, named });
      if ('payer' in recorded.verdict) continue;
      const verdict = await judgeIntent(broadcasts, transaction, intent);
      if ('payer' in verdict) continue;
      const hasReached = (address: string) => (transaction.balanceChanges.get(address) ?? 0n) > 0n;
      // The platform walk lists only what has reached the platform.
      if (hasReached(intent.callerAddress) && !transaction.accounts.includes(platformAddress)) {
        await unread.readLater(signature, clock.now() + FINAL_AFTER_MS);
      }
      refusal ??= isUndecided(transaction, verdict) ? 'payments.pending' : `payments.${verdict.mismatch}`;
    }
    return refusal ?? (isReleased ? 'payments.released' : null);
  };
}

/**
 * Searches the chain for the payment of this user's intent, whatever signature the wallet has returned to the page.
 * @throws payments.pending if there is none yet; the reason, such as payments.wrong_amount, if a transaction for the
 * intent has landed but can't count; payments.refunded if a refund has removed the period
 */
function createSearch(options: PaymentsOptions) {
  const { intents, ledger } = options;
  const recordLanded = createRecordLanded(options);
  return async (userId: string, { intentId }: SearchPaymentBody): Promise<Subscription> => {
    const [intent] = await intents.find({ ids: [intentId] });
    if (intent?.userId !== userId) throw new AppError({ code: 'payments.intent_missing' });
    const find = async () => {
      const paymentId = await ledger.findPaid(intent.id);
      return paymentId === null ? null : findPeriod(options, paymentId);
    };
    const known = await find();
    if (known) return known;
    const refusal = await recordLanded(intent);
    const found = await find();
    if (found) return found;
    throw createLandedError(refusal ?? (await ledger.findOrphanReason(intent)) ?? 'payments.pending');
  };
}

/** Searches in turn for payments of open and recently ended intents, because their pages may have closed. */
function createSearchDue(options: PaymentsOptions) {
  const { intents, clock } = options;
  const recordLanded = createRecordLanded(options);
  return async (): Promise<{ searched: number }> => {
    const due = await intents.takeTurns(clock.now(), SEARCHES_PER_RUN);
    const searches = await mapConcurrently(due, async (intent) => {
      const [search] = await Promise.allSettled([recordLanded(intent, READS_PER_SEARCH)]);
      return search;
    });
    // A failure doesn't keep the other searches from running.
    for (const search of searches) if (search.status === 'rejected') throw search.reason;
    return { searched: due.length };
  };
}

function assertPostedAmounts(
  body: PaidSubscriptionBody,
  expected: Pick<IntentRow, 'callerId' | 'feeLamports' | 'totalLamports' | 'platformLamports'>,
): void {
  const isSame =
    body.callerId === expected.callerId &&
    parseSol(body.monthlyFee) === expected.feeLamports &&
    parseSol(body.totalAmount) === expected.totalLamports &&
    parseSol(body.platformFee) === expected.platformLamports;
  if (!isSame) throw new AppError({ code: 'payments.amount_mismatch' });
}
