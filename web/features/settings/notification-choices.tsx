import { useRef } from 'react';
import { NOTIFICATION_KINDS } from '#schema/constants/messages.ts';
import { kindTexts } from '#schema/rules/text/notification-texts.ts';
import type { CallerSummary } from '#schema/contracts/callers.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { useNotificationSettings } from '#web/api/telegram.queries.ts';
import { LoadFailedLine } from '#web/lib/page/load-failed-line.tsx';
import { Fold } from '#web/ui/lists/fold.tsx';
import { SkeletonBars } from '#web/ui/lists/skeleton.tsx';
import { Switch } from '#web/ui/controls/switch.tsx';
import { PersonAvatar } from '#web/lib/people/person-avatar.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { CallerLink } from '#web/ui/people/caller-link.tsx';
import { useChangeNotifications } from '#web/lib/notifications/use-change-notifications.ts';

export function NotificationChoices({ isCaller }: { isCaller: boolean }) {
  const { data: settings, isPending, refetch } = useNotificationSettings();
  const change = useChangeNotifications();
  if (isPending) return LOADING;
  if (!settings) return <LoadFailedLine what="your notifications" onRetry={refetch} />;
  const kinds = NOTIFICATION_KINDS.filter((kind) => isCaller || kind !== 'payment_received');
  const chosen = kinds.filter((kind) => settings.kinds[kind]).length;
  const muted = settings.mutedCallers.length;
  const chosenText = chosen === kinds.length ? `all ${chosen}` : `${chosen} of ${kinds.length}`;
  return (
    <div className="space-y-2">
      <Fold title={<Summary label="Notifications" value={chosenText} />}>
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
        {isCaller && (
          <p className="mt-3 text-xs text-text-muted">
            You always get a message when your payout wallet changes.
          </p>
        )}
      </Fold>
      <Fold title={<Summary label="Muted callers" value={muted === 0 ? 'none' : String(muted)} />}>
        <MutedCallers callers={settings.mutedCallers} />
      </Fold>
    </div>
  );
}

const LOADING = <SkeletonBars label="Loading notifications" className="space-y-2" bars={['h-11', 'h-11']} />;

function Summary({ label, value }: { label: string; value: string }) {
  return (
    <>
      {label}: <span className="font-normal text-text-muted tabular-nums">{value}</span>
    </>
  );
}

function MutedCallers({ callers }: { callers: readonly CallerSummary[] }) {
  const change = useChangeNotifications();
  const ref = useRef<HTMLDivElement>(null);
  const unmute = (caller: CallerSummary) => {
    // The focused button disappears with its row, so focus the list.
    ref.current?.focus({ preventScroll: true });
    change({ caller, isMuted: false });
  };
  return (
    <div ref={ref} tabIndex={-1} role="group" aria-label="Muted callers" className="outline-none">
      {callers.length === 0 ? (
        <p className="text-sm text-text-muted">
          No muted callers. To mute one, press the bell next to them in Your Subscriptions or on their
          profile.
        </p>
      ) : (
        <ul className="max-h-96 divide-y divide-line overflow-y-auto pr-1">
          {callers.map((caller) => (
            <li key={caller.id} className="flex items-center gap-3 py-1">
              <PersonAvatar person={caller} size="sm" />
              <CallerLink caller={caller} className="flex-1 text-sm font-medium" />
              <Button size="sm" aria-label={`Unmute ${fullName(caller)}`} onClick={() => unmute(caller)}>
                Unmute
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
