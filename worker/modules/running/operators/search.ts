import type { OperatorsRow } from '#schema/contracts/operators.ts';
import type { Database } from '../../../shared/database.ts';
import { createPaymentHistoryRepository } from '../../money/payments/payment-history.repository.ts';
import { link, personLink, row } from './page.ts';
import { paymentRow, readPayments } from './payment.ts';
import { createPersonRepository } from './person.repository.ts';

/** People, or else calls, or else payments. The first link of each leads to its page. */
export async function findRows(db: Database, search: string): Promise<OperatorsRow[]> {
  const repository = createPersonRepository(db);
  const [people, calls] = await Promise.all([repository.findPeople(search), repository.findCalls(search)]);
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
