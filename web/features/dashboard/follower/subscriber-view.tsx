import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { SKELETON_ROWS } from '#schema/constants/web.ts';
import { ConnectedWallet } from '#web/lib/wallets/connected-wallet.tsx';
import { useWallet } from '#web/lib/wallets/use-wallet.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { followedCallsQuery } from '#web/api/subscriptions.queries.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { DirectoryLink } from '#web/lib/page/directory-link.tsx';
import { BuyLink } from '#web/ui/controls/buy-link.tsx';
import { onlyActive, onlyEnded } from '#web/lib/calls/ended-call.ts';
import { YourDataCard } from '../account/your-data-card.tsx';
import { ApiKeysCard } from '../account/api-keys-card.tsx';
import { WebhookCard } from '../account/webhook-card.tsx';
import { SessionsCard } from '../account/sessions-card.tsx';
import { MySubscriptionsCard, type MySubscriptionsCardProps } from './my-subscriptions-card.tsx';
import { CallRows } from '../caller/call-rows.tsx';

export interface SubscriberViewProps extends MySubscriptionsCardProps {
  user: CurrentUser;
  notifications: ReactNode;
  onBecomeCaller: () => void;
}

export function SubscriberView(props: SubscriberViewProps) {
  const { user, notifications, onBecomeCaller } = props;
  return (
    <div className="grid items-start gap-4 *:min-w-0 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] lg:gap-6">
      {/** On phones, there is one column, and the long list of ended calls and the account’s settings come last. */}
      <div className="grid gap-4 *:min-w-0 max-lg:contents lg:gap-6">
        <ActiveCalls />
        <EndedCalls />
      </div>
      <div className="grid gap-4 *:min-w-0 max-lg:contents lg:gap-6">
        <MySubscriptionsCard {...props} />
        <WalletCard />
        {notifications}
        {!user.isCaller && (
          <Card title="Become a Caller">
            <p className="text-sm text-text-muted">
              Publish your own calls, free or for a monthly fee in SOL. Your record is public from your first
              call.
            </p>
            <Button className="mt-4 w-full" onClick={onBecomeCaller}>
              Apply
            </Button>
          </Card>
        )}
        <SessionsCard className="max-lg:order-last" />
        <ApiKeysCard isCaller={user.isCaller} className="max-lg:order-last" />
        <WebhookCard className="max-lg:order-last" />
        <YourDataCard user={user} className="max-lg:order-last" />
      </div>
    </div>
  );
}

/** The wallet that pays. Hidden without a wallet, because the subscribe dialog asks for it. */
function WalletCard() {
  const { connected } = useWallet();
  if (!connected) return null;
  return (
    <Card title="Your Wallet" description="You pay subscriptions from this wallet.">
      <ConnectedWallet />
    </Card>
  );
}

function ActiveCalls() {
  const query = useQuery({ ...followedCallsQuery, select: onlyActive });
  return (
    <Card title="Active Calls" isFlush>
      <ListState
        query={query}
        what="active calls"
        empty={{
          title: 'No active calls at the moment',
          description: 'New calls from callers you follow appear here.',
          action: <DirectoryLink>Find callers</DirectoryLink>,
        }}
      >
        {(calls) => <CallRows label="Active Calls" calls={calls} renderAction={BuyLink} />}
      </ListState>
    </Card>
  );
}

function EndedCalls() {
  return (
    <Card title="Ended Calls" className="max-lg:order-last" isFlush>
      <ListState
        query={useQuery({ ...followedCallsQuery, select: onlyEnded })}
        what="ended calls"
        skeletons={SKELETON_ROWS.history}
        empty={{
          title: 'No ended calls yet',
          description: 'When a caller you follow ends a call, it appears here with its result.',
        }}
      >
        {(calls) => <CallRows label="Ended Calls" calls={calls} renderAction={BuyLink} />}
      </ListState>
    </Card>
  );
}
