import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { SKELETON_ROWS } from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { formatCallerListPrice } from '#schema/rules/prices/format-prices.ts';
import { callerHistoryQuery } from '#web/api/calls.queries.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { CallRows } from './call-rows.tsx';
import { onlyEnded } from '#web/lib/calls/filter-calls.ts';

export interface CallHistoryCardProps {
  callerId: string;
  renderShare: (call: TokenCall) => ReactNode;
}

export function CallHistoryCard({ callerId, renderShare }: CallHistoryCardProps) {
  const query = useQuery({ ...callerHistoryQuery(callerId), select: onlyEnded });
  return (
    <Card title="Call History" isFlush>
      <ListState
        query={query}
        what="call history"
        skeletons={SKELETON_ROWS.history}
        empty={{ title: 'No call history available', description: 'A call appears here after you end it.' }}
      >
        {(calls) => (
          <CallRows
            label="Call History"
            calls={calls}
            formatPrice={formatCallerListPrice}
            renderAction={renderShare}
          />
        )}
      </ListState>
    </Card>
  );
}
