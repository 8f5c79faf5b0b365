import type { NotificationKind, NotificationSettings } from '#schema/contracts/notifications.ts';
import { Switch } from '#web/ui/switch.tsx';
import { kindTexts } from './telegram-text.ts';
import { useChangeNotifications } from './use-change-notifications.ts';

export interface KindSwitchesProps {
  kinds: readonly NotificationKind[];
  settings: NotificationSettings;
}

export function KindSwitches({ kinds, settings }: KindSwitchesProps) {
  const change = useChangeNotifications();
  return (
    <ul aria-label="Notifications">
      {kinds.map((kind) => (
        <li key={kind} className="flex">
          <Switch
            {...kindTexts[kind]}
            className="flex-1"
            checked={settings.kinds[kind]}
            onCheckedChange={(isOn) => change({ kind, isOn })}
          />
        </li>
      ))}
    </ul>
  );
}
