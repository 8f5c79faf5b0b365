import { INTENT_LIFETIME_MS, SECOND_MS } from '#schema/constants.ts';
import type {
  ConfirmTransactionAnswer,
  OpenIntentAnswer,
  SendTransactionAnswer,
} from '#schema/contracts/payments.ts';
import type { PaidSubscriptionBody, Subscription } from '#schema/contracts/subscriptions.ts';
import { isFreeFee, parseSol, splitFee } from '#schema/rules/lamports.ts';
import { matchTransfers } from '#schema/rules/payment.ts';
import type { ChainTransaction } from '../../ports/chain.ts';
import { PortUnavailableError } from '../../ports/unavailable.ts';
import { isSignature } from '../../shared/base58.ts';
import { createId } from '../../shared/ids.ts';
import type { IntentRow } from './intents.repository.ts';
import * as errors from './payments.errors.ts';
import { isUndecided, judgeFirstPaid, recordPayment, type PaymentDependencies } from './record-payment.ts';
import { createReference } from './reference.ts';
import { decodeSignedTransaction } from './signed-transaction.ts';

export interface PaidTerms {
  readonly feeLamports: bigint;
  readonly payoutAddress: string | null;
}

export interface SubscriptionsPort {
  /**
   * The caller's fee and payout wallet.
   * @throws subscriptions.self, subscriptions.caller_is_free, callers.not_found
   */
  paidTerms(question: { userId: string; callerId: string }): Promise<PaidTerms>;
  /** The period that a payment bought; `null` if a fork removed the payment. */
  findByPayment(paymentId: string): Promise<Subscription | null>;
}

const CONFIRM_POLLS = 5;
const CONFIRM_POLL_MS = SECOND_MS;
/** An open intent is reused only if it has this much time left. */
const INTENT_REUSE_MS = INTENT_LIFETIME_MS / 2;

export type PaymentsService = ReturnType<typeof createPaymentsService>;

export interface PaymentsOptions extends PaymentDependencies {
  readonly subscriptions: SubscriptionsPort;
}

/**
 * A payment's steps: open an intent, send the signed transaction, wait for the chain, claim the
 * subscription.
 */
export function createPaymentsService(options: PaymentsOptions) {
  return {
    async assertFeeCanLand(terms: PaidTerms): Promise<void> {
      if (!isFreeFee(terms.feeLamports)) await readMinimumBalance(options, terms);
    },

    openIntent: createOpenIntent(options),
    send: createSend(options),
    confirm: createConfirm(options),
    claim: createClaim(options),
  };
}

export interface OpenIntentQuestion {
  readonly userId: string;
  readonly callerId: string;
  readonly payerAddress: string | undefined;
}

/**
 * Opens a payment: fixes all terms for ten minutes and returns a blockhash to sign with. A repeated request
 * with the same terms returns the same payment while it is fresh and unsent.
 */
function createOpenIntent(options: PaymentsOptions) {
  const { intents, chain, subscriptions, clock, platformAddress } = options;
  return async ({ userId, callerId, payerAddress }: OpenIntentQuestion): Promise<OpenIntentAnswer> => {
    const { feeLamports, payoutAddress } = await subscriptions.paidTerms({ userId, callerId });
    if (payoutAddress === null) throw errors.createPayoutWalletMissingError();
    const [minimum, { blockhash, lastValidBlockHeight }, [payerLamports]] = await Promise.all([
      readMinimumBalance(options, { feeLamports, payoutAddress }),
      chain.latestBlockhash(),
      payerAddress === undefined ? [] : chain.balances([payerAddress]),
    ]);
    const now = clock.now();
    const intent = await intents.openIntent({
      intent: {
        id: createId(),
        userId,
        callerId,
        callerAddress: payoutAddress,
        platformAddress,
        ...splitFee(feeLamports),
        reference: createReference(),
        createdAt: now,
        expiresAt: now + INTENT_LIFETIME_MS,
        reconciledAt: now,
      },
      reusableUntil: now + INTENT_REUSE_MS,
    });
    if (!intent) throw errors.createAlreadySentError();
    return {
      result: { value: { blockhash, lastValidBlockHeight } },
      intent: describeIntent(intent),
      ...(payerLamports === undefined ? {} : { payerLamports: payerLamports.toString() }),
      rentExemptLamports: minimum.toString(),
    };
  };
}

function describeIntent(intent: IntentRow): OpenIntentAnswer['intent'] {
  return {
    id: intent.id,
    reference: intent.reference,
    callerAddress: intent.callerAddress,
    callerLamports: intent.callerLamports.toString(),
    platformAddress: intent.platformAddress,
    platformLamports: intent.platformLamports.toString(),
    expiresAt: new Date(intent.expiresAt).toISOString(),
  };
}

/**
 * Rejects a fee whose transfers could not land because they leave a recipient under the rent-exempt
 * minimum. @returns that minimum, in lamports
 */
async function readMinimumBalance(
  { chain, platformAddress }: Pick<PaymentsOptions, 'chain' | 'platformAddress'>,
  { feeLamports, payoutAddress }: PaidTerms,
): Promise<bigint> {
  if (payoutAddress === platformAddress) throw errors.createPayoutIsPlatformError();
  const { callerLamports, platformLamports } = splitFee(feeLamports);
  const [minimum, balances] = await Promise.all([
    chain.rentExemptMinimum(),
    chain.balances(payoutAddress === null ? [platformAddress] : [platformAddress, payoutAddress]),
  ]);
  const [platformBalance = 0n, callerBalance = minimum] = balances;
  const missingAtCaller = minimum - callerBalance - callerLamports;
  if (missingAtCaller > 0n) {
    throw errors.createUnderRentError({ recipient: 'caller', missingLamports: missingAtCaller });
  }
  const missingAtPlatform = minimum - platformBalance - platformLamports;
  if (platformLamports > 0n && missingAtPlatform > 0n) {
    throw errors.createUnderRentError({ recipient: 'platform', missingLamports: missingAtPlatform });
  }
  return minimum;
}

/** Broadcasts a transaction if it pays exactly one open intent, and that one is this user's. */
function createSend({ intents, broadcasts, ledger, chain, clock }: PaymentsOptions) {
  return async ({
    userId,
    transaction,
  }: {
    userId: string;
    transaction: string;
  }): Promise<SendTransactionAnswer> => {
    const signed = decodeSignedTransaction(transaction);
    if (!signed) throw errors.createTransactionInvalidError();
    const [intent, ...others] = await intents.findByReferences(signed.accounts);
    // A transaction that names two payments could be claimed for only one of them.
    if (!intent || others.length > 0 || intent.userId !== userId) throw errors.createIntentMissingError();
    const { signature } = signed;
    if ((await ledger.findPayment(signature))?.hasPeriod === true) return { result: signature };
    if (await ledger.isPaid(intent.id)) throw errors.createIntentPaidError();
    const verdict = matchTransfers(signed, intent);
    if ('mismatch' in verdict) throw errors.createMismatchError(verdict.mismatch);
    if (signed.hasDurableNonce) throw errors.createDurableNonceError();
    if (intent.expiresAt <= clock.now()) throw errors.createIntentExpiredError();
    const lastValidBlockHeight = await chain.lastValidBlockHeight();
    const stored = await broadcasts.insert({ signature, intent, lastValidBlockHeight, now: clock.now() });
    if (!stored) throw errors.createAlreadySentError();
    const sent = await chain.send(signed).catch((error: unknown) => {
      throw error instanceof PortUnavailableError ? errors.createSendUnansweredError(error) : error;
    });
    if ('signature' in sent) return { result: signature };
    // An earlier try may still land, whatever the cluster says about the same bytes now.
    if (!stored.wasSentBefore) {
      await broadcasts.markRejected({ signature, tries: stored.tries, now: clock.now() });
    }
    throw errors.createRejectedByChainError(sent.rejection);
  };
}

/**
 * Waits a few seconds for this user's broadcast to land. @throws payments.pending if it has not landed yet,
 * payments.expired if it never will: only then may another one be signed
 */
function createConfirm({ broadcasts, chain, clock }: PaymentsOptions) {
  return async ({
    userId,
    signature,
  }: {
    userId: string;
    signature: string;
  }): Promise<ConfirmTransactionAnswer> => {
    const broadcast = await broadcasts.find(signature);
    if (broadcast?.userId !== userId) throw errors.createIntentMissingError();
    for (let poll = 0; poll < CONFIRM_POLLS; poll++) {
      if (poll > 0) await clock.sleep(CONFIRM_POLL_MS);
      const [state] = await chain.signatureStates([signature]);
      if (state?.status === 'confirmed' || state?.status === 'finalized') {
        return { result: { value: [{ err: state.error, confirmationStatus: state.status }] } };
      }
      // Somebody else may have sent a transaction that the cluster rejected for us.
      if (broadcast.isDead && state?.status === 'unknown') throw errors.createExpiredError();
    }
    const absent = await chain.absentAtFinalized([
      { signature, upTo: { blockHeight: broadcast.lastValidBlockHeight } },
    ]);
    await broadcasts.markDead([...absent], clock.now());
    throw absent.has(signature) ? errors.createExpiredError() : errors.createPaymentPendingError();
  };
}

/**
 * Turns a landed transaction into a subscription. The posted amounts are only compared; the chain's amounts
 * decide. Repeating the claim returns the same subscription.
 */
function createClaim({ intents, broadcasts, ledger, chain, subscriptions, clock }: PaymentsOptions) {
  const findPeriod = async (paymentId: string): Promise<Subscription> => {
    const period = await subscriptions.findByPayment(paymentId);
    if (!period) throw errors.createPaymentPendingError();
    return period;
  };

  /**
   * This user's intents that the transaction names, those with this caller first. @throws if the
   * transaction names no intent at all
   */
  const findOwnIntents = async (transaction: ChainTransaction, userId: string, callerId: string) => {
    const named = await intents.findByReferences(transaction.accounts);
    if (named.length === 0) throw errors.createMismatchError('missing_reference');
    return named
      .filter((intent) => intent.userId === userId)
      .toSorted((one, other) => Number(other.callerId === callerId) - Number(one.callerId === callerId));
  };

  return async ({ userId, body }: { userId: string; body: PaidSubscriptionBody }): Promise<Subscription> => {
    const existing = await ledger.findPayment(body.transactionId);
    if (existing && existing.userId !== userId) throw errors.createPaymentNotYoursError();
    if (existing?.hasPeriod === true) {
      assertPostedAmounts(body, existing);
      return findPeriod(existing.id);
    }
    if (!isSignature(body.transactionId)) throw errors.createSignatureMalformedError();
    const transaction = await chain.transaction(body.transactionId);
    if (!transaction) throw errors.createPaymentPendingError();
    const own = await findOwnIntents(transaction, userId, body.callerId);
    const { intent, verdict } = await judgeFirstPaid({ broadcasts, intents: own, transaction });
    if (!intent) throw errors.createPaymentNotYoursError();
    assertPostedAmounts(body, intent);
    if (isUndecided(transaction, verdict)) throw errors.createPaymentPendingError();
    if ('mismatch' in verdict) throw errors.createMismatchError(verdict.mismatch);
    const payment = await recordPayment({ ledger, intent, transaction, ...verdict, now: clock.now() });
    if (payment.userId !== userId) throw errors.createPaymentNotYoursError();
    return findPeriod(payment.id);
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
  if (!isSame) throw errors.createAmountMismatchError();
}
