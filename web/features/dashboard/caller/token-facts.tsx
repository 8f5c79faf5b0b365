import { Check, CircleHelp, TriangleAlert } from '#web/ui/icons.tsx';
import type { ReactNode } from 'react';
import { DAY_MS } from '#schema/constants/time.ts';
import type { ShownPrice, TokenLookup } from '#schema/contracts/prices.ts';
import { formatCount, formatMarketCap, formatUsd } from '#schema/rules/text/format.ts';
import { formatDuration } from '#schema/rules/text/format-durations.ts';
import { expectedUnrankedReason } from '#schema/rules/calls/ranking.ts';
import { describeUnit } from '#schema/rules/prices/units.ts';
import { readSafety, type SafetyRow } from '#schema/rules/prices/token-safety.ts';
import { formatDay } from '#web/lib/text/dates.ts';
import { UNRANKED_EFFECT, unrankedReasons } from '#schema/rules/calls/unranked-text.ts';
import { Address } from '#web/ui/figures/address.tsx';
import { CurrentPrice } from '#web/ui/figures/current-price.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { useNow } from '#web/ui/figures/use-now.ts';
import { Fact, FactList } from '#web/ui/lists/facts.tsx';

interface TokenFactsProps {
  token: TokenLookup;
  price: Pick<ShownPrice, 'price' | 'at'> | null;
  unrankedTitle?: string;
}

export function TokenFacts({ token, price, unrankedTitle = "This call won't be ranked" }: TokenFactsProps) {
  const reason = expectedUnrankedReason(token, useNow());
  const unit = describeUnit([token.multiplier]);
  return (
    <>
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <FactList label="Market" className="figures">
          <Fact name="Price" value={<CurrentPrice price={price} />} />
          <Fact name="Liquidity" value={orUnknown(token.liquidityUsd, formatUsd)} />
          <Fact name="Market cap" value={orUnknown(token.marketCapUsd, formatMarketCap)} />
          <Fact name="24h volume" value={orUnknown(token.volume24hUsd, formatUsd)} />
          <TokenAge createdAt={token.createdAt} />
          <Fact name="Holders" value={orUnknown(token.holderCount, formatCount)} />
          <Fact name="Checked" value={<RelativeTime at={token.at} />} />
        </FactList>
        <FactList label="Safety">
          {readSafety(token.safety).map((row) => (
            <SafetyLine key={row.label} {...row} />
          ))}
        </FactList>
      </div>
      {unit !== null && <p className="text-sm text-text-muted">{unit}</p>}
      {reason !== null && (
        <Notice title={unrankedTitle}>
          {unrankedReasons[reason]} {UNRANKED_EFFECT}
        </Notice>
      )}
      <LookAlikes symbol={token.symbol} lookAlikes={token.lookAlikes} />
    </>
  );
}

function TokenAge({ createdAt }: { createdAt: string | null }) {
  const now = useNow();
  const day = formatDay(createdAt);
  const age = createdAt === null ? null : now - Date.parse(createdAt);
  const isOld = age !== null && age >= 30 * DAY_MS;
  return (
    <>
      <dt>{isOld ? 'Trading since' : 'Trading for'}</dt>
      <dd title={day}>{age === null || isOld ? day : formatDuration(Math.max(0, age))}</dd>
    </>
  );
}

const orUnknown = (value: number | null, format: (value: number) => string) =>
  value === null ? 'Unknown' : format(value);

const kinds = {
  fine: { Icon: Check, className: undefined },
  risk: { Icon: TriangleAlert, className: 'text-warn' },
  unknown: { Icon: CircleHelp, className: 'text-text-muted' },
} as const;

function SafetyLine({ label, text, kind }: SafetyRow) {
  const { Icon, className } = kinds[kind];
  return (
    <>
      <dt>{label}</dt>
      <dd className={className}>
        <Icon size={14} className="mr-1.5 inline-block align-[-0.125em]" />
        {kind === 'risk' && <span className="sr-only">Risk: </span>}
        {text}
      </dd>
    </>
  );
}

function LookAlikes({ symbol, lookAlikes }: Pick<TokenLookup, 'symbol' | 'lookAlikes'>) {
  if (lookAlikes === null) {
    return <Notice title="We couldn't check for look-alike tokens. Compare the address before you call." />;
  }
  if (lookAlikes.length === 0) return null;
  return (
    <Notice
      title={
        lookAlikes.length === 1
          ? 'A better-known token looks like this one'
          : 'Better-known tokens look like this one'
      }
    >
      Make sure <bdi>{symbol}</bdi> is the token you mean. Compare the addresses.
      <ul className="mt-2 space-y-2">
        {lookAlikes.map((token) => (
          <LookAlike key={token.mint} token={token} />
        ))}
      </ul>
    </Notice>
  );
}

function LookAlike({ token }: { token: NonNullable<TokenLookup['lookAlikes']>[number] }) {
  const { mint, symbol, name, liquidityUsd, isVerified } = token;
  const liquidity = liquidityUsd === null ? 'unknown liquidity' : `${formatUsd(liquidityUsd)} of liquidity`;
  return (
    <li className="min-w-0">
      <span className="text-text">
        <bdi className="font-medium">{name}</bdi> <bdi>{symbol}</bdi>
      </span>
      {`, ${isVerified ? 'verified' : 'not verified'}, ${liquidity}`}
      <Address value={mint} label={`token address of the other ${symbol}`} isFull className="flex" />
    </li>
  );
}

function Notice({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div role="note" className="rounded-md border border-warn p-3 text-sm">
      <p className="flex items-start gap-2 font-medium text-warn">
        <TriangleAlert size={16} className="mt-0.5 shrink-0" />
        {title}
      </p>
      {children !== undefined && <div className="mt-1 text-text-muted">{children}</div>}
    </div>
  );
}
