import { useQuery } from '@tanstack/react-query';
import type { PaymentEvent, PaymentHistory, PaymentParty } from '#schema/contracts/operators.ts';
import { paymentHistoryQuery } from '#web/api/operators.queries.ts';
import { formatDays, formatMinute } from '#web/lib/text/dates.ts';
import { Fold } from '#web/ui/lists/fold.tsx';
import { EVENT_NAMES } from './action-labels.ts';
import { Facts, Row, SearchedCard, type Fact, type SearchedCardProps } from './actions.tsx';

export function PaymentCard(props: SearchedCardProps) {
  return (
    <SearchedCard
      {...props}
      title="Payments"
      description="By signature, reference, or the id of an intent or a person"
      label="Find a payment"
      query={useQuery(paymentHistoryQuery(props.search))}
      what="the payment"
      empty={{ title: 'No payment found', description: 'Check the signature, reference or id.' }}
    >
      {(found) => (
        <ul aria-label="Payments" className="mt-4 space-y-2">
          {found.map((payment) => (
            <li key={payment.intent?.id ?? props.search}>
              <Fold title={titleOf(payment)} isInitiallyOpen={found.length === 1}>
                <History payment={payment} />
              </Fold>
            </li>
          ))}
        </ul>
      )}
    </SearchedCard>
  );
}

function titleOf({ intent, state, events }: PaymentHistory): string {
  const payment =
    intent === null ? 'Money that matches no payment' : `${intent.sol} SOL to @${intent.caller.handle}`;
  return [payment, EVENT_NAMES[state], events[0] && formatMinute(events[0].at)].filter(Boolean).join(', ');
}

function History({ payment: { intent, access, events } }: { payment: PaymentHistory }) {
  return (
    <div className="space-y-4">
      {intent !== null && <Facts facts={factsOf(intent, access)} />}
      <ol aria-label="History of the payment" className="divide-y divide-line border-t border-line">
        {events.map((event) => (
          <Row
            key={`${event.at} ${event.kind} ${event.signature ?? ''}`}
            title={EVENT_NAMES[event.kind]}
            at={event.at}
            text={detailsOf(event)}
          >
            {event.explorerUrl !== null && (
              <a href={event.explorerUrl} target="_blank" rel="noopener noreferrer" className="link text-xs">
                {event.signature}
              </a>
            )}
          </Row>
        ))}
      </ol>
    </div>
  );
}

function factsOf(
  intent: NonNullable<PaymentHistory['intent']>,
  access: PaymentHistory['access'],
): readonly Fact[] {
  return [
    ['Intent', intent.id],
    ['Reference', intent.reference],
    ['Subscriber', nameOf(intent.subscriber)],
    ['Caller', nameOf(intent.caller)],
    ['To the caller', `${intent.callerSol} SOL to ${intent.callerAddress}`],
    ['Commission', `${intent.platformSol} SOL to ${intent.platformAddress}`],
    ['Expires at', formatMinute(intent.expiresAt)],
    ['Access', access === null ? 'None' : formatDays(access)],
  ];
}

const nameOf = ({ id, handle }: PaymentParty) => `@${handle} (${id})`;

function detailsOf({ period, slot, note }: PaymentEvent): string {
  return [period && formatDays(period), note, slot !== null && `Slot ${slot}`].filter(Boolean).join('. ');
}
