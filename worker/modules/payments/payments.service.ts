import { INTENT_LIFETIME_MS, INTENT_RECONCILE_MS, SECOND_MS } from '#schema/constants.ts';
import type { ConfirmTransactionAnswer, OpenIntentAnswer, SendTransactionAnswer } from '#schema/contracts/payments.ts';
import type { PaidSubscriptionBody, Subscription } from '#schema/contracts/subscriptions.ts';
import { isFreeFee, parseSol, splitFee } from '#schema/rules/lamports.ts';
import { matchLanded, matchTransfers } from '#schema/rules/payment.ts';
import { isUniqueViolation } from '../../app/database.ts';
import { isSignature } from '../../app/base58.ts';
import { createId } from '../../app/ids.ts';
import type { Chain, ChainTransaction } from '../../ports/chain.ts';
import type { Clock } from '../../ports/clock.ts';
import { PortUnavailableError } from '../../ports/unavailable.ts';
import {
  createAlreadySentError,
  createAmountMismatchError,
  createIntentExpiredError,
  createIntentMissingError,
  createIntentPaidError,
  createMismatchError,
  createPaymentNotYoursError,
  createPaymentPendingError,
  createPayoutIsPlatformError,
  createPayoutWalletMissingError,
  createRejectedByChainError,
  createSignatureMalformedError,
  createSendUnansweredError,
  createTransactionInvalidError,
  createUnderRentError,
} from './payments.errors.ts';
import type { IntentRow, PaymentRow, PaymentsRepository } from './payments.repository.ts';
import { createReference } from './reference.ts';
import { decodeSignedTransaction } from './signed-transaction.ts';

/** The subscriptions' side of a payment. */
export interface SubscriptionsPort {
  /** The caller's fee (lamports) and payout wallet. @throws subscriptions.self, subscriptions.caller_is_free, callers.not_found */
  paidTerms(question: { userId: string; callerId: string }): Promise<{ feeLamports: bigint; payoutAddress: string | null }>;
  findByPayment(paymentId: string): Promise<Subscription>;
}

const CONFIRM_POLLS = 5;
const CONFIRM_POLL_MS = SECOND_MS;
/** Each check is one call to the chain; a run stays within a worker's subrequests. */
const CHECKED_PER_RUN = { broadcast: 30, other: 10 };
const NAMED_PER_INTENT = 10;
/** An open intent is handed out again while it has this long to live. */
const INTENT_REUSE_MS = INTENT_LIFETIME_MS / 2;

export type PaymentsService = ReturnType<typeof createPaymentsService>;

export function createPaymentsService({ repository, chain, subscriptions, clock, platformAddress }: { repository: PaymentsRepository; chain: Chain; subscriptions: SubscriptionsPort; clock: Clock; platformAddress: string }) {
  /** Refuses a price whose legs would leave a recipient under the rent-exempt minimum: it could not land. */
  const assertLegsCanLand = async ({ feeLamports, payoutAddress }: { feeLamports: bigint; payoutAddress: string | null }) => {
    if (isFreeFee(feeLamports)) return;
    if (payoutAddress === platformAddress) throw createPayoutIsPlatformError();
    const { callerLamports, platformLamports } = splitFee(feeLamports);
    const [minimum, balances] = await Promise.all([
      chain.rentExemptMinimum(),
      chain.balances(payoutAddress === null ? [platformAddress] : [platformAddress, payoutAddress]),
    ]);
    const [platformBalance = 0n, callerBalance = minimum] = balances;
    const missing = (balance: bigint, lamports: bigint) => minimum - balance - lamports;
    if (missing(callerBalance, callerLamports) > 0n) {
      throw createUnderRentError({ recipient: 'caller', missingLamports: missing(callerBalance, callerLamports) });
    }
    if (platformLamports > 0n && missing(platformBalance, platformLamports) > 0n) {
      throw createUnderRentError({ recipient: 'platform', missingLamports: missing(platformBalance, platformLamports) });
    }
  };

  /** Writes a landed transaction as the intent's payment. Somebody faster with the same signature is no error. */
  const record = async (intent: IntentRow, transaction: ChainTransaction): Promise<PaymentRow> => {
    const verdict = matchLanded(transaction, intent);
    if ('mismatch' in verdict) throw createMismatchError(verdict.mismatch);
    const now = clock.now();
    const payment = {
      id: createId(),
      signature: transaction.signature,
      intentId: intent.id,
      userId: intent.userId,
      callerId: intent.callerId,
      payerAddress: verdict.payer,
      totalLamports: intent.totalLamports,
      callerLamports: intent.callerLamports,
      platformLamports: intent.platformLamports,
      slot: transaction.slot,
      paidAt: transaction.blockTime ?? now,
      createdAt: now,
    };
    try {
      await repository.insertPayment({ payment, subscriptionId: createId(), now });
      return payment;
    } catch (error) {
      const existing = isUniqueViolation(error) ? await repository.findPayment(transaction.signature) : null;
      if (!existing) throw error;
      return existing;
    }
  };

  /**
   * Records every landed payment for an intent that is not recorded yet: of the transactions we sent for
   * it, and of the oldest that name its reference. Nobody but the payer knows the reference before it
   * stands on the chain, so what others add later to bury a payment is younger than it.
   */
  const reconcileIntent = async (intent: IntentRow): Promise<number> => {
    const [sent, paid, named] = await Promise.all([
      repository.listBroadcasts(intent.id),
      repository.listPaidSignatures(intent.id),
      chain.signaturesFor(intent.reference),
    ]);
    const unrecorded = [...new Set([...sent, ...named.slice(0, NAMED_PER_INTENT)])].filter((signature) => !paid.includes(signature));
    const checks = await Promise.allSettled(
      unrecorded.map(async (signature) => {
        const transaction = await chain.transaction(signature);
        if (!transaction || 'mismatch' in matchLanded(transaction, intent)) return 0;
        await record(intent, transaction);
        return 1;
      }),
    );
    return sumOfSettled(checks);
  };

  return {
    assertLegsCanLand,

    /**
     * Opens a payment: pins every term for ten minutes and hands out a blockhash to sign with. Asked
     * again soon, under the same terms and before anything was signed, it answers the same payment.
     */
    async openIntent({ userId, callerId, payerAddress }: { userId: string; callerId: string; payerAddress: string | undefined }): Promise<OpenIntentAnswer> {
      const { feeLamports, payoutAddress } = await subscriptions.paidTerms({ userId, callerId });
      if (payoutAddress === null) throw createPayoutWalletMissingError();
      await assertLegsCanLand({ feeLamports, payoutAddress });
      const [{ blockhash, lastValidBlockHeight }, [payerLamports]] = await Promise.all([
        chain.latestBlockhash(),
        payerAddress === undefined ? [] : chain.balances([payerAddress]),
      ]);
      const now = clock.now();
      const { totalLamports, callerLamports, platformLamports } = splitFee(feeLamports);
      const terms = { userId, callerId, callerAddress: payoutAddress, platformAddress, totalLamports, callerLamports, platformLamports };
      const fresh = { ...terms, id: createId(), reference: createReference(), createdAt: now, expiresAt: now + INTENT_LIFETIME_MS, reconciledAt: now };
      const untouched = await repository.findUntouchedIntent({ terms, expiresAfter: now + INTENT_REUSE_MS });
      if (!untouched) await repository.insertIntent(fresh);
      const intent = untouched ?? fresh;
      return {
        result: { value: { blockhash, lastValidBlockHeight } },
        intent: {
          id: intent.id,
          reference: intent.reference,
          callerAddress: intent.callerAddress,
          callerLamports: callerLamports.toString(),
          platformAddress,
          platformLamports: platformLamports.toString(),
          expiresAt: new Date(intent.expiresAt).toISOString(),
        },
        ...(payerLamports === undefined ? {} : { payerLamports: payerLamports.toString() }),
      };
    },

    /** Broadcasts a transaction that pays an open intent of this user, and nothing else. */
    async send({ userId, transaction }: { userId: string; transaction: string }): Promise<SendTransactionAnswer> {
      const signed = decodeSignedTransaction(transaction);
      if (!signed) throw createTransactionInvalidError();
      const [intent, ...others] = await repository.findIntentsByReference(signed.accounts);
      // One transaction for two payments could be claimed for one of them only.
      if (!intent || others.length > 0 || intent.userId !== userId) throw createIntentMissingError();
      const paid = await repository.listPaidSignatures(intent.id);
      if (paid.includes(signed.signature)) return { result: signed.signature };
      if (paid.length > 0) throw createIntentPaidError();
      if (intent.expiresAt <= clock.now()) throw createIntentExpiredError();
      const verdict = matchTransfers(signed, intent);
      if ('mismatch' in verdict) throw createMismatchError(verdict.mismatch);
      const maySend = await repository.insertBroadcast({ signature: signed.signature, intentId: intent.id, now: clock.now() });
      if (!maySend) throw createAlreadySentError();
      const sent = await chain.send(signed).catch((error: unknown) => {
        throw error instanceof PortUnavailableError ? createSendUnansweredError(error) : error;
      });
      if ('rejection' in sent) {
        await repository.markRejected(signed.signature, clock.now());
        throw createRejectedByChainError(sent.rejection);
      }
      return { result: signed.signature };
    },

    /** Waits a few seconds for a broadcast of this user's to stand on the chain. @throws payments.pending when it does not yet */
    async confirm({ userId, signature }: { userId: string; signature: string }): Promise<ConfirmTransactionAnswer> {
      if ((await repository.findBroadcastOwner(signature)) !== userId) throw createIntentMissingError();
      for (let poll = 0; poll < CONFIRM_POLLS; poll++) {
        if (poll > 0) await clock.sleep(CONFIRM_POLL_MS);
        const state = await chain.signatureState(signature);
        if (state.status !== 'unknown') return { result: { value: [{ err: state.error, confirmationStatus: state.status }] } };
      }
      throw createPaymentPendingError();
    },

    /**
     * Turns a landed transaction into a subscription. The posted amounts are compared, never trusted;
     * what counts is read from the chain. The same claim again answers the same subscription.
     */
    async claim({ userId, body }: { userId: string; body: PaidSubscriptionBody }): Promise<Subscription> {
      const existing = await repository.findPayment(body.transactionId);
      if (existing) {
        if (existing.userId !== userId) throw createPaymentNotYoursError();
        assertPostedAmounts(body, existing);
        return subscriptions.findByPayment(existing.id);
      }
      if (!isSignature(body.transactionId)) throw createSignatureMalformedError();
      const transaction = await chain.transaction(body.transactionId);
      if (!transaction || transaction.blockTime === null) throw createPaymentPendingError();
      const intents = await repository.findIntentsByReference(transaction.accounts);
      if (intents.length === 0) throw createMismatchError('missing_reference');
      const own = intents.filter((intent) => intent.userId === userId);
      const intent = own.find(({ callerId }) => callerId === body.callerId) ?? own[0];
      if (!intent) throw createPaymentNotYoursError();
      assertPostedAmounts(body, intent);
      const payment = await record(intent, transaction);
      return subscriptions.findByPayment(payment.id);
    },

    /**
     * Finds payments that landed for intents of the last day though nobody claimed them. An intent
     * that cannot be checked holds up no other; the first failure is thrown when all were tried.
     */
    async reconcile(): Promise<{ checked: number; recorded: number }> {
      const now = clock.now();
      const intents = await repository.listIntentsToCheck({ since: now - INTENT_RECONCILE_MS, limits: CHECKED_PER_RUN });
      const checks = await Promise.allSettled(intents.map(reconcileIntent));
      await repository.markReconciled(intents.map(({ id }) => id), now);
      return { checked: intents.length, recorded: sumOfSettled(checks) };
    },
  };
}

function assertPostedAmounts(body: PaidSubscriptionBody, pinned: { callerId: string; totalLamports: bigint; platformLamports: bigint }): void {
  const isSame =
    body.callerId === pinned.callerId &&
    parseSol(body.monthlyFee) === pinned.totalLamports &&
    parseSol(body.totalAmount) === pinned.totalLamports &&
    parseSol(body.platformFee) === pinned.platformLamports;
  if (!isSame) throw createAmountMismatchError();
}

/** Adds up what succeeded. @throws the first failure, once all were tried. */
function sumOfSettled(results: readonly PromiseSettledResult<number>[]): number {
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return results.reduce((sum, result) => sum + (result.status === 'fulfilled' ? result.value : 0), 0);
}
