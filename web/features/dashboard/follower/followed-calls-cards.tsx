import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SKELETON_ROWS } from '#schema/constants.ts';
import { followedCallsQuery } from '#web/api/subscriptions.queries.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { BuyLink } from '#web/ui/controls/buy-link.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { CallRows } from '../caller/call-rows.tsx';
import { onlyActive, onlyEnded } from '#web/lib/calls/filter-calls.ts';

export function FollowedCallsCards({ endedClassName }: { endedClassName?: string | undefined }) {
  return (
    <>
      <ActiveCalls />
      <EndedCalls className={endedClassName} />
    </>
  );
}

function ActiveCalls() {
  const query = useQuery({ ...followedCallsQuery, select: onlyActive });
  return (
    <Card title="Active Calls" isFlush>
      <ListState
        query={query}
        what="active calls"
        empty={{
          title: 'No active calls at the moment',
          description: 'New calls from callers you follow appear here.',
          action: (
            <Link to="/" className={buttonClassName({ variant: 'primary' })}>
              Find callers
            </Link>
          ),
        }}
      >
        {(calls) => <CallRows label="Active Calls" calls={calls} hasCaller renderAction={BuyLink} />}
      </ListState>
    </Card>
  );
}

function EndedCalls({ className }: { className: string | undefined }) {
  return (
    <Card title="Ended Calls" className={className} isFlush>
      <ListState
        query={useQuery({ ...followedCallsQuery, select: onlyEnded })}
        what="ended calls"
        skeletons={SKELETON_ROWS.history}
        empty={{
          title: 'No ended calls yet',
          description: 'When a caller you follow ends a call, it appears here with its result.',
        }}
      >
        {(calls) => <CallRows label="Ended Calls" calls={calls} hasCaller renderAction={BuyLink} />}
      </ListState>
    </Card>
  );
}
