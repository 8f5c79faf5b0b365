import { memo, useEffect, useEffectEvent } from 'react';
import type { SubscribeCaller } from './subscribe-caller.ts';
import { useSubscribe } from './use-subscribe.tsx';
import { useUnfollow } from './use-unfollow.tsx';

export interface ViewerActions {
  readonly isSubscribing: boolean;
  readonly isPaying: (callerId: string) => boolean;
  readonly isUnfollowing: (callerId: string) => boolean;
}

export interface ViewerRequest {
  readonly kind: 'subscribe' | 'unfollow';
  readonly caller: SubscribeCaller;
}

export interface ViewerActionsRunnerProps {
  /** The user's last action. Each new object is run once. */
  request: ViewerRequest | null;
  onChange: (actions: ViewerActions) => void;
}

/** Runs a signed-in user's actions and shows their dialogs. `useViewerActions` loads it. */
export const ViewerActionsRunner = memo(function ViewerActionsRunner({
  request,
  onChange,
}: ViewerActionsRunnerProps) {
  const { subscribe, isSubscribing, isPaying, dialog } = useSubscribe();
  const { unfollow, isUnfollowing, dialog: unfollowDialog } = useUnfollow();
  const run = useEffectEvent(({ kind, caller }: ViewerRequest) => {
    if (kind === 'subscribe') subscribe(caller);
    else unfollow(caller);
  });
  useEffect(() => {
    if (request !== null) run(request);
  }, [request]);
  // Runs after every render: `isPaying` and `isUnfollowing` are new functions whenever their results may change.
  useEffect(() => onChange({ isSubscribing, isPaying, isUnfollowing }));
  return (
    <>
      {dialog}
      {unfollowDialog}
    </>
  );
});
