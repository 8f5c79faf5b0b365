import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { lazyDialog } from '#web/lib/page/lazy-dialog.tsx';
import { ListState } from '#web/lib/page/list-state.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { CallRows } from './call-rows.tsx';

const EndCallDialog = lazyDialog(async () => (await import('./end-call-dialog.tsx')).EndCallDialog);
const UpdateCallDialog = lazyDialog(async () => (await import('./update-call-dialog.tsx')).UpdateCallDialog);

export function ActiveCallsCard({ query }: { query: UseQueryResult<readonly TokenCall[]> }) {
  const [ending, setEnding] = useState<TokenCall | null>(null);
  const [updating, setUpdating] = useState<TokenCall | null>(null);
  const openEnding = (call: TokenCall) => {
    setEnding(call);
    // The shown price may be some seconds old.
    void query.refetch();
  };
  const renderAction = (call: TokenCall) => (
    <div className="flex gap-2 @max-xl:*:flex-1">
      <Button size="sm" aria-label={`Update ${call.tokenSymbol}`} onClick={() => setUpdating(call)}>
        Update
      </Button>
      <Button size="sm" aria-label={`End ${call.tokenSymbol}`} onClick={() => openEnding(call)}>
        End
      </Button>
    </div>
  );
  return (
    <Card
      title="Active Calls"
      aside={query.data && <span className="figures text-sm text-text-muted">{query.data.length}</span>}
      isFlush
    >
      <ListState
        query={query}
        what="active calls"
        empty={{
          title: 'No active calls at the moment',
          description: 'Look up a token and make a call. It stays here until you end it.',
        }}
      >
        {(calls) => (
          <CallRows label="Active Calls" calls={calls} isOwn hasWideAction renderAction={renderAction} />
        )}
      </ListState>
      <UpdateCallDialog open={updating !== null} call={updating} onOpenChange={() => setUpdating(null)} />
      <EndCallDialog
        open={ending !== null}
        call={query.data?.find(({ id }) => id === ending?.id) ?? null}
        onOpenChange={() => setEnding(null)}
      />
    </Card>
  );
}
