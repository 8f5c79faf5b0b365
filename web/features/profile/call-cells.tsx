import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrice } from '#schema/contracts/prices.ts';
import { formatProfilePrice } from '#schema/rules/prices/format-prices.ts';
import { changePercent } from '#schema/rules/calls/change-percent.ts';
import { Change } from '#web/ui/figures/change.tsx';
import { CurrentPrice } from '#web/ui/figures/current-price.tsx';
import { Price } from '#web/ui/figures/price.tsx';

/** Shows the end price and the change since the entry, or 'Active' if the call is open. */
export function EndPrice({ call }: { call: TokenCall }) {
  if (call.endPrice === undefined) return <span className="text-text-muted">Active</span>;
  return (
    <>
      <Price value={call.endPrice} format={formatProfilePrice} className="md:block" />
      <ChangeSince call={call} price={call.endPrice} />
    </>
  );
}

export function PriceNow({ call, price }: { call: TokenCall; price: ShownPrice | undefined }) {
  return (
    <>
      <CurrentPrice price={price} format={formatProfilePrice} className="md:block" />
      {price !== undefined && <ChangeSince call={call} price={price.price} />}
    </>
  );
}

function ChangeSince({ call, price }: { call: TokenCall; price: string }) {
  const percent = changePercent(call.entryPrice, price);
  return <Change percent={percent} zeroIs="gain" className="text-base font-semibold" />;
}
