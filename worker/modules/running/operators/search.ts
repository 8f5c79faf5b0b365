import type { OperatorsRow } from '#schema/contracts/operators.ts';
import { isSignature } from '#schema/rules/text/base58.ts';
import { readSearchTerm } from '#schema/rules/text/search-term.ts';
import type { Database } from '../../../shared/database.ts';
import { createPaymentHistoryRepository } from '../../money/payments/payment-history.repository.ts';
import { findCalls } from '../../market/calls/call-search.repository.ts';
import { findPeople } from '../../people/users/people-search.repository.ts';
import { link, personLink, row } from './page.ts';
import { paymentRow, readPayments } from './payment.ts';

const UNREAD = 'Seen at our wallet, but no RPC endpoint has returned this transaction yet.';
const UNKNOWN =
  'Not ours, as far as we know: this transaction isn’t in our ledger and wasn’t seen at our wallet.';

/** People and calls, or else payments. The first link of each leads to its page. */
export async function findRows(db: Database, typed: string): Promise<OperatorsRow[]> {
  const search = readSearchTerm(typed);
  const [people, calls] = await Promise.all([findPeople(db, search), findCalls(db, search)]);
  if (people.length + calls.length === 0) {
    const payments = createPaymentHistoryRepository(db);
    const found = readPayments(await payments.find(search)).map(paymentRow);
    if (found.length > 0 || !isSignature(search)) return found;
    return [row({ title: (await payments.isUnread(search)) ? UNREAD : UNKNOWN, lines: [search] })];
  }
  return [
    ...people.map((person) =>
      row({ id: person.id, title: person.name, links: [personLink(person.id, person.handle)] }),
    ),
    ...calls.map(({ id, handle, symbol, at, endedAt }) =>
      row({
        id,
        title: `Call of ${symbol} by @${handle}, ${endedAt === null ? 'active' : 'ended'}`,
        at: endedAt ?? at,
        links: [link('call', id, 'Call')],
      }),
    ),
  ];
}
