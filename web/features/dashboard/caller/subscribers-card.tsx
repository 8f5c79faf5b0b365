import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Subscriber, SubscriberFilter } from '#schema/contracts/subscriptions.ts';
import { DELETED_ACCOUNT, fullName } from '#schema/rules/people/person-name.ts';
import { pluralize } from '#schema/rules/text/format.ts';
import { callerQuery } from '#web/api/callers.queries.ts';
import { SUBSCRIBERS_CSV_PATH, subscribersQuery } from '#web/api/subscriptions.queries.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { ShowMore } from '#web/lib/page/show-more.tsx';
import { XHandle } from '#web/lib/people/x-handle.tsx';
import { formatDay } from '#web/lib/text/dates.ts';
import { SegmentedToggle } from '#web/ui/controls/segmented-toggle.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import type { EmptyStateProps } from '#web/ui/lists/empty-state.tsx';
import { Table, TableCell, TableHead, TableHeaderCell, TableRow } from '#web/ui/lists/table.tsx';

const TITLE = 'Subscribers';

const FILTERS: readonly { value: SubscriberFilter; label: string }[] = [
  { value: 'running', label: 'Running' },
  { value: 'ending', label: 'Ends in 7 days' },
  { value: 'ended', label: 'Ended' },
];

const EMPTY: Record<SubscriberFilter, EmptyStateProps> = {
  running: { title: 'No subscribers yet', description: 'People who pay for your calls appear here.' },
  ending: {
    title: 'No subscription ends within 7 days',
    description: 'Those that aren’t renewed appear here.',
  },
  ended: {
    title: 'No subscription has ended',
    description: 'People who haven’t renewed stay here for 30 days.',
  },
};

export function SubscribersCard({ callerId }: { callerId: string }) {
  const [show, setShow] = useState<SubscriberFilter>('running');
  const query = useInfiniteQuery(subscribersQuery(show));
  const { data: caller } = useQuery(callerQuery(callerId));
  const canDownload = show !== 'running' || (query.data ?? []).length > 0;
  return (
    <Card
      title={TITLE}
      description={
        <>
          {caller !== undefined &&
            caller.followerCount > 0 &&
            `and ${pluralize(caller.followerCount, 'follower')} `}
          {canDownload && (
            <a href={SUBSCRIBERS_CSV_PATH} className="link">
              Download running as CSV
            </a>
          )}
        </>
      }
      aside={
        <SegmentedToggle
          label="Which subscribers"
          value={show}
          onValueChange={setShow}
          options={FILTERS}
          className="max-sm:w-full"
        />
      }
      isFlush
      className="max-lg:order-last"
    >
      {/** In a box of its own, so that the filter doesn't hide what is below (styles/app.css, `settles`). */}
      <div className="[--card-row:66px] md:[&_tr]:h-12">
        <ListState query={query} what="subscribers" skeletons={1} empty={EMPTY[show]}>
          {(subscribers) => <SubscribersTable subscribers={subscribers} />}
        </ListState>
      </div>
      <ShowMore
        query={query}
        failure="Couldn't load more subscribers. Try again."
        className="border-t border-line py-4"
      >
        Show more subscribers
      </ShowMore>
    </Card>
  );
}

function SubscribersTable({ subscribers }: { subscribers: readonly Subscriber[] }) {
  return (
    <Table label={TITLE} cards="row-cards">
      <TableHead>
        <TableHeaderCell>Subscriber</TableHeaderCell>
        <TableHeaderCell isNumeric>Since</TableHeaderCell>
        <TableHeaderCell isNumeric>Renewals</TableHeaderCell>
        <TableHeaderCell isNumeric>Until</TableHeaderCell>
      </TableHead>
      <tbody>
        {subscribers.map((each) => (
          <TableRow key={each.id}>
            <TableCell isRowHeader className="min-w-0 text-left font-medium">
              <Name subscriber={each.subscriber} />
              <span className="block text-xs font-normal text-text-muted tabular-nums md:hidden">
                since {formatDay(each.since)} · {pluralize(each.renewals, 'renewal')}
              </span>
            </TableCell>
            <TableCell isNumeric className="max-md:hidden">
              {formatDay(each.since)}
            </TableCell>
            <TableCell isNumeric className="max-md:hidden">
              {each.renewals}
            </TableCell>
            <TableCell isNumeric>
              <span className="text-text-muted md:hidden">until </span>
              {formatDay(each.until)}
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

function Name({ subscriber }: Pick<Subscriber, 'subscriber'>) {
  if (subscriber === null) return DELETED_ACCOUNT;
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <bdi className="min-w-0 wrap-anywhere">{fullName(subscriber)}</bdi>
      <XHandle person={subscriber} className="text-xs font-normal text-text-muted link" />
    </span>
  );
}
