import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { hasCode, reasonOf } from '#web/api/api-error.ts';
import { deleteAccountMutation } from '#web/api/users.queries.ts';
import { prepareLogOut } from '#web/lib/session/log-out.ts';
import { ConfirmButtons } from '#web/ui/controls/confirm-buttons.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Input } from '#web/ui/controls/input.tsx';
import { SignInAgain } from './sign-in-again.tsx';

/** Id of the card to which a fresh sign-in returns. */
export const YOUR_DATA_ANCHOR = 'your-data';

export interface DeleteAccountDialogProps {
  user: CurrentUser;
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

export function DeleteAccountDialog({ user, open, onOpenChange }: DeleteAccountDialogProps) {
  const deletion = useMutation({
    ...deleteAccountMutation,
    onSuccess: () => {
      prepareLogOut();
      window.location.assign('/');
    },
  });
  const { reset } = deletion;
  useEffect(() => {
    if (open) reset();
  }, [open, reset]);
  const close = () => onOpenChange(false);
  const mustSignIn = hasCode(deletion.error, 'auth.fresh_sign_in_needed');
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      isBusy={deletion.isPending}
      title={mustSignIn ? 'Sign in again' : 'Delete your account?'}
    >
      {mustSignIn ? (
        <SignInAgain
          action="delete your account"
          danger="delete anything"
          anchor={YOUR_DATA_ANCHOR}
          onCancel={close}
        />
      ) : (
        <DeletionForm
          user={user}
          isPending={deletion.isPending || deletion.isSuccess}
          error={deletion.error}
          onDelete={(handle) => deletion.mutate({ handle })}
          onCancel={close}
        />
      )}
    </Dialog>
  );
}

interface DeletionFormProps {
  user: CurrentUser;
  isPending: boolean;
  error: Error | null;
  onDelete: (handle: string) => void;
  onCancel: () => void;
}

function DeletionForm({ user, isPending, error, onDelete, onCancel }: DeletionFormProps) {
  const [handle, setHandle] = useState('');
  const confirm = () => !isPending && onDelete(handle);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm();
  };
  return (
    <form noValidate className="space-y-4" onSubmit={submit}>
      <p className="text-sm">This can't be undone.</p>
      <ul className="list-disc space-y-1 pl-5 text-sm marker:text-text-muted">
        <li>Your name, picture, email, wallets, Telegram chat, sessions, bio and other texts are erased.</li>
        <li>Payments stay in the ledger without your name, and on Solana for ever.</li>
        {user.isCaller && (
          <>
            <li>Your ended calls stay in the record under "Deleted caller".</li>
            <li>
              If you sign in again with the same X account, this account opens again, empty. If you become a
              caller again, your record continues under your name. A suspension stays.
            </li>
            <li>Nobody can subscribe to you any more. Periods that are already paid run out.</li>
          </>
        )}
        <li>You lose access to callers that you have subscribed to, and get no money back.</li>
      </ul>
      <Field
        label={
          <>
            Type <bdi>{user.twitterHandle}</bdi> to confirm
          </>
        }
        error={error && reasonOf(error, "Couldn't delete your account. Try again in a minute.")}
      >
        <Input
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={handle}
          onChange={(event) => setHandle(event.target.value)}
        />
      </Field>
      <ConfirmButtons
        confirmLabel="Delete my account"
        pendingText="Deleting..."
        isPending={isPending}
        onConfirm={confirm}
        cancelLabel="Keep it"
        onCancel={onCancel}
      />
    </form>
  );
}
