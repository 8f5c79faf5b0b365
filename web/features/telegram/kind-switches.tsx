import { useId } from 'react';
import type { NotificationKind, NotificationSettings } from '#schema/contracts/notifications.ts';
import { Switch } from '#web/ui/switch.tsx';
import { kindWords } from './telegram-words.ts';
import { useChangeNotifications } from './use-change-notifications.ts';

/** A switch for each kind of message. */
export function KindSwitches({ kinds, settings }: { kinds: readonly NotificationKind[]; settings: NotificationSettings }) {
  const id = useId();
  const change = useChangeNotifications();
  return (
    <ul aria-label="What you get" className="space-y-1">
      {kinds.map((kind) => (
        <li key={kind}>
          <Switch label={kindWords[kind].label} describedBy={`${id}-${kind}`} checked={settings.kinds[kind]} onCheckedChange={(isOn) => change({ kind, isOn })} />
          {/* Under the label, beside the knob. */}
          <p id={`${id}-${kind}`} className="-mt-2 pl-[2.875rem] text-xs text-text-muted">
            {kindWords[kind].description}
          </p>
        </li>
      ))}
    </ul>
  );
}
