import { DOUBLED_MULTIPLE } from '#schema/constants.ts';
import type { StatisticsWindow, WindowStatistics } from '#schema/contracts/callers.ts';
import { pluralize, formatCount, formatRate } from '#schema/rules/text/format.ts';
import { formatMultiple, formatProfitFactor } from '#schema/rules/text/format-amounts.ts';
import { Change } from '#web/ui/figures/change.tsx';
import { StatBand, StatCard } from '#web/ui/lists/stat-card.tsx';
import { windowPhrases } from './record-windows.ts';

export function RecordFigures({ figures, window }: { figures: WindowStatistics; window: StatisticsWindow }) {
  const sample = `of ${pluralize(figures.endedCalls, 'ranked call')}`;
  return (
    <StatBand label="Record figures" className="grid-cols-2 sm:grid-cols-3">
      <StatCard
        label="Ranked Calls"
        value={formatCount(figures.endedCalls)}
        note={`ended ${windowPhrases[window]}`}
      />
      <StatCard label="Median Return" value={<Change percent={figures.medianReturn} />} note={sample} />
      <StatCard
        label={`Ended at ${DOUBLED_MULTIPLE}x or More`}
        value={formatRate(figures.shareOfDoubledCalls)}
        note={sample}
      />
      <StatCard label="Best" value={<Change percent={figures.bestReturn} />} note={sample} />
      <StatCard label="Worst" value={<Change percent={figures.worstReturn} />} note={sample} />
      <StatCard
        label="Profit Factor"
        value={formatProfitFactor(figures)}
        note={`gains ÷ losses, ${sample}`}
      />
      <StatCard
        className="max-sm:col-span-2"
        label="Average Peak"
        value={figures.averagePeakMultiple === null ? '–' : formatMultiple(figures.averagePeakMultiple)}
        note={
          figures.followedCalls === 0
            ? 'no known peaks yet'
            : `of ${pluralize(figures.followedCalls, 'call')} with a known peak`
        }
      />
    </StatBand>
  );
}
