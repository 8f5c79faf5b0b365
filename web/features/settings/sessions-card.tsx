import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UserSession } from '#schema/contracts/sessions.ts';
import { endOtherSessionsMutation, endSessionMutation, sessionsQuery } from '#web/api/account.queries.ts';
import { formatMinute } from '#web/lib/text/dates.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import { showError } from '#web/lib/page/show-error.ts';
import { Badge } from '#web/ui/people/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { ConfirmButtons } from '#web/ui/controls/confirm-buttons.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';

const TITLE = "Where You're Signed In";
const FIRST_SHOWN = 5;

export function SessionsCard() {
  const query = useQuery(sessionsQuery);
  return (
    <Card title={TITLE} isFlush>
      <ListState query={query} what="your sessions">
        {(sessions) => <Sessions sessions={sessions} />}
      </ListState>
    </Card>
  );
}

function Sessions({ sessions }: { sessions: readonly UserSession[] }) {
  const [isAllShown, setIsAllShown] = useState(false);
  const hasStranger = sessions.some(isStranger);
  const hasOthers = sessions.some(({ isCurrent }) => !isCurrent);
  const isFolded = sessions.length > FIRST_SHOWN && !isAllShown;
  const shown = isFolded ? sessions.slice(0, FIRST_SHOWN) : sessions;
  return (
    <>
      {hasStranger && (
        <p role="status" className="m-4 mb-0 rounded-md bg-warn-soft p-3 text-sm text-warn">
          A new device signed in. If it wasn't you, change your password on X and log out of all other
          sessions there. Then log it out here.
        </p>
      )}
      <ul aria-label={TITLE} className="divide-y divide-line">
        {shown.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {(isFolded || hasOthers) && (
        <div className="flex flex-wrap gap-2 border-t border-line p-4">
          {isFolded && (
            <Button size="sm" className="flex-1" onClick={() => setIsAllShown(true)}>
              {`Show all ${sessions.length}`}
            </Button>
          )}
          {hasOthers && <EndOthers />}
        </div>
      )}
    </>
  );
}

/** True if the session may belong to another person. The current session never does. */
function isStranger({ isNew, isCurrent }: UserSession): boolean {
  return isNew && !isCurrent;
}

function SessionRow({ session }: { session: UserSession }) {
  const { id, device, signedInAt, lastUsedAt, isCurrent } = session;
  const end = useMutation({
    ...endSessionMutation,
    onSuccess: () => toast({ title: 'Logged Out', description: `${device} is logged out.` }),
    onError: (error) => showError(error, 'Failed to log out that device'),
  });
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium">
          {device}
          {isCurrent && <Badge size="sm">This browser</Badge>}
          {isStranger(session) && (
            <Badge size="sm" tone="warn">
              New
            </Badge>
          )}
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-2 text-xs text-text-muted">
          <span>
            Signed in <time dateTime={signedInAt}>{formatMinute(signedInAt)}</time>
          </span>
          {!isCurrent && (
            <span>
              Last used <RelativeTime at={lastUsedAt} className="lowercase" />
            </span>
          )}
        </p>
      </div>
      {!isCurrent && (
        <Button
          variant="ghost"
          size="sm"
          aria-label={`Log out ${device}, signed in ${formatMinute(signedInAt)}`}
          isPending={end.isPending}
          onClick={() => end.mutate(id)}
        >
          Log out
        </Button>
      )}
    </li>
  );
}

function EndOthers() {
  const [isOpen, setIsOpen] = useState(false);
  const end = useMutation({
    ...endOtherSessionsMutation,
    onSuccess: () => {
      setIsOpen(false);
      toast({ title: 'Logged Out', description: 'You are signed in only in this browser.' });
    },
    onError: (error) => showError(error, 'Failed to log out the others'),
  });
  return (
    <>
      <Button size="sm" className="flex-1" onClick={() => setIsOpen(true)}>
        Log out all others
      </Button>
      <Dialog open={isOpen} onOpenChange={setIsOpen} isBusy={end.isPending} title="Log out all others?">
        <div className="space-y-4">
          <p className="text-sm">
            Every other browser and device is logged out of your account. You stay signed in here.
          </p>
          <ConfirmButtons
            confirmLabel="Log out"
            pendingText="Logging out..."
            isPending={end.isPending}
            onConfirm={() => end.mutate()}
            cancelLabel="Keep them"
            onCancel={() => setIsOpen(false)}
          />
        </div>
      </Dialog>
    </>
  );
}
