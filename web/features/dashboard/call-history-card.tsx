import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { SKELETONS } from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { formatCallerListPrice } from '#schema/rules/format.ts';
import { callerHistoryQuery } from '#web/api/calls.queries.ts';
import { ListState } from '#web/lib/list-state.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { CallRows } from './call-rows.tsx';

export interface CallHistoryCardProps {
  callerId: string;
  renderShare: (call: TokenCall) => ReactNode;
}

export function CallHistoryCard({ callerId, renderShare }: CallHistoryCardProps) {
  const query = useQuery(callerHistoryQuery(callerId));
  return (
    <Card title="Call History" isFlush>
      <ListState query={query} what="call history" skeletons={SKELETONS.history}>
        {(calls) => {
          // The history includes active calls; this page lists those in a card of their own.
          const ended = calls.filter(({ isActive }) => !isActive);
          return ended.length === 0 ? (
            <EmptyState
              title="No call history available"
              description="A call appears here after you end it."
            />
          ) : (
            <CallRows
              label="Call History"
              calls={ended}
              formatPrice={formatCallerListPrice}
              renderAction={renderShare}
            />
          );
        }}
      </ListState>
    </Card>
  );
}
