import { useMutation, useQueryClient } from '@tanstack/react-query';
import { reasonOf } from '#web/api/api-error.ts';
import type { NotificationChange } from '#web/api/notification-changes.ts';
import { changeNotificationsMutation } from '#web/api/telegram.mutations.ts';
import { useToast } from '#web/ui/toast.tsx';

/** Changes what one is told, on the screen at once; what the server refuses falls back and is said. */
export function useChangeNotifications(): (change: NotificationChange) => void {
  const { toast } = useToast();
  const { mutateAsync } = useMutation(changeNotificationsMutation(useQueryClient()));
  return (change) => {
    mutateAsync(change).catch((error: unknown) => {
      toast({
        title: 'Error',
        description: reasonOf(error, 'Failed to update notifications'),
        variant: 'destructive',
      });
    });
  };
}
