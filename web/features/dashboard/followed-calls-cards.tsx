import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SKELETONS } from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { useShownPrices } from '#web/api/prices.queries.ts';
import { followedCallsQuery } from '#web/api/subscriptions.queries.ts';
import { buyUrl } from '#web/lib/links.ts';
import { buttonClassName } from '#web/ui/button-class-name.ts';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { CallRows } from './call-rows.tsx';
import { ListState } from '#web/lib/list-state.tsx';

/** Active and ended calls of the callers one follows. */
export function FollowedCalls({ endedClassName }: { endedClassName?: string | undefined }) {
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
                description="Calls of the callers you follow appear here as they are made."
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
                renderAction={(call) => <BuyLink call={call} />}
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
                description="What your callers end appears here with its result."
              />
            ) : (
              <CallRows
                label="Ended Calls"
                calls={ended}
                hasCaller
                renderAction={(call) => <BuyLink call={call} />}
              />
            );
          }}
        </ListState>
      </Card>
    </>
  );
}

function BuyLink({ call }: { call: TokenCall }) {
  return (
    <LinkButton href={buyUrl(call.tokenMint)} isExternal size="sm" aria-label={`Buy ${call.tokenSymbol}`}>
      Buy
    </LinkButton>
  );
}
