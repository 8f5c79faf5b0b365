import { Bell, BellOff } from '#web/ui/more-icons.ts';
import type { CallerSummary } from '#schema/contracts/callers.ts';
import { useQuery } from '@tanstack/react-query';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { hasMessageChannel } from '#web/lib/people/gets-messages.ts';
import { useNotificationSettings } from '#web/api/telegram.queries.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { useChangeNotifications } from './use-change-notifications.ts';

/** Nothing for a user who gets no messages anywhere. */
export function MuteToggle({ caller }: { caller: CallerSummary }) {
  const { data: user } = useQuery(currentUserQuery);
  return user && hasMessageChannel(user) ? <Toggle caller={caller} /> : null;
}

function Toggle({ caller }: { caller: CallerSummary }) {
  const { data: settings, isPending } = useNotificationSettings();
  const change = useChangeNotifications();
  // While the settings load, an empty element keeps the space. If loading fails, the Telegram card shows the
  // error.
  if (!settings) return isPending && <span aria-hidden="true" className="size-11 shrink-0" />;
  const isMuted = settings.mutedCallers.some(({ id }) => id === caller.id);
  const muteLabel = `Mute ${fullName(caller)} on Telegram`;
  return (
    <Button
      variant="ghost"
      size="icon"
      // The label stays the same, because aria-pressed carries the state.
      aria-label={muteLabel}
      aria-pressed={isMuted}
      title={isMuted ? `Unmute ${fullName(caller)} on Telegram` : muteLabel}
      className={isMuted ? 'text-warn' : 'text-text-muted'}
      onClick={() => change({ caller, isMuted: !isMuted })}
    >
      {isMuted ? <BellOff size={18} /> : <Bell size={18} />}
    </Button>
  );
}
