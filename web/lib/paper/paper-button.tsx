import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CallerSummary } from '#schema/contracts/callers.ts';
import type { PaperFollow } from '#schema/contracts/paper-follows.ts';
import { formatUsd } from '#schema/rules/text/format.ts';
import { paperFollowsQuery } from '#web/api/paper-follows.queries.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { lazyDialog } from '#web/lib/page/lazy-dialog.tsx';
import { Button } from '#web/ui/controls/button.tsx';

const PaperDialog = lazyDialog(async () => (await import('./paper-dialog.tsx')).PaperDialog);

export function PaperButton({ caller }: { caller: CallerSummary }) {
  const isSignedIn = Boolean(useQuery(currentUserQuery).data);
  const [isOpen, setIsOpen] = useState(false);
  const { data: follows } = useQuery({ ...paperFollowsQuery, enabled: isSignedIn });
  const follow = follows?.find((each) => each.caller.id === caller.id);
  return (
    <>
      <Button variant="ghost" onClick={() => setIsOpen(true)}>
        {labelOf(follow)}
      </Button>
      <PaperDialog open={isOpen} onOpenChange={setIsOpen} follow={follow} caller={caller} />
    </>
  );
}

function labelOf(follow: PaperFollow | undefined): string {
  if (!follow) return 'Paper';
  return follow.amountUsd === null ? 'Paper: no amount' : `Paper: ${formatUsd(follow.amountUsd)} per call`;
}
