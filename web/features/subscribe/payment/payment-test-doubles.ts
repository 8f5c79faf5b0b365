import { PERIOD_LENGTHS } from '#schema/constants/money.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { priceOf, type PeriodDays } from '#schema/rules/money/lengths.ts';
import type { OpenIntentResponse } from '#schema/contracts/payments.ts';
import type { ErrorCode } from '#schema/contracts/errors.ts';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { ApiError, ConnectionError } from '#web/api/api-error.ts';
import { openPayment, type OpenPaymentDependencies } from './open-payment.ts';
import type { OpenedIntent } from './payment-terms.ts';
import type { PaymentDependencies, PaymentProgress, PendingPayment, SignedPayment } from './payment-types.ts';

export const SIGNATURE = '5'.repeat(87);
export const PAYER = '7Y4f3Taf6LPyZsQpKW3bE7C2rbVNpFPSgE8XH4Lw2cYq';

interface IntentTerms {
  total?: bigint;
  microLamports?: bigint;
  callerAddress?: string;
  days?: PeriodDays | undefined;
}

/** An intent at a fee of `total` lamports. */
export function intentResponse({
  total = 1_000_000_000n,
  microLamports = 50_000n,
  callerAddress = '9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu',
  days = 30,
}: IntentTerms = {}): OpenIntentResponse {
  const offer = (length: PeriodDays) => {
    const { callerLamports, platformLamports } = priceOf(total, length);
    return { days: length, callerLamports: `${callerLamports}`, platformLamports: `${platformLamports}` };
  };
  return {
    lengths: PERIOD_LENGTHS.map(offer),
    rentExemptLamports: '650240',
    signingMs: 37_500,
    computeBudget: { computeUnitLimit: 200_000, microLamports: `${microLamports}` },
    result: {
      value: { blockhash: 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N', lastValidBlockHeight: 100 },
    },
    intent: {
      id: 'intent-1',
      reference: 'BPFLoaderUpgradeab1e11111111111111111111111',
      callerAddress,
      platformAddress: 'Vote111111111111111111111111111111111111111',
      feeLamports: `${total}`,
      ...offer(days),
      expiresAt: '2026-11-21T10:10:00.000Z',
    },
  };
}

export function apiError(status: number, code: ErrorCode, message: string, details: object = {}): ApiError {
  return new ApiError({ status, text: message, body: { message, error: { ...details, code, message } } });
}

/** The error that the API client throws without a connection. */
export const connectionLost = new ConnectionError(new TypeError('Failed to fetch'));

/**
 * Returns a function that returns the list's items in order and repeats the last one. Errors are thrown.
 */
export function replies<T>(...list: readonly (T | Error)[]) {
  let index = 0;
  return async (): Promise<T> => {
    const next = list[Math.min(index, list.length - 1)] as T | Error;
    index += 1;
    if (next instanceof Error) throw next;
    return next;
  };
}

export const landed = { result: { value: [{ err: null, confirmationStatus: 'confirmed' }] } } as const;
export const failedOnChain = {
  result: { value: [{ err: { InstructionError: [0, { Custom: 1 }] }, confirmationStatus: 'confirmed' }] },
} as const;

export function termsShownAt(openedAt: number): OpenedIntent {
  return { response: intentResponse(), payer: PAYER, openedAt, periods: [] };
}

const inTwentyDays = () => new Date(Date.now() + 20 * DAY_MS).toISOString();

export function paidPeriod(id: string, endDate = inTwentyDays()) {
  return {
    id,
    callerId: 'caller-1',
    isCurrentlyActive: true,
    endDate,
    payment: {
      days: 30,
      payerAddress: PAYER,
      monthlyFee: '1',
      platformFee: '0.1',
      totalAmount: '1',
      transactionId: SIGNATURE,
      intentId: 'intent-1',
      explorerUrl: 'https://explorer.example/tx',
    },
  } as Subscription;
}

export const subscription = paidPeriod('subscription-1');

/** A payment to `caller-1` that this browser stored after the wallet had signed it. */
export const signedPayment: SignedPayment = {
  callerId: 'caller-1',
  intent: intentResponse().intent,
  signature: SIGNATURE,
  transaction: 'AQID',
  openedAt: 1_000,
  hasLanded: false,
};

/**
 * Fake dependencies for a payment that succeeds. `log` lists the calls. Only `wait` moves the clock.
 */
export function createPaymentDoubles(overrides: Partial<PaymentDependencies & OpenPaymentDependencies> = {}) {
  const log: string[] = [];
  const searches: string[] = [];
  const timers = new Set<{ ms: number; act: () => void }>();
  let saved: PendingPayment | null = null;
  let now = 1_000_000;
  const logged =
    <Args extends readonly unknown[], T>(name: string, call: (...args: Args) => T) =>
    (...args: Args): T => {
      log.push(name);
      return call(...args);
    };
  const openDependencies: OpenPaymentDependencies = {
    openIntent: logged('openIntent', overrides.openIntent ?? (async () => intentResponse())),
    listOwnPeriods: overrides.listOwnPeriods ?? (async () => []),
    now: () => now,
  };
  const dependencies: PaymentDependencies = {
    open: (input) => openPayment(input, openDependencies),
    find: overrides.find ?? (() => saved),
    buildPayment: logged('buildPayment', overrides.buildPayment ?? (async () => Uint8Array.of(1, 2, 3))),
    signTransaction: logged(
      'signTransaction',
      overrides.signTransaction ?? (async (bytes) => Uint8Array.of(...bytes, 9)),
    ),
    payByWallet: overrides.payByWallet ? logged('payByWallet', overrides.payByWallet) : null,
    readSignature: overrides.readSignature ?? (async () => SIGNATURE),
    sendTransaction: logged(
      'sendTransaction',
      overrides.sendTransaction ?? (async () => ({ result: SIGNATURE })),
    ),
    confirmTransaction: logged('confirmTransaction', overrides.confirmTransaction ?? (async () => landed)),
    searchPayment: logged('searchPayment', async (intentId) => {
      searches.push(intentId);
      return (overrides.searchPayment ?? (async () => subscription))(intentId);
    }),
    save: (pending) => void (saved = pending),
    forget: ({ intent }) => {
      if (saved?.intent.id === intent.id) saved = null;
    },
    wait: async (ms) => void (now += ms),
    after: (ms, act) => {
      const timer = { ms, act };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    now: () => now,
  };
  return {
    dependencies,
    log,
    searches,
    saved: () => saved,
    now: () => now,
    count: (name: string) => log.filter((each) => each === name).length,
    slowDown: () => [...timers].forEach(({ act }) => act()),
    waitedFor: () => [...timers].map(({ ms }) => ms),
  };
}

/** Payment controls that record the progress. `stop` stops waiting for the wallet. */
export function recordProgress() {
  const progress: PaymentProgress[] = [];
  const stop = new AbortController();
  return {
    progress,
    stop: () => stop.abort(),
    controls: { onProgress: (each: PaymentProgress) => void progress.push(each), signal: stop.signal },
  };
}
