import { HOLDINGS_MIN_USD, HOLDINGS_SUMMED_CALLS } from '#schema/constants.ts';
import type { CallerStatistics } from '#schema/contracts/callers.ts';
import { pluralize, formatRate } from '#schema/rules/text/format.ts';
import { formatDuration } from '#schema/rules/text/format-amounts.ts';
import { StatBand, StatCard } from '#web/ui/lists/stat-card.tsx';

/** Purchases and sales of called tokens by the caller's verified wallets, over ended calls. */
export function HoldingsFigures({ holdings }: { holdings: NonNullable<CallerStatistics['holdings']> }) {
  const { read, bought, sold, medianFirstSaleMs } = holdings;
  return (
    <>
      <StatBand label="Skin in the game" className="mt-4 grid-cols-2">
        <StatCard
          label="Bought"
          value={formatRate(read === 0 ? null : (bought / read) * 100)}
          note={`of ${pluralize(read, 'call')}, from an hour before to the end`}
        />
        <StatCard
          label="First Sale"
          value={medianFirstSaleMs === null ? '–' : formatDuration(medianFirstSaleMs)}
          note={`median after calling, of ${pluralize(sold, 'call')} with a sale`}
        />
      </StatBand>
      <p className="mt-2 text-xs text-text-muted">
        Skin in the game: from the caller's verified wallets, for the newest {HOLDINGS_SUMMED_CALLS} ended
        calls, from ${HOLDINGS_MIN_USD} up. Other wallets can't be seen.
      </p>
    </>
  );
}
