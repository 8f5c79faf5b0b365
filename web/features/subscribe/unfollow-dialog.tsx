import { formatMonthlyFee } from '#schema/rules/text/format.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { readSubscriptionEnd } from '#web/lib/people/subscription-end.ts';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { ConfirmButtons } from '#web/ui/controls/confirm-buttons.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { useNow } from '#web/ui/figures/use-now.ts';
import type { SubscribeCaller } from './subscribe-caller.ts';

export interface UnfollowDialogProps extends LazyDialogProps {
  caller: SubscribeCaller;
  isPending: boolean;
  onConfirm: () => void;
}

export function UnfollowDialog({ caller, isPending, onConfirm, ...dialog }: UnfollowDialogProps) {
  const now = useNow();
  const end = caller.accessEndsAt ? readSubscriptionEnd(caller.accessEndsAt, now) : null;
  return (
    <Dialog
      {...dialog}
      isBusy={isPending}
      title={
        <>
          Unfollow <bdi>{fullName(caller)}</bdi>?
        </>
      }
    >
      <div className="space-y-4">
        <p className="text-sm">
          You followed this caller when their calls were free, so you keep free access
          {end !== null && ` until ${end.when}`}. If you unfollow, it ends now. To see their active calls
          again, you pay {formatMonthlyFee(caller.monthlyFee)} a month.
        </p>
        <ConfirmButtons
          confirmLabel="Unfollow"
          pendingText="Unfollowing..."
          isPending={isPending}
          onConfirm={onConfirm}
          cancelLabel="Keep following"
          onCancel={() => dialog.onOpenChange(false)}
        />
      </div>
    </Dialog>
  );
}
