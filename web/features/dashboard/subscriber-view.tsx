import type { CurrentUser } from '#schema/contracts/users.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { FollowedCalls } from './followed-calls.tsx';
import { MySubscriptionsCard, type RenewableCaller } from './my-subscriptions-card.tsx';

export interface SubscriberViewProps {
  user: CurrentUser;
  onBecomeCaller: () => void;
  onSubscribe: (caller: RenewableCaller) => void;
}

/** The follower's side: calls of followed callers, and the subscriptions themselves. */
export function SubscriberView({ user, onBecomeCaller, onSubscribe }: SubscriberViewProps) {
  return (
    <div className="grid items-start gap-4 *:min-w-0 lg:grid-cols-[2fr_1fr] lg:gap-6">
      <div className="grid gap-4 *:min-w-0 lg:gap-6">
        <FollowedCalls />
      </div>
      <div className="grid gap-4 *:min-w-0 lg:gap-6">
        <MySubscriptionsCard onSubscribe={onSubscribe} />
        {!user.isCaller && (
          <Card title="Become a Caller">
            <p className="text-sm text-text-muted">Publish your own calls, free or for a monthly fee in SOL. Your record is public from the first call on.</p>
            <Button className="mt-4 w-full" onClick={onBecomeCaller}>
              Apply
            </Button>
          </Card>
        )}
      </div>
    </div>
  );
}
