import { formatGain } from '#schema/rules/text/gains.ts';
import { classNames } from '#web/ui/class-names.ts';

/** A gain or loss in USD. One that rounds to 0 has no colour. */
export function Gain({ usd, className }: { usd: number; className?: string }) {
  const tone = usd < 0 ? 'text-loss' : 'text-gain';
  return (
    <span className={classNames('figures', Math.round(usd) !== 0 && tone, className)}>{formatGain(usd)}</span>
  );
}
