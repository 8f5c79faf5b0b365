import { useMutation } from '@tanstack/react-query';
import { changeNotificationsMutation, type NotificationChange } from '#web/api/telegram.queries.ts';
import { showError } from '#web/lib/page/show-error.ts';

/** Changes a notification setting optimistically. A refused change is rolled back and shown as a toast. */
export function useChangeNotifications(): (change: NotificationChange) => void {
  const onError = (error: Error) => showError(error, 'Failed to update notifications');
  return useMutation({ ...changeNotificationsMutation, onError }).mutate;
}
