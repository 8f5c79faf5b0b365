import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { PersonPayments, SignatureView } from '#schema/contracts/operators.ts';
import { chainViewQuery, personPaymentsQuery } from '#web/api/operators.queries.ts';
import { formatMinute } from '#web/lib/text/dates.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { EVENT_NAMES } from './action-labels.ts';
import { Row } from './actions.tsx';

export function PersonPaymentsList({ id }: { id: string }) {
  return (
    <ListState query={useQuery(personPaymentsQuery(id))} what="the payments" skeletons={2}>
      {({ intents, payments, periods }) => (
        <div className="mt-3 space-y-4">
          <Rows title="Intents" none="Never started a payment." rows={intents}>
            {(intent) => (
              <PaymentRow
                key={intent.id}
                title={`${intent.sol} SOL to @${intent.callerHandle}`}
                at={intent.openedAt}
                text={describeIntent(intent)}
                payment={intent.id}
                search={intent.signature ?? intent.reference}
              />
            )}
          </Rows>
          <Rows title="Payments" none="No payment was recorded." rows={payments}>
            {({ signature, callerHandle, sol, paidAt, state }) => (
              <PaymentRow
                key={signature}
                title={`${sol} SOL to @${callerHandle}`}
                at={paidAt}
                text={EVENT_NAMES[state]}
                payment={signature}
                search={signature}
              />
            )}
          </Rows>
          <Rows title="Access" none="Never had access to a caller." rows={periods}>
            {({ id: periodId, callerHandle, startDate, endDate, signature, isRunning }) => (
              <PaymentRow
                key={periodId}
                title={`@${callerHandle}${isRunning ? '' : ' (not running)'}`}
                at={startDate}
                text={`${signature === null ? 'Free' : 'Paid'}, ${endDate === null ? 'without an end' : `until ${formatMinute(endDate)}`}`}
                payment={signature}
                search={null}
              />
            )}
          </Rows>
        </div>
      )}
    </ListState>
  );
}

function describeIntent({ isPaid, signature, expiresAt }: PersonPayments['intents'][number]): string {
  if (isPaid) return 'Paid';
  const sent = signature === null ? 'No transaction was sent through us' : 'Sent, but not recorded';
  return `${sent}. Expires ${formatMinute(expiresAt)}`;
}

interface RowsProps<Item> {
  title: string;
  none: string;
  rows: readonly Item[];
  children: (row: Item) => ReactNode;
}

function Rows<Item>({ title, none, rows, children }: RowsProps<Item>) {
  return (
    <section>
      <h3 className="text-sm font-medium">{title}</h3>
      {rows.length === 0 ? (
        <p className="text-sm text-text-muted">{none}</p>
      ) : (
        <ul aria-label={title} className="divide-y divide-line">
          {rows.map(children)}
        </ul>
      )}
    </section>
  );
}

interface PaymentRowProps {
  title: string;
  at: string;
  text: string;
  /** The signature or intent id that finds the payment's history. Null without a payment. */
  payment: string | null;
  search: string | null;
}

function PaymentRow({ title, at, text, payment, search }: PaymentRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Row
      title={title}
      at={at}
      text={text}
      payment={payment}
      button={
        search !== null && (
          <Button
            size="sm"
            variant="ghost"
            aria-expanded={isOpen}
            aria-label={`Chain: ${search}`}
            onClick={() => setIsOpen(!isOpen)}
          >
            Chain
          </Button>
        )
      }
    >
      {isOpen && search !== null && <Chain search={search} />}
    </Row>
  );
}

function Chain({ search }: { search: string }) {
  const query = useQuery(chainViewQuery(search));
  return (
    <ListState
      query={query}
      what="the chain’s view"
      skeletons={1}
      empty={{ title: 'Nothing on the chain', description: 'No transaction names this payment.' }}
    >
      {(found) => (
        <ul aria-label="On the chain" className="space-y-1 text-xs">
          {found.map(({ signature, endpoints }) => (
            <li key={signature}>
              {signature}
              {endpoints.map((each) => (
                <p key={each.endpoint} className="text-text-muted">
                  {describeView(each)}
                </p>
              ))}
            </li>
          ))}
        </ul>
      )}
    </ListState>
  );
}

function describeView({ endpoint, status, slot, error }: SignatureView['endpoints'][number]): string {
  const said = status === 'unknown' ? 'does not know it' : (status ?? 'did not respond');
  return [`${endpoint}: ${said}`, slot !== null && `slot ${slot}`, error !== null && `failed: ${error}`]
    .filter(Boolean)
    .join(', ');
}
