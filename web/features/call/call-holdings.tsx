import { lazy, Suspense } from 'react';
import type { CallDetail } from '#schema/contracts/calls.ts';
import { Card } from '#web/ui/lists/card.tsx';
import { HowWeCount } from '#web/ui/figures/how-we-count.tsx';
import { useIsNear } from '#web/ui/use-is-near.ts';

const HoldingsReading = lazy(async () => ({
  default: (await import('./holdings-reading.tsx')).HoldingsReading,
}));

/** Shows what the caller's own wallets bought and sold of the token. The sentences load when they come near the window. */
export function CallHoldingsCard({ call }: { call: CallDetail }) {
  const { holdings } = call;
  const { ref, isNear } = useIsNear<HTMLDivElement>();
  if (!holdings) return null;
  return (
    <Card
      title="Skin in the game"
      description="What the caller's verified wallets bought and sold, from an hour before the call to a day after its end"
      className="mt-4"
    >
      <div ref={ref} className="min-h-14 space-y-2 text-sm">
        {isNear && (
          <Suspense>
            <HoldingsReading call={call} holdings={holdings} />
          </Suspense>
        )}
      </div>
      <p className="mt-3 text-xs text-text-muted">
        Wallets that the caller hasn't verified with us can't be seen.{' '}
        <HowWeCount hash="skin" className="inline-flex min-h-11 items-center md:min-h-0" />
      </p>
    </Card>
  );
}
