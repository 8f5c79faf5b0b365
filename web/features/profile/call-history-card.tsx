import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { SKELETON_ROWS } from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrices } from '#schema/contracts/prices.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { CallList } from './call-list.tsx';

export interface CallHistoryCardProps {
  /** Number of calls, of which the newest are listed. */
  count: number;
  calls: UseQueryResult<readonly TokenCall[]>;
  /** The current prices by mint. */
  prices: ShownPrices;
  renderShare: (call: TokenCall) => ReactNode;
}

/** Ended calls, plus the active ones if the viewer can see them. */
export function CallHistoryCard({ count, calls, prices, renderShare }: CallHistoryCardProps) {
  return (
    <Card
      title="Call History"
      aside={<span className="figures text-sm text-text-muted">{count}</span>}
      isFlush
    >
      <ListState
        query={calls}
        what="call history"
        skeletons={SKELETON_ROWS.history}
        empty={{ title: 'No call history available' }}
      >
        {(rows) => (
          <CallList label="Call History" calls={rows} prices={prices} hasEnd renderAction={renderShare} />
        )}
      </ListState>
    </Card>
  );
}
