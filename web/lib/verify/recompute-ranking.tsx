import { useState } from 'react';
import { lazyDialog } from '#web/lib/page/lazy-dialog.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { useIsHydrated } from '#web/ui/use-is-hydrated.ts';

const RankingDialog = lazyDialog(async () => (await import('./ranking-dialog.tsx')).RankingDialog);

/**
 * A button that checks the directory's callers in the browser. The verifier loads when the button is pressed.
 */
export function RecomputeRanking() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="desk pb-6 text-center">
      {/* The server renders it before its code has loaded. */}
      <Button variant="ghost" disabled={!useIsHydrated()} onClick={() => setIsOpen(true)}>
        Recompute this ranking
      </Button>
      <RankingDialog open={isOpen} onOpenChange={setIsOpen} />
    </div>
  );
}
