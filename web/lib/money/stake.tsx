import { FOLLOWER_STAKES_USD } from '#schema/constants/market.ts';
import type { FollowerStake } from '#schema/rules/calls/after-fee-text.ts';
import { pageStorage } from '#web/lib/browser/page-storage.ts';
import { useStored } from '#web/lib/browser/use-stored.ts';
import { classNames } from '#web/ui/class-names.ts';
import { SegmentedToggle } from '#web/ui/controls/segmented-toggle.tsx';

const OPTIONS = FOLLOWER_STAKES_USD.map((stake) => ({
  value: String(stake),
  label: stake < 1_000 ? `$${stake}` : `$${stake / 1_000}k`,
}));

const useStoredStake = () => useStored(pageStorage, 'stake');

/** The amount per call that the visitor chose for "After the fee", the same on all pages. */
export function useStake(): FollowerStake {
  const [stored] = useStoredStake();
  return FOLLOWER_STAKES_USD.find((stake) => String(stake) === stored) ?? FOLLOWER_STAKES_USD[0];
}

export function StakeToggle({ className }: { className?: string }) {
  const [, store] = useStoredStake();
  return (
    <div className={classNames('flex items-center gap-2', className)}>
      <span aria-hidden="true" className="text-xs text-text-muted">
        Per call
      </span>
      <SegmentedToggle
        className="flex-1"
        label="Per call"
        value={String(useStake())}
        options={OPTIONS}
        onValueChange={store}
      />
    </div>
  );
}
