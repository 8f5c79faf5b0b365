import { useRef, useState } from 'react';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { hasCode, reasonOf } from '#web/api/api-error.ts';
import { listOwnPeriods } from '#web/api/payments.queries.ts';
import { fullName } from '#schema/rules/person-name.ts';
import { isOpened } from './open-payment.ts';
import { openPaymentHere } from './payment-dependencies.ts';
import { findNewPeriod, type OpenedIntent, type OtherPayment } from './payment-terms.ts';
import type { SubscribeCaller } from './subscribe-caller.ts';

/** What there is to confirm. */
export type Preparation =
  | { readonly is: 'none' }
  | { readonly is: 'preparing' }
  /** `note` is what became of a payment that was on its way elsewhere. */
  | {
      readonly is: 'ready';
      readonly opened: OpenedIntent;
      readonly isRefreshing: boolean;
      readonly note: string | null;
    }
  | { readonly is: 'unprepared'; readonly problem: string | null }
  | {
      readonly is: 'elsewhere';
      readonly elsewhere: OtherPayment;
      readonly payer: string;
      readonly isLooking: boolean;
      readonly news: string | null;
    }
  /** What was on its way elsewhere has landed. */
  | { readonly is: 'arrived'; readonly subscription: Subscription };

/** Opens what is to be paid, and looks after a payment that is on its way from another tab or device. */
export function usePreparation({
  caller,
  onArrived,
}: {
  readonly caller: SubscribeCaller;
  readonly onArrived: (subscription: Subscription) => void;
}) {
  const [preparation, setPreparation] = useState<Preparation>({ is: 'none' });
  /** The attempt that counts: an earlier one's answer comes too late. */
  const attempt = useRef(0);

  const show = (next: Preparation) => {
    attempt.current += 1;
    setPreparation(next);
  };

  return {
    preparation,
    show,

    /** Opens the intent, so that what is confirmed are its exact terms. */
    async prepare(payer: string) {
      const isRefresh = preparation.is === 'ready' && preparation.opened.payer === payer;
      show(isRefresh ? { ...preparation, isRefreshing: true, note: null } : { is: 'preparing' });
      const current = attempt.current;
      const next = await openPaymentHere({ callerId: caller.id, payer }).then(
        (opening): Preparation =>
          isOpened(opening)
            ? { is: 'ready', opened: opening, isRefreshing: false, note: null }
            : { is: 'elsewhere', elsewhere: opening, payer, isLooking: false, news: null },
        (error: unknown): Preparation => ({ is: 'unprepared', problem: openingReason(error, caller) }),
      );
      if (current === attempt.current) setPreparation(next);
    },

    /** Looks what became of the payment that is on its way: it has landed, it is still on its way, or it never will land. */
    async lookAgain({ elsewhere, payer }: { elsewhere: OtherPayment; payer: string }) {
      show({ is: 'elsewhere', elsewhere, payer, isLooking: true, news: null });
      const current = attempt.current;
      const next = await lookElsewhere({ callerId: caller.id, elsewhere, payer });
      if (current !== attempt.current) return;
      setPreparation(next);
      if (next.is === 'arrived') onArrived(next.subscription);
    },
  };
}

async function lookElsewhere({
  callerId,
  elsewhere,
  payer,
}: {
  callerId: string;
  elsewhere: OtherPayment;
  payer: string;
}): Promise<Preparation> {
  const stay = (news: string, periods = elsewhere.periods): Preparation => ({
    is: 'elsewhere',
    elsewhere: { ...elsewhere, periods },
    payer,
    isLooking: false,
    news,
  });
  try {
    const opening = await openPaymentHere({ callerId, payer });
    if (!isOpened(opening)) {
      return stay(
        `Looked at ${new Date().toLocaleTimeString()}: still on its way.`,
        elsewhere.periods ?? opening.periods,
      );
    }
    // With nothing on its way any more, what is there now is how it ended.
    const after = await listOwnPeriods(callerId);
    const subscription = findNewPeriod({ before: elsewhere.periods, after });
    if (subscription) return { is: 'arrived', subscription };
    const note =
      elsewhere.periods === null
        ? null
        : 'The other payment did not reach Solana and never will. Nothing was paid for it: you can pay here.';
    return { is: 'ready', opened: { ...opening, periods: after }, isRefreshing: false, note };
  } catch (error) {
    return stay(reasonOf(error, 'It could not be looked up just now.'));
  }
}

/** Why there is nothing to pay yet, and who can change that. */
function openingReason(error: unknown, caller: SubscribeCaller): string {
  const reason = reasonOf(error, 'The payment could not be prepared. Nothing was paid.');
  const name = fullName(caller);
  if (hasCode(error, 'payments.amount_under_rent')) {
    return `${reason} Only ${name} can change that; nothing has left your wallet.`;
  }
  if (hasCode(error, 'payments.payout_wallet_missing') || hasCode(error, 'payments.payout_is_platform')) {
    return `${reason} Only ${name} can change that.`;
  }
  return reason;
}
