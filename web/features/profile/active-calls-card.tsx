import type { UseQueryResult } from '@tanstack/react-query';
import { SKELETONS } from '#schema/constants.ts';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrices } from '#schema/contracts/prices.ts';
import { reasonOf } from '#web/api/api-error.ts';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { CallRowSkeletons } from './call-row-skeletons.tsx';
import { CallList } from './call-list.tsx';
import { HiddenCalls } from './hidden-calls.tsx';

export interface ActiveCallsCardProps {
  caller: CallerProfile;
  /** How many there are, by the list where the viewer may see it. */
  count: number;
  calls: UseQueryResult<readonly TokenCall[]>;
  prices: ShownPrices | undefined;
  onSubscribe: () => void;
  isSubscribing: boolean;
  isSignedIn: boolean;
}

/** The open calls for those who may see them; for all others that there are some, and how to see them. */
export function ActiveCallsCard({ caller, count, calls, prices, ...hidden }: ActiveCallsCardProps) {
  const badge = <span className="figures text-sm text-text-muted">{count}</span>;
  return (
    <Card title="Active Calls" aside={badge} isFlush>
      {caller.viewer.canSeeActiveCalls ? (
        <ActiveCalls calls={calls} prices={prices} />
      ) : (
        <HiddenCalls caller={caller} {...hidden} />
      )}
    </Card>
  );
}

function ActiveCalls({ calls, prices }: Pick<ActiveCallsCardProps, 'calls' | 'prices'>) {
  if (calls.isPending) return <CallRowSkeletons count={SKELETONS.activeCalls} label="Loading active calls" />;
  if (!calls.data) {
    return (
      <ErrorState
        title="Failed to load active calls"
        description={reasonOf(calls.error, 'The list did not answer.')}
        onRetry={() => void calls.refetch()}
      />
    );
  }
  if (calls.data.length === 0) return <EmptyState title="No active calls at the moment" />;
  return <CallList label="Active Calls" calls={calls.data} prices={prices} hasEnd={false} />;
}
