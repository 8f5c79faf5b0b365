import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CallerSummary } from '#schema/contracts/callers.ts';
import type { PaymentSummary } from '#schema/contracts/payments.ts';
import { formatSolAmount, shortenAddress } from '#schema/rules/format.ts';
import { formatDay, formatDays } from '#web/lib/dates.ts';
import { fullName } from '#schema/rules/person-name.ts';
import { initialOf } from '#web/lib/person.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { coveringLinkClassName } from '#web/ui/table.tsx';
import { VerifiedMark } from '#web/ui/verified-mark.tsx';

/** A payment as a line of a list. */
export interface PaymentRow {
  readonly payment: PaymentSummary;
  /** The other side of it, and the same in words. */
  readonly who: ReactNode;
  readonly whoText: string;
  /** Decimal strings in SOL, in the order of the list's amounts. The last one is what counts. */
  readonly amounts: readonly string[];
}

/** What the lines of a list have in common: who is on the other side, and which amounts are shown. */
export interface RowLabels {
  readonly list: string;
  readonly who: string;
  readonly amounts: readonly string[];
}

/** The day of a payment, which opens its receipt from anywhere in the line. */
export function ReceiptLink({ line: { payment, whoText } }: { line: PaymentRow }) {
  return (
    <Link
      to="/payments/$signature"
      params={{ signature: payment.signature }}
      className={`figures font-medium ${coveringLinkClassName}`}
    >
      <time dateTime={payment.paidAt}>{formatDay(payment.paidAt)}</time>
      <span className="sr-only"> receipt: {whoText}</span>
    </Link>
  );
}

/** From when to when a payment gives access. */
export function PaymentPeriod({ period }: Pick<PaymentSummary, 'period'>) {
  return period ? <span className="figures">{formatDays(period)}</span> : <span>none</span>;
}

/** An amount of a payment (a decimal string in SOL); struck out where it was taken back. */
export function PaymentAmount({ amount, state }: { amount: string } & Pick<PaymentSummary, 'state'>) {
  const text = `${formatSolAmount(amount)} SOL`;
  return state === 'revoked' ? <s className="font-normal text-text-muted">{text}</s> : text;
}

/** Somebody on the other side of a payment, by the public face. */
export function PersonOfPayment({ person }: { person: CallerSummary }) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar src={person.profileImageUrl} letter={initialOf(person, 'C')} size="sm" />
      <span dir="auto" className="truncate">
        {fullName(person)}
      </span>
      {person.isVerified && <VerifiedMark size={14} />}
    </span>
  );
}

/** Somebody who has no public face: the same id is the same person. */
export function UnnamedSubscriber({ id }: { id: string }) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar src={null} letter="S" size="sm" />
      <span className="truncate">
        Subscriber <span className="font-mono text-xs text-text-muted">{shortenAddress(id)}</span>
      </span>
    </span>
  );
}
