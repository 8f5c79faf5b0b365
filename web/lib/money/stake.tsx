import { FOLLOWER_STAKES_USD } from '#schema/constants/market.ts';
import type { FollowerStake } from '#schema/rules/calls/after-fee-text.ts';
import { formatUsd } from '#schema/rules/text/format.ts';
import { pageStorage } from '#web/lib/browser/page-storage.ts';
import { useStored } from '#web/lib/browser/use-stored.ts';
import { SegmentedToggle } from '#web/ui/controls/segmented-toggle.tsx';

const OPTIONS = FOLLOWER_STAKES_USD.map((stake) => ({ value: String(stake), label: formatUsd(stake) }));

const useStoredStake = () => useStored(pageStorage, 'stake');

/** The amount per call that the visitor chose for "After the fee", the same on all pages. */
export function useStake(): FollowerStake {
  const [stored] = useStoredStake();
  return FOLLOWER_STAKES_USD.find((stake) => String(stake) === stored) ?? FOLLOWER_STAKES_USD[0];
}

export function StakeToggle({ className }: { className?: string }) {
  const [, store] = useStoredStake();
  return (
    <SegmentedToggle
      className={className}
      label="Per call"
      value={String(useStake())}
      options={OPTIONS}
      onValueChange={store}
    />
  );
}
