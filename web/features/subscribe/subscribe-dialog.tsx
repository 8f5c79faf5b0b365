import { useQuery } from '@tanstack/react-query';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { currentUserQuery, SIGN_IN_PATH } from '#web/api/session.queries.ts';
import { fullName } from '#web/lib/person.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { CompleteStep } from './complete-step.tsx';
import { ConfirmStep } from './confirm-step.tsx';
import { ConnectStep } from './connect-step.tsx';
import { PayingStep } from './paying-step.tsx';
import type { SubscribeCaller } from './subscribe-caller.ts';
import { useSubscribe } from './use-subscribe.ts';

export interface SubscribeDialogProps {
  caller: SubscribeCaller;
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
  onSubscribed?: ((subscription: Subscription) => void) | undefined;
}

/** Subscribes to a caller, or renews: connect, confirm, paying, complete. Closing it starts over. */
export function SubscribeDialog({ caller, open, onOpenChange, onSubscribed }: SubscribeDialogProps) {
  const { data: user } = useQuery(currentUserQuery);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={`Subscribe to ${fullName(caller)}`}>
      {user ? (
        <SubscribeSteps caller={caller} userId={user.id} onSubscribed={onSubscribed} onDone={() => onOpenChange(false)} />
      ) : (
        <div className="space-y-4">
          <p className="text-sm text-text-muted">You need to sign in to subscribe to callers.</p>
          <LinkButton href={SIGN_IN_PATH} variant="primary" className="w-full">
            Sign in with Twitter
          </LinkButton>
        </div>
      )}
    </Dialog>
  );
}

interface SubscribeStepsProps extends Pick<SubscribeDialogProps, 'caller' | 'onSubscribed'> {
  userId: string;
  onDone: () => void;
}

function SubscribeSteps({ caller, userId, onSubscribed, onDone }: SubscribeStepsProps) {
  const flow = useSubscribe({ caller, userId, onSubscribed });
  const { view } = flow;
  switch (view.step) {
    case 'connect':
      return <ConnectStep caller={caller} flow={flow} />;
    case 'confirm':
      return <ConfirmStep caller={caller} view={view} flow={flow} />;
    case 'paying':
      return <PayingStep step={view.payment} />;
    case 'complete':
      return <CompleteStep caller={caller} subscription={view.subscription} receipt={view.receipt} onDone={onDone} />;
  }
}
