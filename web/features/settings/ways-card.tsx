import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { API_KEY_MS, type WayKind } from '#schema/constants/people.ts';
import type { EndedWays, Way } from '#schema/contracts/ways.ts';
import { withAtSign } from '#schema/rules/people/telegram.ts';
import { endOtherWaysMutation, endWayMutation, waysQuery } from '#web/api/account.queries.ts';
import { formatDay, formatMinute } from '#web/lib/text/dates.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import { showError } from '#web/lib/page/show-error.ts';
import { Badge } from '#web/ui/people/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { ConfirmButtons } from '#web/ui/controls/confirm-buttons.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';

const TITLE = 'Ways Into Your Account';
const FIRST_SHOWN = 8;

const LABELS: Readonly<Record<WayKind, (name: string) => string>> = {
  session: (device) => device,
  key: (name) => `API key ${name}`,
  webhook: (url) => `Webhook ${url}`,
  telegram_link: () => 'Link that connects Telegram',
  telegram: (handle) => (handle === '' ? 'Telegram' : `Telegram ${withAtSign(handle)}`),
  chat: (title) => `Telegram group or channel ${title}`,
  push: () => 'Notifications in a browser',
  x: () => `${PRODUCT_NAME} may post on X`,
};
const labelOf = ({ kind, name }: Way) => LABELS[kind](name ?? '');
/** The address of a webhook may be long, so it gets one line. */
const wrapOf = ({ kind }: Way) => (kind === 'webhook' ? 'max-w-full truncate' : 'wrap-anywhere');
const makerOf = ({ kind, madeBy }: Way, ways: readonly Way[]): string => {
  if (kind === 'session') return '';
  const maker = ways.find(({ id }) => id === madeBy);
  return ` by ${maker ? labelOf(maker) : 'a session that has ended'}`;
};

/** True if the session may belong to another person. The current session never does. */
const isStranger = ({ isNew, isCurrent }: Way) => isNew && !isCurrent;

export function WaysCard() {
  const query = useQuery(waysQuery);
  return (
    <Card title={TITLE} isFlush>
      <ListState query={query} what="the ways into your account">
        {(ways) => <Ways ways={ways} />}
      </ListState>
    </Card>
  );
}

function Ways({ ways }: { ways: readonly Way[] }) {
  const [isAllShown, setIsAllShown] = useState(false);
  const others = ways.filter(({ isCurrent }) => !isCurrent);
  const isFolded = ways.length > FIRST_SHOWN && !isAllShown;
  return (
    <>
      {ways.some(isStranger) && (
        <p role="status" className="m-4 mb-0 rounded-md bg-warn-soft p-3 text-sm text-warn">
          A new device signed in. If it wasn't you, change your password on X and log out of all other
          sessions there. Then end all others here.
        </p>
      )}
      <ul aria-label={TITLE} className="divide-y divide-line">
        {(isFolded ? ways.slice(0, FIRST_SHOWN) : ways).map((way) => (
          <WayRow key={way.id} way={way} ways={ways} />
        ))}
      </ul>
      {(isFolded || others.length > 0) && (
        <div className="flex flex-wrap gap-2 border-t border-line p-4">
          {isFolded && (
            <Button size="sm" className="flex-1" onClick={() => setIsAllShown(true)}>
              {`Show all ${ways.length}`}
            </Button>
          )}
          {others.length > 0 && <EndOthers others={others} ways={ways} />}
        </div>
      )}
    </>
  );
}

const toasts = {
  onSuccess: ({ message }: EndedWays) => toast({ title: 'Done', description: message }),
  onError: (error: Error) => showError(error, 'Failed to end it'),
};

function WayRow({ way, ways }: { way: Way; ways: readonly Way[] }) {
  const { id, isCurrent, madeAt } = way;
  const made = ways.filter(({ madeBy }) => madeBy === id);
  const [isOpen, setIsOpen] = useState(false);
  const [withMade, setWithMade] = useState(true);
  const end = useMutation({ ...endWayMutation, ...toasts });
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium">
          <bdi className={`min-w-0 ${wrapOf(way)}`}>{labelOf(way)}</bdi>
          <Badges way={way} />
        </p>
        <Times way={way} maker={makerOf(way, ways)} />
      </div>
      {!isCurrent && (
        <Button
          variant="ghost"
          size="sm"
          aria-label={`End ${labelOf(way)}, made ${formatMinute(madeAt)}`}
          isPending={end.isPending}
          onClick={() => (made.length > 0 ? setIsOpen(true) : end.mutate({ id }))}
        >
          End
        </Button>
      )}
      <EndDialog
        title={`End ${labelOf(way)}?`}
        confirmLabel="End"
        isPending={end.isPending}
        onConfirm={() => end.mutate({ id, withMade })}
        {...{ isOpen, setIsOpen }}
      >
        <Tick isOn={withMade} onChange={setWithMade}>
          Also end what it made: {made.map(labelOf).join(', ')}
        </Tick>
      </EndDialog>
    </li>
  );
}

function Badges({ way }: { way: Way }) {
  const { kind, isCurrent, mayCall } = way;
  return (
    <>
      {isCurrent && <Badge size="sm">This browser</Badge>}
      {isStranger(way) && (
        <Badge size="sm" tone="warn">
          New
        </Badge>
      )}
      {mayCall && <Badge size="sm">May call</Badge>}
      {kind === 'key' && !mayCall && <Badge size="sm">Reads</Badge>}
    </>
  );
}

function Times({ way, maker }: { way: Way; maker: string }) {
  const { kind, madeAt, lastUsedAt, isCurrent } = way;
  const isSession = kind === 'session';
  const isKey = kind === 'key';
  return (
    <p className="mt-0.5 flex flex-wrap gap-x-2 text-xs text-text-muted">
      <span>
        {isSession ? 'Signed in' : 'Made'} <time dateTime={madeAt}>{formatMinute(madeAt)}</time>
        {maker}
      </span>
      {!isCurrent && lastUsedAt !== null && (
        <span>
          Last used <RelativeTime at={lastUsedAt} className="lowercase" />
        </span>
      )}
      {isKey && lastUsedAt === null && <span>Never used</span>}
      {isKey && <span>{`Ends ${formatDay(Date.parse(madeAt) + API_KEY_MS)}`}</span>}
    </p>
  );
}

function EndOthers({ others, ways }: { others: readonly Way[]; ways: readonly Way[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const [keep, setKeep] = useState<readonly string[]>([]);
  const staying = others.filter(({ staysByDefault }) => staysByDefault);
  const end = useMutation({ ...endOtherWaysMutation, ...toasts });
  const open = () => {
    setKeep(staying.map(({ id }) => id));
    setIsOpen(true);
  };
  return (
    <>
      <Button size="sm" className="flex-1" onClick={open}>
        End all others
      </Button>
      <EndDialog
        title="End all others?"
        confirmLabel="End all others"
        isPending={end.isPending}
        onConfirm={() => end.mutate([...keep], { onSuccess: () => setIsOpen(false) })}
        {...{ isOpen, setIsOpen }}
      >
        <p className="text-sm">You stay signed in here, and all of these end. Tick what you want to keep.</p>
        {staying.length > 0 && (
          <p className="text-sm">
            Groups and channels that were connected over a week ago are ticked. Untick what isn't yours.
          </p>
        )}
        <div>
          {others.map((way) => (
            <Tick
              key={way.id}
              isOn={keep.includes(way.id)}
              onChange={(isOn) => setKeep(isOn ? [...keep, way.id] : keep.filter((id) => id !== way.id))}
            >
              <span className={`block ${wrapOf(way)}`}>{labelOf(way)}</span>{' '}
              <span className="text-text-muted">{`${formatMinute(way.madeAt)}${makerOf(way, ways)}`}</span>
            </Tick>
          ))}
        </div>
      </EndDialog>
    </>
  );
}

interface EndDialogProps {
  title: string;
  confirmLabel: string;
  isOpen: boolean;
  setIsOpen: (isOpen: boolean) => void;
  isPending: boolean;
  onConfirm: () => void;
  children: ReactNode;
}

function EndDialog({ title, isOpen, setIsOpen, children, ...confirm }: EndDialogProps) {
  return (
    <Dialog open={isOpen} onOpenChange={setIsOpen} isBusy={confirm.isPending} title={title}>
      <div className="space-y-4">
        {children}
        <div className="sticky -bottom-5 -mx-5 -mb-5 border-t border-line bg-surface-raised px-5 pt-3 pb-4 sm:rounded-b-md">
          <ConfirmButtons pendingText="Ending..." onCancel={() => setIsOpen(false)} {...confirm} />
        </div>
      </div>
    </Dialog>
  );
}

interface TickProps {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  children: ReactNode;
}

function Tick({ isOn, onChange, children }: TickProps) {
  return (
    <label className="flex min-h-11 items-center gap-3 text-sm">
      <input
        type="checkbox"
        className="size-5 shrink-0 accent-accent"
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </label>
  );
}
