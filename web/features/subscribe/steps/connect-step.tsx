import { useQuery } from '@tanstack/react-query';
import { MONTH_DAYS } from '#schema/constants/money.ts';
import { formatMonthlyFee, pluralize, shortenAddress } from '#schema/rules/text/format.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { isFreeCaller } from '#web/lib/money/fees.ts';
import { AfterFee } from '#web/lib/money/after-fee.tsx';
import { useSolInUsd } from '#web/lib/money/sol-usd.tsx';
import { readSubscriptionEnd } from '#web/lib/people/subscription-end.ts';
import { subscribePageUrl } from '#web/lib/wallets/wallet-apps.ts';
import { WalletList } from '#web/lib/wallets/wallet-list.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { useNow } from '#web/ui/figures/use-now.ts';
import { callerQuery } from '#web/api/callers.queries.ts';
import { StepTitle } from './step-title.tsx';
import type { SubscribeCaller } from '../subscribe-caller.ts';
import type { SubscribeFlow } from '../use-subscribe-flow.ts';
import { StakeToggle } from '#web/lib/money/stake.tsx';

/** The first step: subscribes to a Free caller, or chooses the wallet that pays a Paid caller. */
export function ConnectStep({ caller, flow }: { caller: SubscribeCaller; flow: SubscribeFlow }) {
  if (isFreeCaller(caller)) {
    return (
      <div className="flex flex-col gap-4">
        <StepTitle>No payment needed</StepTitle>
        <p className="text-sm text-text-muted">
          Following <bdi>{fullName(caller)}</bdi> is free and needs no wallet. Their calls appear on your
          dashboard. You also get each as a message if you connect Telegram or turn on notifications.
        </p>
        <Button
          variant="primary"
          className="w-full"
          isPending={flow.isSubscribingFree}
          pendingText="Subscribing..."
          onClick={() => void flow.subscribeFree()}
        >
          Follow for free
        </Button>
      </div>
    );
  }
  if (!caller.canBeSubscribed) {
    return (
      <div className="flex flex-col gap-4">
        <StepTitle>Not open for subscriptions</StepTitle>
        <p className="text-sm text-text-muted">
          <bdi>{fullName(caller)}</bdi> takes no payments now.
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
  const { lastPayer } = flow;
  return (
    <div className="flex flex-col gap-4">
      <StepTitle>Choose a wallet to pay from</StepTitle>
      <p className="text-sm text-text-muted">
        {accessText(caller.accessEndsAt, now)}
        The fee is {formatMonthlyFee(caller.monthlyFee)}
        {usd !== null && ` (${usd})`} for {MONTH_DAYS} days. Nothing is paid until you confirm.
        {lastPayer !== undefined && ` You last paid from ${shortenAddress(lastPayer)}.`}
      </p>
      <AfterFeeNote caller={caller} />
      <WalletList
        page={subscribePageUrl(caller.twitterHandle, window.location.origin)}
        useLabel="Continue with this wallet"
        onUse={() => void flow.prepare()}
        onPick={(picked) => void flow.connect(picked)}
      />
    </div>
  );
}

/** Shows what was left after the fee, before the user pays. */
function AfterFeeNote({ caller }: { caller: SubscribeCaller }) {
  const { data: profile } = useQuery(callerQuery(caller.id));
  if (profile === undefined) return null;
  return (
    <div className="rounded-md border border-line p-3 text-sm">
      <AfterFee figures={profile.afterFee} />
      <StakeToggle className="mt-2" />
      <p className="note mt-2">
        Based on {pluralize(profile.afterFee.results, 'ranked call')}, each bought and sold one minute late,
        with swap fees and price impact. The next calls can do worse.
      </p>
    </div>
  );
}
