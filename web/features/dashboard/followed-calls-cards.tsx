import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SKELETONS } from '#schema/constants.ts';
import { useShownPrices } from '#web/api/prices.queries.ts';
import { followedCallsQuery } from '#web/api/subscriptions.queries.ts';
import { ListState } from '#web/lib/list-state.tsx';
import { buttonClassName } from '#web/ui/button-class-name.ts';
import { BuyLink } from '#web/ui/buy-link.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { CallRows } from './call-rows.tsx';

export function FollowedCallsCards({ endedClassName }: { endedClassName?: string | undefined }) {
  const query = useQuery(followedCallsQuery);
  const activeMints = (query.data ?? []).filter(({ isActive }) => isActive).map(({ tokenMint }) => tokenMint);
  const prices = useShownPrices(activeMints);
  return (
    <>
      <Card title="Active Calls" isFlush>
        <ListState query={query} what="active calls" skeletons={SKELETONS.activeCalls}>
          {(calls) => {
            const active = calls.filter(({ isActive }) => isActive);
            return active.length === 0 ? (
              <EmptyState
                title="No active calls at the moment"
                description="New calls from callers you follow appear here."
                action={
                  <Link to="/" className={buttonClassName({ variant: 'primary' })}>
                    Find callers
                  </Link>
                }
              />
            ) : (
              <CallRows
                label="Active Calls"
                calls={active}
                prices={prices}
                hasCaller
                renderAction={BuyLink}
              />
            );
          }}
        </ListState>
      </Card>
      <Card title="Ended Calls" className={endedClassName} isFlush>
        <ListState query={query} what="ended calls" skeletons={SKELETONS.history}>
          {(calls) => {
            const ended = calls.filter(({ isActive }) => !isActive);
            return ended.length === 0 ? (
              <EmptyState
                title="No ended calls yet"
                description="When a caller you follow ends a call, it appears here with its result."
              />
            ) : (
              <CallRows label="Ended Calls" calls={ended} hasCaller renderAction={BuyLink} />
            );
          }}
        </ListState>
      </Card>
    </>
  );
}
