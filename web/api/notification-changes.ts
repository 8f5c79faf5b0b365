import type { CallerSummary } from '#schema/contracts/callers.ts';
import type { NotificationSettings, NotificationSwitch } from '#schema/contracts/notifications.ts';

export type NotificationChange =
  | NotificationSwitch
  | { readonly caller: CallerSummary; readonly isMuted: boolean };

export const CHANGE_NOTIFICATIONS_KEY = ['user', 'notifications', 'change'] as const;

export function withChange(
  { kinds, mutedCallers }: NotificationSettings,
  change: NotificationChange,
): NotificationSettings {
  if ('kind' in change) return { kinds: { ...kinds, [change.kind]: change.isOn }, mutedCallers };
  const others = mutedCallers.filter(({ id }) => id !== change.caller.id);
  return { kinds, mutedCallers: change.isMuted ? [...others, change.caller] : others };
}
