import { INTENT_LIFETIME_MS, SECOND_MS } from '#schema/constants.ts';
import type {
  ConfirmTransactionAnswer,
  OpenIntentAnswer,
  SendTransactionAnswer,
} from '#schema/contracts/payments.ts';
import type { PaidSubscriptionBody, Subscription } from '#schema/contracts/subscriptions.ts';
import { isFreeFee, parseSol, splitFee } from '#schema/rules/lamports.ts';
import { matchTransfers } from '#schema/rules/payment.ts';
import { isSignature } from '../../shared/base58.ts';
import { createId } from '../../shared/ids.ts';
import type { Chain } from '../../ports/chain.ts';
import type { Clock } from '../../ports/clock.ts';
import { PortUnavailableError } from '../../ports/unavailable.ts';
import type { IntentsRepository } from './intents.repository.ts';
import type { LedgerRepository } from './ledger.repository.ts';
import {
  createAlreadySentError,
  createAmountMismatchError,
  createDurableNonceError,
  createExpiredError,
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
import { isUndecided, judgeNamed, recordPayment } from './record-payment.ts';
import { createReference } from './reference.ts';
import { decodeSignedTransaction } from './signed-transaction.ts';

/** The subscriptions' side of a payment. */
export interface SubscriptionsPort {
  /** The caller's fee (lamports) and payout wallet. @throws subscriptions.self, subscriptions.caller_is_free, callers.not_found */
  paidTerms(question: {
    userId: string;
    callerId: string;
  }): Promise<{ feeLamports: bigint; payoutAddress: string | null }>;
  /** The period that a payment bought; `null` where a fork took it away. */
  findByPayment(paymentId: string): Promise<Subscription | null>;
}

const CONFIRM_POLLS = 5;
const CONFIRM_POLL_MS = SECOND_MS;
/** An open intent is handed out again while it has this long to live. */
const INTENT_REUSE_MS = INTENT_LIFETIME_MS / 2;

export type PaymentsService = ReturnType<typeof createPaymentsService>;

export interface PaymentsOptions {
  readonly intents: IntentsRepository;
  readonly ledger: LedgerRepository;
  readonly chain: Chain;
  readonly subscriptions: SubscriptionsPort;
  readonly clock: Clock;
  readonly platformAddress: string;
}

export function createPaymentsService({
  intents,
  ledger,
  chain,
  subscriptions,
  clock,
  platformAddress,
}: PaymentsOptions) {
  /** Refuses a price whose legs would leave a recipient under the rent-exempt minimum: it could not land. Answers that minimum. */
  const readMinimumForLegs = async ({
    feeLamports,
    payoutAddress,
  }: {
    feeLamports: bigint;
    payoutAddress: string | null;
  }): Promise<bigint> => {
    if (payoutAddress === platformAddress) throw createPayoutIsPlatformError();
    const { callerLamports, platformLamports } = splitFee(feeLamports);
    const [minimum, balances] = await Promise.all([
      chain.rentExemptMinimum(),
      chain.balances(payoutAddress === null ? [platformAddress] : [platformAddress, payoutAddress]),
    ]);
    const [platformBalance = 0n, callerBalance = minimum] = balances;
    const missing = (balance: bigint, lamports: bigint) => minimum - balance - lamports;
    if (missing(callerBalance, callerLamports) > 0n) {
      throw createUnderRentError({
        recipient: 'caller',
        missingLamports: missing(callerBalance, callerLamports),
      });
    }
    if (platformLamports > 0n && missing(platformBalance, platformLamports) > 0n) {
      throw createUnderRentError({
        recipient: 'platform',
        missingLamports: missing(platformBalance, platformLamports),
      });
    }
    return minimum;
  };

  /** Whether a signature of ours can never move money. Then it is marked so. */
  const isDead = async ({
    signature,
    lastValidBlockHeight,
  }: {
    signature: string;
    lastValidBlockHeight: number;
  }): Promise<boolean> => {
    const absent = await chain.absentAtFinalized([
      { signature, upTo: { blockHeight: lastValidBlockHeight } },
    ]);
    await intents.markDead([...absent], clock.now());
    return absent.has(signature);
  };

  const findPeriod = async (paymentId: string): Promise<Subscription> => {
    const period = await subscriptions.findByPayment(paymentId);
    if (!period) throw createPaymentPendingError();
    return period;
  };

  return {
    /** Refuses a fee that could not be paid. */
    async assertLegsCanLand(terms: { feeLamports: bigint; payoutAddress: string | null }): Promise<void> {
      if (!isFreeFee(terms.feeLamports)) await readMinimumForLegs(terms);
    },

    /**
     * Opens a payment: pins every term for ten minutes and hands out a blockhash to sign with. Asked
     * again soon, under the same terms and before anything was signed, it answers the same payment.
     */
    async openIntent({
      userId,
      callerId,
      payerAddress,
    }: {
      userId: string;
      callerId: string;
      payerAddress: string | undefined;
    }): Promise<OpenIntentAnswer> {
      const { feeLamports, payoutAddress } = await subscriptions.paidTerms({ userId, callerId });
      if (payoutAddress === null) throw createPayoutWalletMissingError();
      const [minimum, { blockhash, lastValidBlockHeight }, [payerLamports]] = await Promise.all([
        readMinimumForLegs({ feeLamports, payoutAddress }),
        chain.latestBlockhash(),
        payerAddress === undefined ? [] : chain.balances([payerAddress]),
      ]);
      const now = clock.now();
      const terms = {
        userId,
        callerId,
        callerAddress: payoutAddress,
        platformAddress,
        ...splitFee(feeLamports),
      };
      const intent = await intents.openIntent({
        intent: {
          ...terms,
          id: createId(),
          reference: createReference(),
          createdAt: now,
          expiresAt: now + INTENT_LIFETIME_MS,
          reconciledAt: now,
        },
        reusableUntil: now + INTENT_REUSE_MS,
      });
      if (!intent) throw createAlreadySentError();
      return {
        result: { value: { blockhash, lastValidBlockHeight } },
        intent: {
          id: intent.id,
          reference: intent.reference,
          callerAddress: intent.callerAddress,
          callerLamports: intent.callerLamports.toString(),
          platformAddress: intent.platformAddress,
          platformLamports: intent.platformLamports.toString(),
          expiresAt: new Date(intent.expiresAt).toISOString(),
        },
        ...(payerLamports === undefined ? {} : { payerLamports: payerLamports.toString() }),
        rentExemptLamports: minimum.toString(),
      };
    },

    /** Broadcasts a transaction that pays an open intent of this user, and nothing else. */
    async send({
      userId,
      transaction,
    }: {
      userId: string;
      transaction: string;
    }): Promise<SendTransactionAnswer> {
      const signed = decodeSignedTransaction(transaction);
      if (!signed) throw createTransactionInvalidError();
      const [intent, ...others] = await intents.findIntentsByReference(signed.accounts);
      // One transaction for two payments could be claimed for one of them only.
      if (!intent || others.length > 0 || intent.userId !== userId) throw createIntentMissingError();
      const { signature } = signed;
      if ((await ledger.findPayment(signature))?.hasPeriod === true) return { result: signature };
      if (await ledger.isPaid(intent.id)) throw createIntentPaidError();
      const verdict = matchTransfers(signed, intent);
      if ('mismatch' in verdict) throw createMismatchError(verdict.mismatch);
      if (signed.hasDurableNonce) throw createDurableNonceError();
      if (intent.expiresAt <= clock.now()) throw createIntentExpiredError();
      const lastValidBlockHeight = await chain.lastValidBlockHeight();
      const written = await intents.insertBroadcast({
        signature,
        intent,
        lastValidBlockHeight,
        now: clock.now(),
      });
      if (!written) throw createAlreadySentError();
      const sent = await chain.send(signed).catch((error: unknown) => {
        throw error instanceof PortUnavailableError ? createSendUnansweredError(error) : error;
      });
      if ('signature' in sent) return { result: signature };
      // What was sent before may be on its way whatever the cluster says to the same bytes now.
      if (!written.wasSentBefore) {
        await intents.markRefused({ signature, tries: written.tries, now: clock.now() });
      }
      throw createRejectedByChainError(sent.rejection);
    },

    /**
     * Waits a few seconds for a broadcast of this user's to stand on the chain. @throws payments.pending
     * when it does not yet, payments.expired when it never will: only then may another be signed
     */
    async confirm({
      userId,
      signature,
    }: {
      userId: string;
      signature: string;
    }): Promise<ConfirmTransactionAnswer> {
      const broadcast = await intents.findBroadcast(signature);
      if (broadcast?.userId !== userId) throw createIntentMissingError();
      for (let poll = 0; poll < CONFIRM_POLLS; poll++) {
        if (poll > 0) await clock.sleep(CONFIRM_POLL_MS);
        const [state] = await chain.signatureStates([signature]);
        if (state?.status === 'confirmed' || state?.status === 'finalized') {
          return { result: { value: [{ err: state.error, confirmationStatus: state.status }] } };
        }
        // What the cluster refused may have landed all the same, by somebody else's hand.
        if (broadcast.isDead && state?.status === 'unknown') throw createExpiredError();
      }
      if (await isDead({ signature, ...broadcast })) throw createExpiredError();
      throw createPaymentPendingError();
    },

    /**
     * Turns a landed transaction into a subscription. The posted amounts are compared, never trusted;
     * what counts is read from the chain. The same claim again answers the same subscription.
     */
    async claim({ userId, body }: { userId: string; body: PaidSubscriptionBody }): Promise<Subscription> {
      const existing = await ledger.findPayment(body.transactionId);
      if (existing && existing.userId !== userId) throw createPaymentNotYoursError();
      if (existing?.hasPeriod === true) {
        assertPostedAmounts(body, existing);
        return findPeriod(existing.id);
      }
      if (!isSignature(body.transactionId)) throw createSignatureMalformedError();
      const transaction = await chain.transaction(body.transactionId);
      if (!transaction) throw createPaymentPendingError();
      const named = await intents.findIntentsByReference(transaction.accounts);
      if (named.length === 0) throw createMismatchError('missing_reference');
      const own = Map.groupBy(
        named.filter((intent) => intent.userId === userId),
        ({ callerId }) => callerId === body.callerId,
      );
      const { intent, verdict } = await judgeNamed({
        intents,
        named: [...(own.get(true) ?? []), ...(own.get(false) ?? [])],
        transaction,
      });
      if (!intent) throw createPaymentNotYoursError();
      assertPostedAmounts(body, intent);
      if (isUndecided(transaction, verdict)) throw createPaymentPendingError();
      if ('mismatch' in verdict) throw createMismatchError(verdict.mismatch);
      const payment = await recordPayment({ ledger, intent, transaction, ...verdict, now: clock.now() });
      if (payment.userId !== userId) throw createPaymentNotYoursError();
      return findPeriod(payment.id);
    },
  };
}

function assertPostedAmounts(
  body: PaidSubscriptionBody,
  pinned: { callerId: string; totalLamports: bigint; platformLamports: bigint },
): void {
  const isSame =
    body.callerId === pinned.callerId &&
    parseSol(body.monthlyFee) === pinned.totalLamports &&
    parseSol(body.totalAmount) === pinned.totalLamports &&
    parseSol(body.platformFee) === pinned.platformLamports;
  if (!isSame) throw createAmountMismatchError();
}
