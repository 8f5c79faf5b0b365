import type { ReactNode } from 'react';
import {
  DAY_MS,
  HOUR_MS,
  MAX_CALLS_PER_DAY,
  MAX_CALLS_PER_HOUR,
  CALL_AUTO_END_MS,
  MICRO_CAP_USD,
  MIN_COUNTED_HOLD_MS,
  MIN_POOL_AGE_MS,
  MINUTE_MS,
  REPEATED_MINT_MS,
  UNPRICED_END_MS,
} from '#schema/constants.ts';
import { formatChange, formatCount } from '#schema/rules/text/format.ts';
import { BulletList, Section } from '#web/ui/lists/section.tsx';
import { quickGain, quickLoss, unpricedEnd } from './example-calls.ts';

const microCap = `${formatCount(MICRO_CAP_USD)} USD`;
const minHold = `${MIN_COUNTED_HOLD_MS / MINUTE_MS} minutes`;

/** The rules that make cheating useless. The examples are computed by the product's own functions. */
export function CountedCalls() {
  return (
    <Section id="ranked" title="Which calls count">
      <p>
        Win Rate, Avg Return and every other figure count <strong>ended ranked calls</strong>. Only Total
        Calls, Last Call and the small line of recent calls include all calls.
      </p>
      <p>
        A call is <strong>unranked</strong>, whether it wins or loses, if at the time of the call
      </p>
      <BulletList>
        <li>
          its token is a <strong>micro-cap</strong>: less than {microCap} of liquidity or 24-hour volume, or a
          pool younger than {MIN_POOL_AGE_MS / HOUR_MS} hours, by any source that reports the figure, or no
          source reports it. Such calls are marked “Micro-cap”;
        </li>
        <li>its token is a stablecoin;</li>
        <li>only one price source has a usable price;</li>
        <li>the caller called the same token within the {REPEATED_MINT_MS / HOUR_MS} hours before.</li>
      </BulletList>
      <p>
        This is decided when the call is made and never changes. A token that loses its liquidity later stays
        ranked, so the loss counts. A call right after an automatic end is ranked.
      </p>
      <p>
        The <strong>gain of a ranked call counts as 0%</strong> and not as a win if it ended within {minHold},
        or while only one price source had a usable price. The caller is warned before ending the call and can
        wait. A loss always counts in full.
      </p>
      <Example>
        Ended after {quickGain.heldMinutes} minutes: {formatChange(quickGain.changePercent)} counts as{' '}
        {formatChange(quickGain.countedPercent)}, and {formatChange(quickLoss.changePercent)} counts as{' '}
        {formatChange(quickLoss.countedPercent)}.
      </Example>
      <p>
        <strong>No losing call stays open for ever.</strong> We end a call at the market price after{' '}
        {CALL_AUTO_END_MS / DAY_MS} days, and at 0 when no price source has had a price for its token for{' '}
        {UNPRICED_END_MS / DAY_MS} days. Such calls are marked “Ended automatically” and count like any other.
      </p>
      <Example>From $2 to $0 counts as {formatChange(unpricedEnd.countedPercent)}.</Example>
      <p>
        <strong>Few calls prove little.</strong> In orders by a rate or return, callers whose Proven isn't
        above 0% come second, under “Not proven yet”. A caller can make at most {MAX_CALLS_PER_HOUR} calls an
        hour and {MAX_CALLS_PER_DAY} calls a day.
      </p>
    </Section>
  );
}

function Example({ children }: { children: ReactNode }) {
  return (
    <p className="border-l-2 border-line-strong pl-3 text-sm text-text-muted tabular-nums">{children}</p>
  );
}
