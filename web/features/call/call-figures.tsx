import type { ReactNode } from 'react';
import type { CallDetail } from '#schema/contracts/calls.ts';
import type { ShownPrice } from '#schema/contracts/prices.ts';
import { formatMarketCap } from '#schema/rules/text/format.ts';
import { formatDuration, formatHeld } from '#schema/rules/text/format-amounts.ts';
import { marketCapAt } from '#schema/rules/calls/market-cap.ts';
import { changePercent } from '#schema/rules/calls/change-percent.ts';
import { hasEnded } from '#web/lib/calls/ended-call.ts';
import { CallLine } from '#web/ui/charts/call-line.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { CurrentPrice } from '#web/ui/figures/current-price.tsx';
import { Price } from '#web/ui/figures/price.tsx';
import { useNow } from '#web/ui/figures/use-now.ts';

interface CallFiguresProps {
  call: CallDetail;
  price: ShownPrice | undefined;
}

export function CallChange({ call, price }: CallFiguresProps) {
  const until = call.endPrice ?? price?.price;
  const percent = until === undefined ? null : changePercent(call.entryPrice, until);
  return (
    <section aria-label="Change">
      <p className="flex items-center gap-4">
        <Change
          percent={percent}
          zeroIs={call.isActive ? 'gain' : 'loss'}
          className="text-2xl font-semibold md:text-[3rem] md:leading-none"
        />
        <CallLine percent={percent} isOpen={call.isActive} />
      </p>
      <p className="mt-1 text-sm text-text-muted">
        {call.isActive ? 'from entry to current price' : 'from entry to end'}
      </p>
    </section>
  );
}

export function CallFigures({ call, price }: CallFiguresProps) {
  return (
    <section aria-label="Figures" className="mt-6">
      <dl className="grid grid-cols-2 gap-px overflow-clip rounded-md border border-line bg-surface-raised sm:grid-cols-3">
        <Figure
          label="Entry"
          value={<Price value={call.entryPrice} />}
          note={capNote(call, call.entryPrice) ?? 'Market cap not recorded'}
        />
        {call.endPrice === undefined ? (
          <Figure label="Now" value={<CurrentPrice price={price} />} note={capNote(call, price?.price)} />
        ) : (
          <Figure label="End" value={<Price value={call.endPrice} />} note={capNote(call, call.endPrice)} />
        )}
        <Figure
          label="Peak"
          value={<Price value={call.peak?.price} />}
          note={call.peak && <Change percent={changePercent(call.entryPrice, call.peak.price)} />}
        />
        {call.targetPrice !== null && (
          <Level label="Target" level={call.targetPrice} entryPrice={call.entryPrice} />
        )}
        {call.stopPrice !== null && (
          <Level label="Stop" level={call.stopPrice} entryPrice={call.entryPrice} />
        )}
        {hasEnded(call) ? (
          <Figure label="Held" value={formatHeld(call)} />
        ) : (
          <Figure label="Open for" value={<OpenFor since={call.callTimestamp} />} />
        )}
      </dl>
    </section>
  );
}

/** Returns the market cap as text; undefined if it is unknown at this price. */
function capNote(call: CallDetail, price: string | undefined): string | undefined {
  const cap = price === undefined ? null : marketCapAt(call, price);
  return cap === null ? undefined : `Market cap ${formatMarketCap(cap)}`;
}

function Level({ label, level, entryPrice }: { label: string; level: string; entryPrice: string }) {
  return (
    <Figure
      label={label}
      value={<Price value={level} />}
      note={<Change percent={changePercent(entryPrice, level)} />}
    />
  );
}

function Figure({ label, value, note }: { label: string; value: ReactNode; note?: ReactNode }) {
  return (
    <div className="min-w-0 bg-surface-raised px-3 py-3 shadow-[0_0_0_1px_var(--color-line)] sm:px-4">
      <dt className="text-xs text-text-muted">{label}</dt>
      <dd className="mt-0.5 text-sm font-medium wrap-anywhere">{value}</dd>
      {note !== undefined && <dd className="figures text-xs text-text-muted">{note}</dd>}
    </div>
  );
}

function OpenFor({ since }: { since: string }) {
  return formatDuration(Math.max(0, useNow() - Date.parse(since)));
}
