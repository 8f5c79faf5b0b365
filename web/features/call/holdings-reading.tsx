import { HOLDINGS_AFTER_MS, HOLDINGS_MIN_USD } from '#schema/constants/market.ts';
import type { CallDetail, CallHoldings } from '#schema/contracts/calls.ts';
import type { HoldingsMovement } from '#schema/rules/calls/call-holdings.ts';
import { describeHoldings } from '#schema/rules/calls/holdings-sentences.ts';
import { formatUsd } from '#schema/rules/text/format.ts';
import { formatTokenAmount } from '#schema/rules/text/format-amounts.ts';
import { formatMinute } from '#web/lib/text/dates.ts';
import { Badge } from '#web/ui/people/badge.tsx';
import { Fold } from '#web/ui/lists/fold.tsx';
import { LocalTime } from '#web/ui/figures/local-time.tsx';

export function HoldingsReading({ call, holdings }: { call: CallDetail; holdings: CallHoldings }) {
  const { readUntil, state, found } = holdings;
  if (found === null) {
    if (state === null) return <p>Not read from the chain yet. That takes some minutes.</p>;
    return <p>{state === 'no_wallet' ? NO_WALLET : 'The chain could not be read for these wallets.'}</p>;
  }
  const endedAt = call.endTimestamp === undefined ? null : Date.parse(call.endTimestamp);
  const sentences = describeHoldings(found, {
    calledAt: Date.parse(call.callTimestamp),
    endedAt,
    entryPrice: call.entryPrice,
  });
  const isLast =
    endedAt !== null && readUntil !== null && Date.parse(readUntil) >= endedAt + HOLDINGS_AFTER_MS;
  return (
    <>
      <p>{sentences.join(' ')}</p>
      {found.movements.length === 0 && (
        <p>No purchase, sale or transfer of {formatUsd(HOLDINGS_MIN_USD)} or more.</p>
      )}
      {found.movements.length > 0 && (
        <Fold title="All movements">
          <ul className="space-y-1 text-text-muted">
            {found.movements.map((each, index) => (
              <li key={index}>
                <LocalTime at={each.at} format={formatMinute} />: {KINDS[each.kind]}{' '}
                {formatTokenAmount(each.amount)} <bdi>{call.tokenSymbol}</bdi>,{' '}
                {each.usd === null ? 'value unknown' : formatUsd(each.usd)}
              </li>
            ))}
          </ul>
        </Fold>
      )}
      {state === 'partial' && <p>Not all transactions could be read, so some may be missing.</p>}
      {!isLast && readUntil !== null && (
        <p className="text-text-muted">
          Read up to <LocalTime at={readUntil} format={formatMinute} />.
        </p>
      )}
    </>
  );
}

const NO_WALLET = (
  <>
    <Badge size="sm">No declared wallet</Badge> The caller had verified no wallet, so nobody can say what they
    bought or sold.
  </>
);

const KINDS: Record<HoldingsMovement['kind'], string> = {
  bought: 'bought',
  received: 'transferred in',
  sold: 'sold',
  sent: 'transferred out',
};
