import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { hasCode, reasonOf } from '#web/api/api-error.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { listOwnPeriods } from '#web/api/payments.queries.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { isOpened } from './open-payment.ts';
import { openPaymentInBrowser } from './payment-dependencies.ts';
import { openingReason } from './payment-failures.ts';
import { findNewPeriod, type OpenedIntent, type OtherPayment } from './payment-terms.ts';
import type { SubscribeCaller } from '../subscribe-caller.ts';

export type Preparation =
  | { readonly status: 'none' }
  | { readonly status: 'preparing' }
  | {
      readonly status: 'ready';
      readonly opened: OpenedIntent;
      readonly isRefreshing: boolean;
      readonly note: string | null;
    }
  | { readonly status: 'not_ready'; readonly problem: string | null }
  | {
      readonly status: 'other_payment';
      readonly otherPayment: OtherPayment;
      readonly payer: string;
      readonly isChecking: boolean;
      readonly checkResult: string | null;
    }
  | { readonly status: 'subscribed'; readonly subscription: Subscription };

export type PreparationControls = ReturnType<typeof usePreparation>;

/** Opens intents. Also checks on a payment that is in progress in another tab or on another device. */
export function usePreparation({
  caller,
  onSubscribed,
}: {
  readonly caller: SubscribeCaller;
  readonly onSubscribed: (subscription: Subscription) => void;
}) {
  const queryClient = useQueryClient();
  const [preparation, setPreparation] = useState<Preparation>({ status: 'none' });
  /** Number of the latest attempt. Responses to earlier attempts are ignored. */
  const attempt = useRef(0);

  const show = (next: Preparation) => {
    attempt.current += 1;
    setPreparation(next);
  };

  return {
    preparation,
    show,

    async prepare(payer: string) {
      const isRefresh = preparation.status === 'ready' && preparation.opened.payer === payer;
      show(isRefresh ? { ...preparation, isRefreshing: true, note: null } : { status: 'preparing' });
      const current = attempt.current;
      const next = await openPaymentInBrowser({ callerId: caller.id, payer }).then(
        (opening): Preparation =>
          isOpened(opening)
            ? { status: 'ready', opened: opening, isRefreshing: false, note: null }
            : { status: 'other_payment', otherPayment: opening, payer, isChecking: false, checkResult: null },
        async (error: unknown): Promise<Preparation> => {
          // The terms have changed since the page was opened. The dialog asks the user to accept them.
          if (hasCode(error, 'terms.not_accepted')) await queryClient.refetchQueries(currentUserQuery);
          return { status: 'not_ready', problem: openingProblem(error, caller) };
        },
      );
      if (current === attempt.current) setPreparation(next);
    },

    async checkOtherPayment({ otherPayment, payer }: { otherPayment: OtherPayment; payer: string }) {
      show({ status: 'other_payment', otherPayment, payer, isChecking: true, checkResult: null });
      const current = attempt.current;
      const next = await fetchOtherPayment({ callerId: caller.id, otherPayment, payer });
      if (current !== attempt.current) return;
      setPreparation(next);
      if (next.status === 'subscribed') onSubscribed(next.subscription);
    },
  };
}

async function fetchOtherPayment({
  callerId,
  otherPayment,
  payer,
}: {
  callerId: string;
  otherPayment: OtherPayment;
  payer: string;
}): Promise<Preparation> {
  const withCheckResult = (checkResult: string, current = otherPayment): Preparation => ({
    status: 'other_payment',
    otherPayment: { ...current, periods: otherPayment.periods ?? current.periods },
    payer,
    isChecking: false,
    checkResult,
  });
  try {
    const opening = await openPaymentInBrowser({ callerId, payer });
    if (!isOpened(opening)) {
      const checkResult = `Checked at ${new Date().toLocaleTimeString()}: still in progress.`;
      return withCheckResult(checkResult, opening);
    }
    // The server opened an intent, so the other payment has ended. A new period means that it landed.
    const after = await listOwnPeriods(callerId);
    const subscription = findNewPeriod({ before: otherPayment.periods, after });
    if (subscription) return { status: 'subscribed', subscription };
    const ended = otherPayment.isUnreadable === true ? OTHER_PAYMENT_RELEASED : OTHER_PAYMENT_FAILED;
    const note = otherPayment.periods === null ? null : ended;
    return { status: 'ready', opened: { ...opening, periods: after }, isRefreshing: false, note };
  } catch (error) {
    return withCheckResult(reasonOf(error, "Couldn't check the payment. Try again in a moment."));
  }
}

const OTHER_PAYMENT_FAILED =
  'The other payment started no subscription, and we no longer wait for it. You can pay here.';
const OTHER_PAYMENT_RELEASED =
  "We couldn't read the other payment, so we no longer wait for it. It counts if we can read it later. You can pay here.";

/** Error codes that only the caller can fix. The server's reason says how. */
const CALLER_PROBLEMS = [
  'payments.amount_under_rent',
  'payments.payout_wallet_missing',
  'payments.payout_is_platform',
] as const;

function openingProblem(error: unknown, caller: SubscribeCaller): string {
  const reason = openingReason(error);
  const isForCaller = CALLER_PROBLEMS.some((code) => hasCode(error, code));
  return isForCaller ? `${reason} Only ${fullName(caller)} can fix this. Nothing was paid.` : reason;
}
