import { useMutation } from '@tanstack/react-query';
import { PRODUCT_NAME } from '#schema/constants.ts';
import { reasonOf } from '#web/api/api-error.ts';
import { disconnectXMutation } from '#web/api/shares.queries.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { useToast } from '#web/ui/overlays/toast.tsx';

/** Says that SolCallers may post for the user, with a button to revoke that. */
export function PostingPermission() {
  const { toast } = useToast();
  const { mutate, isPending } = useMutation(disconnectXMutation);
  const disconnect = () =>
    mutate(undefined, {
      onSuccess: ({ message }) => toast({ title: 'Disconnected from X', description: message }),
      onError: (error) =>
        toast({
          title: 'Failed to disconnect',
          description: reasonOf(error, 'Nothing has changed. Please try again.'),
          variant: 'destructive',
        }),
    });
  return (
    <div
      className={
        'mt-5 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-t border-line pt-3 ' +
        'text-sm text-text-muted'
      }
    >
      <p>{PRODUCT_NAME} can post on X for you.</p>
      <Button
        variant="ghost"
        size="sm"
        isPending={isPending}
        pendingText="Disconnecting..."
        onClick={disconnect}
      >
        Disconnect
      </Button>
    </div>
  );
}
