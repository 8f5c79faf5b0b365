import { NOTIFICATION_KINDS } from '#schema/constants.ts';
import { useNotificationSettings } from '#web/api/telegram.queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Fold } from '#web/ui/fold.tsx';
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx';
import { KindSwitches } from './kind-switches.tsx';
import { MutedCallers } from './muted-callers.tsx';

/** What one is told, and of whom: two lines, until one wants to change it. */
export function NotificationChoices({ isCaller }: { isCaller: boolean }) {
  const { data: settings, isPending, refetch } = useNotificationSettings();
  if (!settings) {
    if (isPending) {
      return (
        <SkeletonGroup label="Loading what you get" className="space-y-2">
          <Skeleton className="h-11 w-full" />
          <Skeleton className="h-11 w-full" />
        </SkeletonGroup>
      );
    }
    return (
      <p role="alert" className="flex flex-wrap items-center justify-between gap-x-3 text-sm text-text-muted">
        What you get did not load.
        <Button size="sm" onClick={() => void refetch()}>
          Try again
        </Button>
      </p>
    );
  }
  const kinds = NOTIFICATION_KINDS.filter((kind) => isCaller || kind !== 'payment_received');
  const chosen = kinds.filter((kind) => settings.kinds[kind]).length;
  const muted = settings.mutedCallers.length;
  return (
    <div className="space-y-2">
      <Fold
        title={
          <Counted
            what="What you get"
            count={chosen === kinds.length ? `all ${chosen}` : `${chosen} of ${kinds.length}`}
          />
        }
      >
        <KindSwitches kinds={kinds} settings={settings} />
        {isCaller && (
          <p className="mt-3 text-xs text-text-muted">
            Of every change of your payout wallet you are always told.
          </p>
        )}
      </Fold>
      <Fold title={<Counted what="Muted callers" count={muted === 0 ? 'none' : String(muted)} />}>
        <MutedCallers callers={settings.mutedCallers} />
      </Fold>
    </div>
  );
}

function Counted({ what, count }: { what: string; count: string }) {
  return (
    <>
      {what}: <span className="font-normal text-text-muted tabular-nums">{count}</span>
    </>
  );
}
