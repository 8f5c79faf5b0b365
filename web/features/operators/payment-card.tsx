import { useQuery } from '@tanstack/react-query';
import type { PaymentEvent, PaymentHistory, PaymentParty } from '#schema/contracts/operators.ts';
import { paymentHistoryQuery } from '#web/api/operators.queries.ts';
import { formatDays, formatMinute } from '#web/lib/text/dates.ts';
import { EVENT_NAMES } from './action-labels.ts';
import { Facts, Row, SearchedCard, type Fact, type SearchedCardProps } from './actions.tsx';

export function PaymentCard(props: SearchedCardProps) {
  return (
    <SearchedCard
      {...props}
      title="Payment"
      description="By signature, reference, or the id of an intent"
      label="Find a payment"
      query={useQuery(paymentHistoryQuery(props.search))}
      what="the payment"
      empty={{ title: 'No payment found', description: 'Check the signature, reference or id.' }}
    >
      {(found) => found.map((payment) => <History key={props.search} payment={payment} />)}
    </SearchedCard>
  );
}

function History({ payment: { intent, events } }: { payment: PaymentHistory }) {
  return (
    <div className="mt-4 space-y-4">
      {intent === null ? (
        <p className="text-sm text-text-muted">This money matches no payment.</p>
      ) : (
        <Facts facts={factsOf(intent)} />
      )}
      <ol aria-label="History of the payment" className="divide-y divide-line border-t border-line">
        {events.map((event) => (
          <Row
            key={`${event.at} ${event.kind} ${event.signature ?? ''}`}
            title={EVENT_NAMES[event.kind]}
            at={event.at}
            text={detailsOf(event)}
          />
        ))}
      </ol>
    </div>
  );
}

function factsOf(intent: NonNullable<PaymentHistory['intent']>): readonly Fact[] {
  return [
    ['Intent', intent.id],
    ['Reference', intent.reference],
    ['Subscriber', nameOf(intent.subscriber)],
    ['Caller', nameOf(intent.caller)],
    ['To the caller', `${intent.callerSol} SOL to ${intent.callerAddress}`],
    ['Commission', `${intent.platformSol} SOL to ${intent.platformAddress}`],
    ['Expires at', formatMinute(intent.expiresAt)],
  ];
}

const nameOf = ({ id, handle }: PaymentParty) => `@${handle} (${id})`;

function detailsOf({ period, slot, note, signature }: PaymentEvent): string {
  return [
    period && formatDays(period),
    note,
    slot !== null && `Slot ${slot}`,
    signature !== null && `Signature ${signature}`,
  ]
    .filter(Boolean)
    .join('. ');
}
