import { useQuery } from '@tanstack/react-query';
import { CALCULATOR_STAKE_USD } from '#schema/constants.ts';
import { feeWorth } from '#schema/rules/calls/fee-worth.ts';
import { formatUsd, pluralize } from '#schema/rules/text/format.ts';
import { copiedCallsQuery } from '#web/api/callers.queries.ts';
import { solPriceQuery } from '#web/api/sol-price.queries.ts';

export interface FeeWorthNoteProps {
  callerId: string;
  name: string;
  /** A decimal string in SOL. */
  monthlyFee: string;
}

/** Compares the fee with what following made, before somebody pays. Nothing without a price of SOL or with under 30 days. */
export function FeeWorthNote({ callerId, name, monthlyFee }: FeeWorthNoteProps) {
  const { data: price } = useQuery(solPriceQuery);
  const { data: calls, dataUpdatedAt: now } = useQuery(copiedCallsQuery(callerId));
  if (calls === undefined || price?.sol == null) return null;
  const feeUsd = Number(monthlyFee) * Number(price.sol.price);
  const worth = feeWorth({ calls, stakeUsd: CALCULATOR_STAKE_USD, feeUsd, now });
  if (worth === null) return null;
  const { monthlyGainUsd: gain, coveringStakeUsd: covering, highestCoveringUsd: highest } = worth;
  return (
    <p className="rounded-md border border-line p-3 text-sm">
      {monthlyFee} SOL is {formatUsd(feeUsd)} a month. With {formatUsd(CALCULATOR_STAKE_USD)} per call,
      following <bdi>{name}</bdi> {gain < 0 ? 'lost' : 'made'} {formatUsd(Math.abs(gain))} a month before that
      fee
      {covering === null
        ? ': no amount per call would have covered it.'
        : `: below about ${formatUsd(covering)}${highest === null ? '' : ` or above about ${formatUsd(highest)}`} per call, the fee would have eaten the gain.`}{' '}
      <span className="text-text-muted">
        Based on {pluralize(worth.calls, 'ranked call')}, each bought and sold one minute late, with swap fees
        and price impact. The next calls can do worse.
      </span>
    </p>
  );
}
