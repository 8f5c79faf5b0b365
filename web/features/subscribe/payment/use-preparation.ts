import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { hasCode } from '#web/api/api-error.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { openPaymentInBrowser } from './payment-dependencies.ts';
import { openingReason, readOtherPayment } from './payment-failures.ts';
import type { OpenedIntent } from './payment-terms.ts';
import type { PendingPayments } from './payment-types.ts';
import type { SubscribeCaller } from '../subscribe-caller.ts';

export type Preparation =
  | { readonly status: 'none' }
  | { readonly status: 'preparing' }
  | {
      readonly status: 'ready';
      readonly opened: OpenedIntent;
      readonly isRefreshing: boolean;
    }
  | { readonly status: 'not_ready'; readonly problem: string | null };

export type PreparationControls = ReturnType<typeof usePreparation>;

/** Opens intents. If another tab or device pays already, stores that payment, so that the dialog continues with it. */
export function usePreparation(caller: SubscribeCaller, { save }: PendingPayments) {
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
      const shown = preparation.status === 'ready' ? preparation.opened.response.intent : null;
      const isRefresh = preparation.status === 'ready' && preparation.opened.payer === payer;
      show(isRefresh ? { ...preparation, isRefreshing: true } : { status: 'preparing' });
      const current = attempt.current;
      const next = await openPaymentInBrowser({ callerId: caller.id, payer, shown }).then(
        (opened): Preparation => ({ status: 'ready', opened, isRefreshing: false }),
        async (error: unknown): Promise<Preparation> => {
          // The terms have changed since the page was opened. The dialog asks the user to accept them.
          if (hasCode(error, 'terms.not_accepted')) await queryClient.refetchQueries(currentUserQuery);
          const other = readOtherPayment(error, caller.id, Date.now());
          if (other !== null) save(other);
          return { status: 'not_ready', problem: openingProblem(error, caller) };
        },
      );
      if (current === attempt.current) setPreparation(next);
    },
  };
}

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
