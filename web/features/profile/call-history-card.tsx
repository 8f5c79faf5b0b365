import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { SKELETONS } from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrices } from '#schema/contracts/prices.ts';
import { reasonOf } from '#web/api/api-error.ts';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { CallList } from './call-list.tsx';
import { CallRowSkeletons } from './call-row-skeletons.tsx';

export interface CallHistoryCardProps {
  calls: UseQueryResult<readonly TokenCall[]>;
  prices: ShownPrices | undefined;
  renderShare: (call: TokenCall) => ReactNode;
}

/** Everything the caller ended, for everyone; what is still open only where the viewer may see it. */
export function CallHistoryCard({ calls, prices, renderShare }: CallHistoryCardProps) {
  const count = calls.data ? (
    <span className="figures text-sm text-text-muted">{calls.data.length}</span>
  ) : null;
  return (
    <Card title="Call History" aside={count} isFlush>
      <CallHistory calls={calls} prices={prices} renderShare={renderShare} />
    </Card>
  );
}

function CallHistory({ calls, prices, renderShare }: CallHistoryCardProps) {
  if (calls.isPending) return <CallRowSkeletons count={SKELETONS.history} label="Loading call history" />;
  if (!calls.data) {
    return (
      <ErrorState
        title="Failed to load call history"
        description={reasonOf(calls.error, 'The list did not answer.')}
        onRetry={() => void calls.refetch()}
      />
    );
  }
  if (calls.data.length === 0) return <EmptyState title="No call history available" />;
  return (
    <CallList label="Call History" calls={calls.data} prices={prices} hasEnd renderAction={renderShare} />
  );
}
