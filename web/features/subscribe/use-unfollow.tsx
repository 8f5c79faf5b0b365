import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fullName } from '#schema/rules/people/person-name.ts';
import { subscribeFreeMutation, unfollowMutation } from '#web/api/subscriptions.mutations.ts';
import { focusHeading } from '#web/lib/page/focus-heading.ts';
import { lazyDialog } from '#web/lib/page/lazy-dialog.tsx';
import { showError } from '#web/lib/page/show-error.ts';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import type { SubscribeCaller } from './subscribe-caller.ts';

const UnfollowDialog = lazyDialog(async () => (await import('./unfollow-dialog.tsx')).UnfollowDialog);

/** Ends a free follow. Asks first if the caller charges now, because free access would be lost. Render `dialog` once. */
export function useUnfollow() {
  const [requested, setRequested] = useState<SubscribeCaller | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const unfollow = useMutation(unfollowMutation);
  const followAgain = useMutation(subscribeFreeMutation);

  const run = async (caller: SubscribeCaller) => {
    try {
      await unfollow.mutateAsync(caller.id);
    } catch (error) {
      return showError(error, 'Failed to unfollow. Try again.');
    }
    setIsOpen(false);
    const onError = (error: unknown) => showError(error, 'Failed to create free subscription.');
    const canFollowAgain = caller.monthlyFee === null;
    toast({
      title: `Unfollowed ${fullName(caller)}`,
      description: 'Their calls leave your dashboard and your Telegram.',
      action: canFollowAgain
        ? { label: 'Follow again', onClick: () => followAgain.mutate(caller.id, { onError }) }
        : undefined,
    });
    // The button that had the focus is gone.
    if (document.activeElement === document.body) focusHeading();
  };

  return {
    unfollow(caller: SubscribeCaller) {
      if (caller.monthlyFee === null) {
        void run(caller);
        return;
      }
      setRequested(caller);
      setIsOpen(true);
    },
    isUnfollowing: (callerId: string) => unfollow.isPending && unfollow.variables === callerId,
    dialog: requested !== null && (
      <UnfollowDialog
        caller={requested}
        open={isOpen}
        onOpenChange={setIsOpen}
        isPending={unfollow.isPending}
        onConfirm={() => void run(requested)}
      />
    ),
  };
}
