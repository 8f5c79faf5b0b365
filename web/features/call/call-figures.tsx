import type { ReactNode } from 'react';
import type { CallDetail } from '#schema/contracts/calls.ts';
import { formatMarketCap } from '#schema/rules/text/format.ts';
import { describeHeld, formatDuration } from '#schema/rules/text/format-durations.ts';
import { marketCapAt } from '#schema/rules/calls/market-cap.ts';
import { changePercent, changeSinceEntry } from '#schema/rules/calls/change-percent.ts';
import { hasEnded } from '#web/lib/calls/ended-call.ts';
import { CallLine } from '#web/ui/charts/call-line.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { CurrentPrice } from '#web/ui/figures/current-price.tsx';
import { Price } from '#web/ui/figures/price.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { useNow } from '#web/ui/figures/use-now.ts';

export function CallChange({ call }: { call: CallDetail }) {
  const percent = changeSinceEntry(call);
  return (
    <section aria-label="Change">
      <p className="flex flex-wrap items-center gap-4">
        <Change
          percent={percent}
          zeroIs={call.isActive ? 'gain' : 'loss'}
          className="text-2xl font-semibold md:text-[3rem] md:leading-none"
        />
        <CallLine percent={percent} isOpen={call.isActive} />
      </p>
      <p className="mt-1 text-sm text-text-muted">
        {hasEnded(call) ? (
          `from entry to end, ${describeHeld(call)}`
        ) : (
          <>
            from entry to current price, open for <OpenFor since={call.callTimestamp} />
          </>
        )}
      </p>
    </section>
  );
}

export function CallFigures({ call }: { call: CallDetail }) {
  const { entryPrice, endPrice, lastPrice, peak, targetPrice, stopPrice } = call;
  const change = (price: string) => <Change percent={changePercent(entryPrice, price)} />;
  return (
    <section aria-label="Figures" className="mt-6">
      <dl className={FIGURES}>
        <Figure label="Entry" note={capNote(call, entryPrice) ?? 'Market cap not recorded'}>
          <Price value={entryPrice} />
        </Figure>
        <Figure label={call.isActive ? 'Now' : 'End'} note={capNote(call, endPrice ?? lastPrice?.price)}>
          {endPrice === undefined ? <CurrentPrice price={lastPrice} /> : <Price value={endPrice} />}
        </Figure>
        <Figure label="Peak" note={peak && change(peak.price)}>
          <Price value={peak?.price} />
        </Figure>
        {targetPrice !== null && (
          <Figure label="Target" note={change(targetPrice)}>
            <Price value={targetPrice} />
          </Figure>
        )}
        {stopPrice !== null && (
          <Figure label="Stop" note={change(stopPrice)}>
            <Price value={stopPrice} />
          </Figure>
        )}
      </dl>
    </section>
  );
}

/** Two columns on phones, the last figure alone in its row if they are odd. Otherwise, one row. */
const FIGURES = classNames(
  'grid grid-cols-2 gap-px overflow-clip rounded-md border border-line bg-surface-raised',
  'max-sm:[&>:last-child:nth-child(odd)]:col-span-2 sm:auto-cols-fr sm:grid-flow-col sm:grid-cols-none',
);

function Figure({ label, note, children }: { label: string; note?: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0 bg-surface-raised px-3 py-3 shadow-[0_0_0_1px_var(--color-line)] sm:px-4">
      <dt className="text-xs text-text-muted">{label}</dt>
      <dd className="mt-0.5 text-sm font-medium wrap-anywhere">{children}</dd>
      {note !== undefined && <dd className="text-xs text-text-muted tabular-nums">{note}</dd>}
    </div>
  );
}

function capNote(call: CallDetail, price: string | undefined): string | undefined {
  const cap = price === undefined ? null : marketCapAt(call, price);
  return cap === null ? undefined : `Market cap ${formatMarketCap(cap)}`;
}

function OpenFor({ since }: { since: string }) {
  return formatDuration(Math.max(0, useNow() - Date.parse(since)));
}
