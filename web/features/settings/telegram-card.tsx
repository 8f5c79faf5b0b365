import { useQuery, useMutation } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState, type FormEvent } from 'react';
import type { ConnectTelegramResponse } from '#schema/contracts/notifications.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { readTelegramHandle, withAtSign } from '#schema/rules/people/telegram.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { Badge } from '#web/ui/people/badge.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Input } from '#web/ui/controls/input.tsx';
import { disconnectTelegramMutation, switchTelegramCallsMutation } from '#web/api/telegram.queries.ts';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import { showError } from '#web/lib/page/show-error.ts';
import { hasCode } from '#web/api/api-error.ts';
import { FreshSignInDialog, SignInAgain } from '#web/lib/session/sign-in-again.tsx';
import { Switch } from '#web/ui/controls/switch.tsx';
import { PendingLink, useStartLink } from './pending-link.tsx';
import { describeMessages } from './telegram-text.ts';
import { NotificationChoices } from './notification-choices.tsx';

export interface TelegramCardProps {
  user: Pick<CurrentUser, 'telegramHandle' | 'telegramConnected' | 'telegramCalls' | 'isCaller'>;
}

/** Refetches when the page becomes visible, because the user may have used the bot in Telegram. */
const REFETCH_ON_RETURN = { refetchOnWindowFocus: 'always', refetchOnMount: false } as const;

/** Shows one of three steps: enter a username or none, press Start in the bot, connected. */
export function TelegramCard({ user }: TelegramCardProps) {
  const { telegramHandle: handle, telegramConnected: isConnected } = user;
  useQuery({ ...currentUserQuery, ...REFETCH_ON_RETURN, enabled: handle !== null });
  const bodyRef = useRestoredFocus(isConnected);
  return (
    <Card
      id={TELEGRAM_ANCHOR}
      title="Telegram Notifications"
      aside={
        <span role="status">
          {isConnected && <Badge tone="gain">Connected</Badge>}
          {!isConnected && handle !== null && <Badge tone="warn">Pending</Badge>}
        </span>
      }
    >
      <div ref={bodyRef} tabIndex={-1} className="outline-none">
        <Step user={user} />
      </div>
    </Card>
  );
}

function Step({ user }: TelegramCardProps) {
  const { telegramHandle: handle, telegramConnected: isConnected, isCaller } = user;
  const link = useStartLink(isConnected);
  const [isChanging, setIsChanging] = useState(false);
  const stopChanging = () => setIsChanging(false);
  const isPending = handle !== null || link.isSuccess;
  if (hasCode(link.error, 'auth.fresh_sign_in_needed')) {
    return (
      <SignInAgain
        action="connect Telegram"
        danger="send your calls elsewhere"
        anchor={TELEGRAM_ANCHOR}
        onCancel={link.reset}
      />
    );
  }
  if (isConnected) {
    return <ConnectedLink handle={handle} isCaller={isCaller} canCall={user.telegramCalls === true} />;
  }
  if (isPending && !isChanging) {
    return <PendingLink handle={handle} link={link} onChange={() => setIsChanging(true)} />;
  }
  return (
    <ConnectForm
      handle={handle}
      isCaller={isCaller}
      link={link}
      onSaved={stopChanging}
      onCancel={isPending ? stopChanging : undefined}
    />
  );
}

/** Focuses the card's body if connecting or disconnecting removes the focused element. */
function useRestoredFocus(isConnected: boolean) {
  const bodyRef = useRef<HTMLDivElement>(null);
  const wasConnected = useRef(isConnected);
  useLayoutEffect(() => {
    if (wasConnected.current === isConnected) return;
    wasConnected.current = isConnected;
    // It may still say to press Start.
    if (isConnected) toast(null);
    if (document.activeElement === document.body) bodyRef.current?.focus({ preventScroll: true });
  }, [isConnected]);
  return bodyRef;
}

interface ConnectFormProps {
  handle: string | null;
  isCaller: boolean;
  link: ReturnType<typeof useStartLink>;
  onSaved: () => void;
  onCancel?: (() => void) | undefined;
}

function ConnectForm({ handle: saved, isCaller, link, onSaved, onCancel }: ConnectFormProps) {
  const [typed, setTyped] = useState(withAtSign(saved ?? ''));
  const [problem, setProblem] = useState<string | null>(null);
  const { mutate, isPending } = link;
  const onSuccess = ({ telegramHandle, message }: ConnectTelegramResponse) => {
    // Without a handle nothing was saved, and the card shows the next step.
    if (telegramHandle !== null) toast({ title: 'Telegram Handle Saved', description: message });
    onSaved();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    const read = readTelegramHandle(typed);
    if ('problem' in read) setProblem(read.problem);
    else mutate(read.handle ?? '', { onSuccess });
  };

  return (
    <form noValidate onSubmit={submit}>
      <Field label="Telegram username (optional)" hint={describeMessages(isCaller)} error={problem}>
        <Input
          value={typed}
          placeholder="@username"
          onChange={(event) => {
            setTyped(withAtSign(event.target.value));
            setProblem(null);
          }}
        />
      </Field>
      <div className="mt-4 flex gap-2">
        {onCancel && (
          <Button variant="ghost" disabled={isPending} onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" className="flex-1" isPending={isPending} pendingText="Saving...">
          Connect Telegram
        </Button>
      </div>
    </form>
  );
}

interface ConnectedLinkProps {
  handle: string | null;
  isCaller: boolean;
  canCall: boolean;
}

function ConnectedLink({ handle, isCaller, canCall }: ConnectedLinkProps) {
  const { mutateAsync, isPending } = useMutation(disconnectTelegramMutation);
  // Awaits the request. Success unmounts this component, and `mutate` would then drop its callbacks.
  const disconnect = async () => {
    try {
      await mutateAsync();
      toast({ title: 'Telegram Disconnected', description: "You won't get any more messages there." });
    } catch (error) {
      showError(error, 'Failed to disconnect Telegram');
    }
  };
  return (
    <div className="space-y-4">
      {handle !== null && <p className="font-medium wrap-anywhere">{withAtSign(handle)}</p>}
      <NotificationChoices isCaller={isCaller} />
      {isCaller && <CallsSwitch isOn={canCall} />}
      <Button
        className="w-full"
        isPending={isPending}
        pendingText="Disconnecting..."
        onClick={() => void disconnect()}
      >
        Disconnect
      </Button>
    </div>
  );
}

export const TELEGRAM_ANCHOR = 'telegram';

function CallsSwitch({ isOn }: { isOn: boolean }) {
  const { mutate, error, isPending, variables, reset } = useMutation({
    ...switchTelegramCallsMutation,
    onError: (failure) => {
      if (!hasCode(failure, 'auth.fresh_sign_in_needed')) showError(failure, 'Failed to change the setting');
    },
  });
  return (
    <>
      <Switch
        label="Calls from this chat"
        description="Send /call, /update or /end to the bot. Whoever can use your Telegram can then call in your name."
        checked={isPending ? variables : isOn}
        onCheckedChange={(next) => mutate(next)}
      />
      <FreshSignInDialog
        open={hasCode(error, 'auth.fresh_sign_in_needed')}
        onOpenChange={(isOpen) => !isOpen && reset()}
        action="make calls from Telegram"
        danger="make calls in your name"
        anchor={TELEGRAM_ANCHOR}
      />
    </>
  );
}
