import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { HOLDINGS_MAX_ACCOUNTS, HOLDINGS_MAX_TRANSACTIONS } from '#schema/constants.ts';
import type { CallDetail, CallHoldings } from '#schema/contracts/calls.ts';
import { formatRate, formatUsd } from '#schema/rules/text/format.ts';
import { formatDuration, formatTokenAmount } from '#schema/rules/text/format-amounts.ts';
import { formatDay } from '#web/lib/text/dates.ts';
import { Badge } from '#web/ui/people/badge.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { LocalTime } from '#web/ui/figures/local-time.tsx';

/** Shows how much of the token the caller's own wallets held and sold. */
export function CallHoldingsCard({ call }: { call: CallDetail }) {
  const { holdings } = call;
  // Calls made before SolCallers read holdings from the chain have none.
  if (!holdings) return null;
  return (
    <Card
      title="Skin in the game"
      description="What the caller's verified wallets held and sold"
      className="mt-4"
    >
      <div className="space-y-2 text-sm">
        <Reading call={call} holdings={holdings} />
      </div>
      <p className="mt-3 text-xs text-text-muted">
        Wallets that the caller hasn't verified with us can't be seen.{' '}
        <Link
          to="/how-we-count"
          hash="skin"
          className="inline-flex min-h-11 items-center underline decoration-line-strong underline-offset-4 hover:decoration-current md:min-h-0"
        >
          How we count
        </Link>
      </p>
    </Card>
  );
}

function Reading({ call, holdings: { covers, state, found } }: { call: CallDetail; holdings: CallHoldings }) {
  if (found !== null) {
    return (
      <>
        <HeldBefore call={call} found={found} />
        {covers === 'end' ? (
          <UntilEnd call={call} found={found} />
        ) : (
          <p>Sales are read when the call has ended.</p>
        )}
      </>
    );
  }
  return <p>{state === null ? 'Not read from the chain yet. That takes some minutes.' : missing[state]}</p>;
}

const missing: Record<NonNullable<CallHoldings['state']>, ReactNode> = {
  complete: null,
  no_wallet: (
    <>
      <Badge size="sm">No declared wallet</Badge> The caller had verified no wallet, so nobody can say what
      they held.
    </>
  ),
  too_many: `Incomplete: more than ${HOLDINGS_MAX_TRANSACTIONS} transactions or ${HOLDINGS_MAX_ACCOUNTS} token accounts. We show no figures.`,
  unclear:
    "Incomplete: the chain doesn't show every transaction of these wallets with this token. We show no figures.",
};

type Found = NonNullable<CallHoldings['found']>;

function HeldBefore({ call, found }: { call: CallDetail; found: Found }) {
  const { heldBefore, firstBoughtAt, averagePriceSol } = found;
  const amount = Number(heldBefore);
  if (amount === 0) return <p>Held none of it before the call.</p>;
  return (
    <p>
      Held{' '}
      <strong>
        {formatTokenAmount(heldBefore)} <bdi>{call.tokenSymbol}</bdi>
      </strong>{' '}
      before the call, worth {formatUsd(amount * Number(call.entryPrice))} at the entry price.{' '}
      {firstBoughtAt === null ? (
        'These wallets got it without a purchase.'
      ) : (
        <>
          First bought <LocalTime at={firstBoughtAt} format={formatDay} />
          {averagePriceSol !== null && `, at ${formatTokenAmount(averagePriceSol)} SOL on average`}.
        </>
      )}
    </p>
  );
}

function UntilEnd({ call, found }: { call: CallDetail; found: Found }) {
  const { heldBefore, acquired, soldPercent, firstSoldAt, movedPercent } = found;
  const hasAcquired = Number(acquired) > 0;
  const hasHeld = Number(heldBefore) > 0 || hasAcquired;
  const isSaved = firstSoldAt === null && movedPercent === 0;
  return (
    <>
      {hasAcquired && (
        <p>
          Got {formatTokenAmount(acquired)} <bdi>{call.tokenSymbol}</bdi> after the call.
        </p>
      )}
      {hasHeld && isSaved && <p>Held all of it to the end.</p>}
      {firstSoldAt !== null && (
        <p>
          <strong>Sold {share(soldPercent)}</strong> before the end, first{' '}
          {formatDuration(Date.parse(firstSoldAt) - Date.parse(call.callTimestamp)).toLowerCase()} after
          calling.
        </p>
      )}
      {movedPercent > 0 && <p>Moved {share(movedPercent)} elsewhere before the end. That isn't a sale.</p>}
    </>
  );
}

/** Formats a percentage. The server rounds down, so 0 means less than 0.1%. */
const share = (percent: number) => (percent < 0.1 ? 'under 0.1%' : formatRate(percent));
