import type { AfterFee as AfterFeeFigures } from '#schema/rules/calls/after-fee.ts';
import { afterFeeText } from '#schema/rules/calls/after-fee-text.ts';
import { classNames } from '#web/ui/class-names.ts';
import { useStake } from './stake.tsx';

/** The worth of a subscription with the visitor's amount per call: a headline, and the terms below it. */
export function AfterFee({ figures, className }: { figures: AfterFeeFigures; className?: string }) {
  const { gainUsd, headline, details, breakEven } = afterFeeText(figures, useStake());
  return (
    <>
      <p className={classNames('headline', toneOf(gainUsd), className)}>{headline}</p>
      <p className="note">
        {details} <b className="font-medium text-text">{breakEven}</b>
      </p>
    </>
  );
}

function toneOf(gainUsd: number | null) {
  if (gainUsd === null) return 'text-text-muted';
  if (Math.round(gainUsd) === 0) return 'text-text';
  return gainUsd < 0 ? 'text-loss' : 'text-gain';
}
