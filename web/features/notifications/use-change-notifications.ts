import { useMutation } from '@tanstack/react-query';
import { changeNotificationsMutation, type NotificationChange } from '#web/api/telegram.queries.ts';
import { useToasts } from '#web/lib/page/use-toasts.ts';

/** Changes a notification setting optimistically. A refused change is rolled back and shown as a toast. */
export function useChangeNotifications(): (change: NotificationChange) => void {
  const { showError } = useToasts();
  const { mutateAsync } = useMutation(changeNotificationsMutation);
  return (change) => {
    mutateAsync(change).catch((error: unknown) => showError(error, 'Failed to update notifications'));
  };
}
