import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { followedCallsQuery } from '#web/api/subscriptions.queries.ts';
import { lazyDialog } from '#web/lib/page/lazy-dialog.tsx';
import { ListState } from '#web/lib/page/list-state.tsx';
import { DirectoryLink } from '#web/lib/page/directory-link.tsx';
import { BuyLink } from '#web/ui/controls/buy-link.tsx';
import { onlyActive, onlyEnded } from '#web/lib/calls/ended-call.ts';
import { MySubscriptionsCard, type MySubscriptionsCardProps } from './my-subscriptions-card.tsx';
import { CallRows } from '../caller/call-rows.tsx';
import { columnClassName, columnsClassName } from '../columns.ts';
import { EndedCallsCard } from '../ended-calls-card.tsx';
import { SettingsLinks } from '../settings-links.tsx';

const BecomeCallerDialog = lazyDialog(
  async () => (await import('./become-caller-dialog.tsx')).BecomeCallerDialog,
);

export interface SubscriberViewProps extends MySubscriptionsCardProps {
  user: CurrentUser;
}

export function SubscriberView(props: SubscriberViewProps) {
  const { user } = props;
  const [isApplying, setIsApplying] = useState(false);
  return (
    <div className={columnsClassName}>
      <div className={columnClassName}>
        <ActiveCalls />
        <EndedCallsCard
          title="Ended Calls"
          query={useQuery({ ...followedCallsQuery, select: onlyEnded })}
          what="ended calls"
          empty={{
            title: 'No ended calls yet',
            description: 'When a caller you follow ends a call, it appears here with its result.',
          }}
          renderAction={BuyLink}
        />
      </div>
      <div className={columnClassName}>
        <MySubscriptionsCard {...props} />
        <SettingsLinks user={user} isCallerView={false} />
        {!user.isCaller && (
          <Card title="Become a Caller">
            <p className="text-sm text-text-muted">
              Publish your own calls, free or for a monthly fee in SOL, also in your Telegram group. Your
              record is public from your first call.
            </p>
            <Button className="mt-4 w-full" onClick={() => setIsApplying(true)}>
              Apply
            </Button>
            <BecomeCallerDialog open={isApplying} onOpenChange={setIsApplying} />
          </Card>
        )}
      </div>
    </div>
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
          action: <DirectoryLink variant="secondary">Find callers</DirectoryLink>,
        }}
      >
        {(calls) => <CallRows label="Active Calls" calls={calls} renderAction={BuyLink} />}
      </ListState>
    </Card>
  );
}
