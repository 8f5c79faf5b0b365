import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import type { CallerSummary } from '#schema/contracts/callers.ts';
import { fullName } from '#schema/rules/person-name.ts';
import { initialOf } from '#web/lib/person.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { useChangeNotifications } from './use-change-notifications.ts';

/** Of whom one wants no messages, each with the way back. */
export function MutedCallers({ callers }: { callers: readonly CallerSummary[] }) {
  const change = useChangeNotifications();
  const ref = useRef<HTMLDivElement>(null);
  const unmute = (caller: CallerSummary) => {
    // The row goes with its button; the focus stays where it was.
    ref.current?.focus({ preventScroll: true });
    change({ caller, isMuted: false });
  };
  return (
    <div ref={ref} tabIndex={-1} role="group" aria-label="Muted callers" className="outline-none">
      {callers.length === 0 ? (
        <p className="text-sm text-text-muted">
          You hear of everybody you follow. The bell beside a caller in Your Subscriptions, or on their
          profile, mutes them.
        </p>
      ) : (
        <ul className="max-h-96 divide-y divide-line overflow-y-auto pr-1">
          {callers.map((caller) => (
            <li key={caller.id} className="flex items-center gap-3 py-1">
              <Avatar src={caller.profileImageUrl} letter={initialOf(caller, 'C')} size="sm" />
              <Link
                to="/caller/$username"
                params={{ username: caller.id }}
                dir="auto"
                className="min-w-0 flex-1 truncate py-0.5 text-sm font-medium underline-offset-4 hover:underline"
              >
                {fullName(caller)}
              </Link>
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
