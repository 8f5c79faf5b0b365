import type { PaymentOutcome, PaymentProgress, PaymentControls } from './payment-types.ts';

export type TrackedPayment =
  | { readonly status: 'running'; readonly progress: PaymentProgress }
  | { readonly status: 'ended'; readonly outcome: PaymentOutcome };

/**
 * Tracks the payments of this page, at most one per caller. They continue when the dialog closes. Reopening the
 * dialog shows the running payment instead of starting another one.
 */
export function createPaymentTracker() {
  const payments = new Map<string, TrackedPayment>();
  const stops = new Map<string, AbortController>();
  /** Each view's listener, with the caller whose payment it shows. Null if it only shows whether payments run. */
  const views = new Map<() => void, string | null>();

  const change = (callerId: string, payment: TrackedPayment | null) => {
    if (payment === null) payments.delete(callerId);
    else payments.set(callerId, payment);
    for (const listener of views.keys()) listener();
  };
  const isShown = (callerId: string) => [...views.values()].includes(callerId);

  return {
    find: (callerId: string): TrackedPayment | null => payments.get(callerId) ?? null,

    subscribe(listener: () => void, shown: string | null = null) {
      views.set(listener, shown);
      return () => void views.delete(listener);
    },

    isShown,

    /** Starts a payment. Returns `null` if another payment to the same caller is already running. */
    async start(
      callerId: string,
      run: (controls: PaymentControls) => Promise<PaymentOutcome>,
    ): Promise<PaymentOutcome | null> {
      if (payments.get(callerId)?.status === 'running') return null;
      const stop = new AbortController();
      stops.set(callerId, stop);
      const onProgress = (progress: PaymentProgress) => change(callerId, { status: 'running', progress });
      onProgress({ step: 'intent', isSlow: false });
      try {
        const outcome = await run({ onProgress, signal: stop.signal });
        // A failure is stored until the dialog opens again. A success isn't stored, because the page shows the new
        // subscription.
        const isSaved = isShown(callerId) || outcome.status === 'failed';
        change(callerId, isSaved ? { status: 'ended', outcome } : null);
        return outcome;
      } catch (error) {
        change(callerId, null);
        throw error;
      }
    },

    /** Stops waiting for the wallet. A signed payment continues. */
    stopWaiting: (callerId: string) => stops.get(callerId)?.abort(),

    clear(callerId: string) {
      if (payments.get(callerId)?.status === 'ended') change(callerId, null);
    },
  };
}

export const paymentTracker = createPaymentTracker();
