import { NOTIFICATION_KINDS } from '#schema/constants.ts';
import { useNotificationSettings } from '#web/api/telegram.queries.ts';
import { LoadFailedLine } from '#web/lib/page/load-failed-line.tsx';
import { Fold } from '#web/ui/lists/fold.tsx';
import { SkeletonBars } from '#web/ui/lists/skeleton.tsx';
import { Switch } from '#web/ui/controls/switch.tsx';
import { MutedCallers } from './muted-callers.tsx';
import { kindTexts } from './telegram-text.ts';
import { useChangeNotifications } from './use-change-notifications.ts';

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
