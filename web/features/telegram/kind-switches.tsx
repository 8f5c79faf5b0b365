import type { NotificationKind, NotificationSettings } from '#schema/contracts/notifications.ts';
import { Switch } from '#web/ui/switch.tsx';
import { kindWords } from './telegram-text.ts';
import { useChangeNotifications } from './use-change-notifications.ts';

/** A switch for each kind of message. */
export function KindSwitches({
  kinds,
  settings,
}: {
  kinds: readonly NotificationKind[];
  settings: NotificationSettings;
}) {
  const change = useChangeNotifications();
  return (
    <ul aria-label="What you get">
      {kinds.map((kind) => (
        <li key={kind} className="flex">
          <Switch
            {...kindWords[kind]}
            className="flex-1"
            checked={settings.kinds[kind]}
            onCheckedChange={(isOn) => change({ kind, isOn })}
          />
        </li>
      ))}
    </ul>
  );
}
