import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SKELETONS } from '#schema/constants.ts';
import type { DeliveryLogEntry } from '#schema/contracts/notifications.ts';
import { reasonOf } from '#web/api/api-error.ts';
import { deliveriesQuery } from '#web/api/telegram.queries.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { ShowMore } from '#web/ui/show-more.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { eventWords, readDelivery } from './delivery-text.ts';
import { ListState } from '#web/lib/list-state.tsx';

/** How telling one's followers of calls went, in counts: whom, is nobody's business. */
export function DeliveriesCard() {
  const query = useInfiniteQuery({
    ...deliveriesQuery,
    select: ({ pages }) => pages.flatMap(({ deliveries }) => deliveries),
  });
  return (
    <Card title="What your followers got" description="On Telegram, in counts" isFlush>
      <ListState query={query} what="what your followers got" skeletons={SKELETONS.activeCalls}>
        {(deliveries) =>
          deliveries.length === 0 ? (
            <EmptyState
              title="Nothing told yet"
              description="Your next call, update or end is told to your followers on Telegram, and counted here."
            />
          ) : (
            <>
              <Deliveries deliveries={deliveries} />
              {query.isFetchNextPageError && (
                <p role="alert" className="px-4 pt-4 text-center text-sm text-loss">
                  {reasonOf(query.error, 'Older ones could not be loaded.')}
                </p>
              )}
              {query.hasNextPage && (
                <div className="-mt-2 border-t border-line pb-4">
                  <ShowMore isPending={query.isFetchingNextPage} onMore={() => query.fetchNextPage()}>
                    Show more
                  </ShowMore>
                </div>
              )}
            </>
          )
        }
      </ListState>
    </Card>
  );
}

function Deliveries({ deliveries }: { deliveries: readonly DeliveryLogEntry[] }) {
  const now = useNow();
  const hasProblems = deliveries.some(({ unreachable, failed }) => unreachable + failed > 0);
  return (
    <>
      <ul aria-label="What your followers got" className="divide-y divide-line">
        {deliveries.map((entry) => (
          <DeliveryRow key={entry.id} entry={entry} now={now} />
        ))}
      </ul>
      {hasProblems && (
        <p className="border-t border-line px-4 py-3 text-xs text-text-muted">
          Unreachable: they blocked the bot or left Telegram. Given up: Telegram did not take it in time.
        </p>
      )}
    </>
  );
}

function DeliveryRow({ entry, now }: { entry: DeliveryLogEntry; now: number }) {
  const { told, problems, isOnItsWay } = readDelivery(entry, now);
  return (
    <li className="px-4 py-3">
      <p className="flex min-w-0 items-baseline justify-between gap-3 text-sm">
        <Link
          to="/call/$id"
          params={{ id: entry.callId }}
          className="min-w-0 truncate py-0.5 font-medium underline-offset-4 hover:underline"
        >
          {eventWords[entry.kind]}: <bdi>{entry.tokenSymbol}</bdi>
        </Link>
        <RelativeTime at={entry.at} className="shrink-0 text-xs text-text-muted" />
      </p>
      <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-text-muted tabular-nums">
        <span>{[told, ...problems].join(' · ')}</span>
        {isOnItsWay && <Badge size="sm">on its way</Badge>}
      </p>
    </li>
  );
}
