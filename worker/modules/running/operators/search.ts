import type { OperatorsRow } from '#schema/contracts/operators.ts';
import type { Database } from '../../../shared/database.ts';
import { createPaymentHistoryRepository } from '../../money/payments/payment-history.repository.ts';
import { findCalls } from '../../market/calls/call-search.repository.ts';
import { findPeople } from '../../people/users/people-search.repository.ts';
import { link, personLink, row } from './page.ts';
import { paymentRow, readPayments } from './payment.ts';

/** People, or else calls, or else payments. The first link of each leads to its page. */
export async function findRows(db: Database, search: string): Promise<OperatorsRow[]> {
  const [people, calls] = await Promise.all([findPeople(db, search), findCalls(db, search)]);
  if (people.length + calls.length === 0) {
    return readPayments(await createPaymentHistoryRepository(db).find(search)).map(paymentRow);
  }
  return [
    ...people.map((person) =>
      row({ id: person.id, title: person.name, links: [personLink(person.id, person.handle)] }),
    ),
    ...calls.map(({ id, handle, symbol, at }) =>
      row({ id, title: `Call of ${symbol} by @${handle}`, at, links: [link('call', id, 'Call')] }),
    ),
  ];
}
