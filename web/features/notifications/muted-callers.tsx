import { useRef } from 'react';
import type { CallerSummary } from '#schema/contracts/callers.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { initialOf } from '#web/lib/people/person.ts';
import { Avatar } from '#web/ui/people/avatar.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { CallerLink } from '#web/ui/people/caller-link.tsx';
import { useChangeNotifications } from './use-change-notifications.ts';

export function MutedCallers({ callers }: { callers: readonly CallerSummary[] }) {
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
              <Avatar src={caller.profileImageUrl} letter={initialOf(caller, 'C')} size="sm" />
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
