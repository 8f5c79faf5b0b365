import type { PaymentOutcome, PaymentProgress, PaymentWatch } from './payment-types.ts';

/** A payment on its way, or how it ended. */
export type TrackedPayment =
  | { readonly status: 'running'; readonly progress: PaymentProgress }
  | { readonly status: 'ended'; readonly outcome: PaymentOutcome };

/**
 * The payments of this page, at most one a caller. They live apart from the dialog, so that somebody
 * who closes it and opens it again finds the payment on its way instead of starting another.
 */
export function createPaymentTracker() {
  const runs = new Map<string, TrackedPayment>();
  const stops = new Map<string, AbortController>();
  const viewers = new Set<() => void>();
  const observers = new Set<() => void>();

  const change = (callerId: string, run: TrackedPayment | null) => {
    if (run === null) runs.delete(callerId);
    else runs.set(callerId, run);
    for (const listener of [...viewers, ...observers]) listener();
  };

  return {
    find: (callerId: string): TrackedPayment | null => runs.get(callerId) ?? null,

    /** For who shows how a payment ends. */
    subscribe: (listener: () => void) => listen(viewers, listener),

    /** For who only wants to know that one runs. */
    observe: (listener: () => void) => listen(observers, listener),

    /** Runs a payment, unless one to the same caller is on its way already (then `null`). */
    async start(
      callerId: string,
      run: (watch: PaymentWatch) => Promise<PaymentOutcome>,
    ): Promise<PaymentOutcome | null> {
      if (runs.get(callerId)?.status === 'running') return null;
      const stop = new AbortController();
      stops.set(callerId, stop);
      const onProgress = (progress: PaymentProgress) => change(callerId, { status: 'running', progress });
      onProgress({ step: 'intent', isSlow: false });
      try {
        const outcome = await run({ onProgress, signal: stop.signal });
        // With nobody looking (the dialog is closed) there is nobody to show the end to.
        change(callerId, viewers.size > 0 ? { status: 'ended', outcome } : null);
        return outcome;
      } catch (error) {
        change(callerId, null);
        throw error;
      }
    },

    /** Waits for the wallet no longer. What has been signed goes on. */
    stopWaiting: (callerId: string) => stops.get(callerId)?.abort(),

    /** Forgets how a payment ended. One that is on its way stays. */
    clear(callerId: string) {
      if (runs.get(callerId)?.status === 'ended') change(callerId, null);
    },
  };
}

function listen(listeners: Set<() => void>, listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Those of this page. */
export const paymentTracker = createPaymentTracker();
