import type { Subscription } from '#schema/contracts/subscriptions.ts';
import type { OpenedIntent } from './payment/payment-terms.ts';
import type { TrackedPayment } from './payment/payment-tracker.ts';
import type { PaymentFailure, PaymentProgress, PendingPayment } from './payment/payment-types.ts';
import type { Preparation } from './payment/use-preparation.ts';

export type SubscribeView =
  | { readonly step: 'connect' }
  | { readonly step: 'preparing' }
  | {
      readonly step: 'confirm';
      readonly opened: OpenedIntent | null;
      readonly isRefreshing: boolean;
      readonly problem: string | null;
      /** Shown while there are no terms. */
      readonly title: PaymentFailure['title'] | 'Payment not ready';
    }
  | { readonly step: 'unfinished'; readonly pending: PendingPayment; readonly problem: string | null }
  | { readonly step: 'paying'; readonly progress: PaymentProgress }
  | { readonly step: 'complete'; readonly subscription: Subscription };

interface SubscribeState {
  readonly freeSubscription: Subscription | undefined;
  readonly payment: TrackedPayment | null;
  readonly preparation: Preparation;
  readonly findPending: () => PendingPayment | null;
}

/** The step to show. A running or signed payment comes first, so that no second one starts. */
export function currentView({
  freeSubscription,
  payment,
  preparation,
  findPending,
}: SubscribeState): SubscribeView {
  if (freeSubscription) return { step: 'complete', subscription: freeSubscription };
  if (payment?.status === 'running') return { step: 'paying', progress: payment.progress };
  const outcome = payment?.outcome ?? null;
  if (outcome?.status === 'complete') return { step: 'complete', subscription: outcome.subscription };
  const opening = preparation.status === 'not_ready' ? preparation.problem : null;
  const problem = opening ?? outcome?.reason ?? null;
  const pending = findPending();
  if (pending) return { step: 'unfinished', pending, problem };
  if (preparation.status === 'preparing') return { step: 'preparing' };
  if (preparation.status === 'none' && outcome === null) return { step: 'connect' };
  const title = opening === null && outcome !== null ? outcome.title : 'Payment not ready';
  if (preparation.status !== 'ready') {
    return { step: 'confirm', opened: null, isRefreshing: false, problem, title };
  }
  const { opened, isRefreshing } = preparation;
  return { step: 'confirm', opened, isRefreshing, problem, title };
}
