import type { Subscriber, SubscriberName } from '#schema/contracts/subscriptions.ts';
import { DELETED_ACCOUNT, fullName, handleOf } from '#schema/rules/people/person-name.ts';
import type { CsvColumn } from '../../../app/csv.ts';
import type { SubscriberRow } from './subscriber-list.repository.ts';

type NameRow = Readonly<Record<'first_name' | 'last_name' | 'twitter_handle', string | null>>;

export function describeSubscriberName(row: NameRow): SubscriberName | null {
  const { first_name, last_name, twitter_handle } = row;
  if (first_name === null || last_name === null || twitter_handle === null) return null;
  return { firstName: first_name, lastName: last_name, twitterHandle: twitter_handle };
}

export function describeSubscriber(row: SubscriberRow): Subscriber {
  return {
    id: row.subscriber_id,
    subscriber: describeSubscriberName(row),
    since: new Date(row.since).toISOString(),
    until: new Date(row.ends_at).toISOString(),
    renewals: Math.max(0, row.paid - 1),
  };
}

/** The handle in a CSV file: without its @, which would begin a formula. */
export const handleCell = (person: SubscriberName | null): string =>
  person === null || handleOf(person) === null ? '' : person.twitterHandle;

export const subscriberColumns: readonly CsvColumn<Subscriber>[] = [
  ['Name', ({ subscriber }) => (subscriber ? fullName(subscriber) : DELETED_ACCOUNT)],
  ['Handle', ({ subscriber }) => handleCell(subscriber)],
  ['Since (UTC)', ({ since }) => since],
  ['Until (UTC)', ({ until }) => until],
  ['Renewals', ({ renewals }) => String(renewals)],
];
