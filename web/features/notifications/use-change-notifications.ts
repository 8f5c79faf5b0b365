import { useMutation } from '@tanstack/react-query';
import type { NotificationChange } from '#web/api/notification-changes.ts';
import { changeNotificationsMutation } from '#web/api/telegram.mutations.ts';
import { useToasts } from '#web/lib/page/use-toasts.ts';

/** Changes a notification setting optimistically. A refused change is rolled back and shown as a toast. */
export function useChangeNotifications(): (change: NotificationChange) => void {
  const { showError } = useToasts();
  const { mutateAsync } = useMutation(changeNotificationsMutation);
  return (change) => {
    mutateAsync(change).catch((error: unknown) => showError(error, 'Failed to update notifications'));
  };
}
