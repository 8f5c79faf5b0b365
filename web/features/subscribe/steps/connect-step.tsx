import { useQuery } from '@tanstack/react-query';
import { formatMonthlyFee, formatUsd, pluralize } from '#schema/rules/text/format.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { CALCULATOR_STAKE_USD } from '#schema/constants/market.ts';
import { feeWorth } from '#schema/rules/calls/fee-worth.ts';
import { isFreeCaller } from '#web/lib/money/fees.ts';
import { useSolInUsd } from '#web/lib/money/sol-usd.tsx';
import { readSubscriptionEnd } from '#web/lib/people/subscription-end.ts';
import { subscribePageUrl } from '#web/lib/wallets/wallet-apps.ts';
import { WalletList } from '#web/lib/wallets/wallet-list.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { useNow } from '#web/ui/figures/use-now.ts';
import { callerResultsQuery } from '#web/api/callers.queries.ts';
import { solPriceQuery } from '#web/api/sol-price.queries.ts';
import { PERIOD_DAYS } from '../payment/payment-terms.ts';
import { StepTitle } from './step-title.tsx';
import type { SubscribeCaller } from '../subscribe-caller.ts';
import type { SubscribeFlow } from '../use-subscribe-flow.ts';

/** The first step: subscribes to a Free caller, or chooses the wallet that pays a Paid caller. */
export function ConnectStep({ caller, flow }: { caller: SubscribeCaller; flow: SubscribeFlow }) {
  if (isFreeCaller(caller)) {
    return (
      <div className="flex flex-col gap-4">
        <StepTitle>No payment needed</StepTitle>
        <p className="text-sm text-text-muted">
          <bdi>{fullName(caller)}</bdi> is free to follow. You don't need a wallet. Their calls will appear on
          your dashboard.
        </p>
        <Button
          variant="primary"
          className="w-full"
          isPending={flow.isSubscribingFree}
          pendingText="Subscribing..."
          onClick={() => void flow.subscribeFree()}
        >
          Subscribe for free
        </Button>
      </div>
    );
  }
  if (!caller.canBeSubscribed) {
    return (
      <div className="flex flex-col gap-4">
        <StepTitle>Not open for subscriptions yet</StepTitle>
        <p className="text-sm text-text-muted">
          <bdi>{fullName(caller)}</bdi> hasn't connected a payout wallet yet. You can subscribe once they do.
        </p>
      </div>
    );
  }
  return <PayingWallet caller={caller} flow={flow} />;
}

function accessText(accessEndsAt: string | null | undefined, now: number): string {
  if (accessEndsAt == null) return '';
  const { hasEnded, when } = readSubscriptionEnd(accessEndsAt, now);
  return hasEnded
    ? `Your access ended on ${when}. `
    : `You have access until ${when}. The new period starts after that. `;
}

function PayingWallet({ caller, flow }: { caller: SubscribeCaller; flow: SubscribeFlow }) {
  const now = useNow();
  const usd = useSolInUsd(caller.monthlyFee);
  return (
    <div className="flex flex-col gap-4">
      <StepTitle>Choose a wallet to pay from</StepTitle>
      <p className="text-sm text-text-muted">
        {accessText(caller.accessEndsAt, now)}
        The fee is {formatMonthlyFee(caller.monthlyFee)}
        {usd !== null && ` (${usd})`} for {PERIOD_DAYS} days. Nothing is paid until you confirm.
      </p>
      <FeeWorthNote callerId={caller.id} name={fullName(caller)} monthlyFee={caller.monthlyFee ?? '0'} />
      <WalletList
        page={subscribePageUrl(caller.twitterHandle, window.location.origin)}
        useLabel="Continue with this wallet"
        onUse={() => void flow.prepare()}
        onPick={(picked) => void flow.connect(picked)}
      />
    </div>
  );
}

interface FeeWorthNoteProps {
  callerId: string;
  name: string;
  monthlyFee: string;
}

/**
 * Compares the fee with the results of following the caller, before the user pays. Shows nothing without a SOL price,
 * or with less than 30 days of results.
 */
function FeeWorthNote({ callerId, name, monthlyFee }: FeeWorthNoteProps) {
  const { data: price } = useQuery(solPriceQuery);
  const { data: results, dataUpdatedAt: now } = useQuery(callerResultsQuery(callerId));
  if (results === undefined || price?.sol == null) return null;
  const feeUsd = Number(monthlyFee) * Number(price.sol.price);
  const worth = feeWorth({ calls: results.calls, stakeUsd: CALCULATOR_STAKE_USD, feeUsd, now });
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
