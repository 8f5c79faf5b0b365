import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { NOTIFICATION_LIFETIME_MS } from '#schema/constants/messages.ts';
import type { DeliveryLogEntry } from '#schema/contracts/notifications.ts';
import { describeReach } from '#schema/rules/text/reach.ts';
import { deliveriesQuery } from '#web/api/telegram.queries.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { Badge } from '#web/ui/people/badge.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { ShowMore } from '#web/lib/page/show-more.tsx';
import { useNow } from '#web/ui/figures/use-now.ts';

const TITLE = 'Telegram Delivery';

export function DeliveriesCard() {
  const query = useInfiniteQuery(deliveriesQuery);
  return (
    <Card title={TITLE} description="How many people received each message" isFlush>
      <ListState
        query={query}
        what={TITLE}
        empty={{
          title: 'Nothing sent yet',
          description: 'Calls, updates and results you send will appear here.',
        }}
      >
        {(deliveries) => <Deliveries deliveries={deliveries} />}
      </ListState>
      <ShowMore
        query={query}
        failure="Older messages didn't load. Press Show more to try again."
        className="-mt-2 border-t border-line pt-6 pb-4"
      >
        Show more
      </ShowMore>
    </Card>
  );
}

function Deliveries({ deliveries }: { deliveries: readonly DeliveryLogEntry[] }) {
  const now = useNow();
  const hasProblems = deliveries.some(({ unreachable, failed }) => unreachable + failed > 0);
  return (
    <>
      <ul aria-label={TITLE} className="divide-y divide-line">
        {deliveries.map((entry) => (
          <DeliveryRow key={entry.id} entry={entry} now={now} />
        ))}
      </ul>
      {hasProblems && (
        <p className="border-t border-line px-4 py-3 text-xs text-text-muted">
          Unreachable: the person blocked the bot or left Telegram. Failed: Telegram didn't accept the message
          in time.
        </p>
      )}
    </>
  );
}

function DeliveryRow({ entry, now }: { entry: DeliveryLogEntry; now: number }) {
  const { delivered, problems, isSending } = readDelivery(entry, now);
  return (
    <li className="px-4 py-3">
      <p className="flex min-w-0 items-baseline justify-between gap-3 text-sm">
        <Link
          to="/call/$id"
          params={{ id: entry.callId }}
          className="min-w-0 truncate py-0.5 font-medium underline-offset-4 hover:underline"
        >
          {eventLabels[entry.kind]}: <bdi>{entry.tokenSymbol}</bdi>
        </Link>
        <RelativeTime at={entry.at} className="shrink-0 text-xs text-text-muted" />
      </p>
      <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-text-muted tabular-nums">
        <span>{[delivered, ...problems].join(' · ')}</span>
        {isSending && <Badge size="sm">Sending</Badge>}
      </p>
    </li>
  );
}

const eventLabels: Readonly<Record<DeliveryLogEntry['kind'], string>> = {
  call_opened: 'New call',
  call_ended: 'Call ended',
  call_update: 'Update',
  level_hit: 'Target or stop hit',
};

function readDelivery(entry: DeliveryLogEntry, now: number) {
  const { at, recipients, delivered, unreachable, failed, chats } = entry;
  const reached = chats.length === 0 ? '' : describeReach({ recipients: 0, chats });
  const canStillArrive = now - Date.parse(at) < NOTIFICATION_LIFETIME_MS;
  const problems = [
    ...(unreachable > 0 ? [`${count(unreachable)} unreachable`] : []),
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
  ];
  if (recipients === 0 && reached !== '') {
    return { delivered: `Posted in ${reached}`, problems, isSending: false };
  }
  if (recipients === 0) {
    return {
      delivered: canStillArrive ? 'Nobody has Telegram connected yet' : 'Nobody had Telegram connected',
      problems,
      isSending: false,
    };
  }
  const delivery = `Delivered to ${count(delivered)} of ${count(recipients)}`;
  return {
    delivered: [...(reached === '' ? [] : [`Posted in ${reached}`]), delivery].join(' · '),
    problems,
    isSending: canStillArrive && delivered + unreachable + failed < recipients,
  };
}

const count = (number: number) => number.toLocaleString('en-US');
