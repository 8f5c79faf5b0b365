import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CallerSummary } from '#schema/contracts/callers.ts';
import type { PaymentSummary } from '#schema/contracts/payments.ts';
import type { SubscriberName } from '#schema/contracts/subscriptions.ts';
import { shortenAddress } from '#schema/rules/text/format.ts';
import { formatSolAmount } from '#schema/rules/text/format-amounts.ts';
import { formatDay, formatDays } from '#web/lib/text/dates.ts';
import { fullName, withHandle } from '#schema/rules/people/person-name.ts';
import { PersonAvatar } from '#web/lib/people/person-avatar.tsx';
import { SolUsd } from '#web/lib/money/sol-usd.tsx';
import { Avatar } from '#web/ui/people/avatar.tsx';
import { coveringLinkClassName } from '#web/ui/lists/covering-link.ts';
import { VerifiedMark } from '#web/ui/people/verified-mark.tsx';

export interface PaymentRow {
  readonly payment: PaymentSummary;
  readonly otherParty: ReactNode;
  readonly summary: string;
  /** Decimal strings in SOL, one per amount column. The last one is emphasized. */
  readonly amounts: readonly string[];
}

export interface RowLabels {
  readonly list: string;
  readonly otherParty: string;
  readonly amounts: readonly string[];
}

export function ReceiptLink({ row: { payment, summary } }: { row: PaymentRow }) {
  return (
    <Link
      to="/payments/$signature"
      params={{ signature: payment.signature }}
      className={`figures font-medium ${coveringLinkClassName}`}
    >
      <time dateTime={payment.paidAt}>{formatDay(payment.paidAt)}</time>
      <span className="sr-only"> receipt: {summary}</span>
    </Link>
  );
}

export function PaymentPeriod({ period }: Pick<PaymentSummary, 'period'>) {
  return period ? <span className="figures">{formatDays(period)}</span> : 'none';
}

interface PaymentAmountProps extends Pick<PaymentSummary, 'state'> {
  amount: string;
  hasUsd: boolean;
}

/** An amount, with its value today if `hasUsd`. The amount of a reversed payment is struck through and has no value. */
export function PaymentAmount({ amount, state, hasUsd }: PaymentAmountProps) {
  const text = `${formatSolAmount(amount)} SOL`;
  if (state === 'revoked') return <s className="font-normal text-text-muted">{text}</s>;
  return (
    <>
      {text}
      {hasUsd && <SolUsd sol={amount} isPast />}
    </>
  );
}

interface SubscriberOfPaymentProps {
  id: string;
  subscriber: SubscriberName | null;
}

/** A subscriber. The same unnamed person always has the same id. */
export function SubscriberOfPayment({ id, subscriber }: SubscriberOfPaymentProps) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar src={null} name={subscriber ? fullName(subscriber) : 'S'} size="sm" />
      <span dir="auto" className="truncate">
        {subscriber ? (
          withHandle(fullName(subscriber), subscriber)
        ) : (
          <>
            Subscriber <span className="font-mono text-xs text-text-muted">{shortenAddress(id)}</span>
          </>
        )}
      </span>
    </span>
  );
}

export function PersonOfPayment({ person }: { person: CallerSummary }) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <PersonAvatar person={person} size="sm" />
      <span dir="auto" className="truncate">
        {fullName(person)}
      </span>
      {person.isVerified && <VerifiedMark size={14} />}
    </span>
  );
}
