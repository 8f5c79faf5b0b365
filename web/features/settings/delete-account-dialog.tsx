import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { DELETION_MAX_WAIT_MS } from '#schema/constants/people.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { hasCode, reasonOf } from '#web/api/api-error.ts';
import { deleteAccountMutation } from '#web/api/users.queries.ts';
import { prepareLogOut } from '#web/lib/session/log-out.ts';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { ConfirmButtons } from '#web/ui/controls/confirm-buttons.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Input } from '#web/ui/controls/input.tsx';
import { FreshSignInDialog } from '#web/lib/session/sign-in-again.tsx';

export const YOUR_DATA_ANCHOR = 'your-data';

export function DeleteAccountDialog({ user, ...dialog }: LazyDialogProps & { user: CurrentUser }) {
  const { open, onOpenChange } = dialog;
  const queryClient = useQueryClient();
  const close = () => onOpenChange(false);
  const deletion = useMutation({
    ...deleteAccountMutation,
    onSuccess: async ({ deletesAt }) => {
      if (deletesAt === null) {
        prepareLogOut();
        return window.location.assign('/');
      }
      await queryClient.invalidateQueries();
      close();
    },
  });
  const { reset } = deletion;
  useEffect(() => {
    if (open) reset();
  }, [open, reset]);
  return (
    <FreshSignInDialog
      {...dialog}
      isBusy={deletion.isPending}
      title="Delete your account?"
      mustSignIn={hasCode(deletion.error, 'auth.fresh_sign_in_needed')}
      action="delete your account"
      danger="delete anything"
      anchor={YOUR_DATA_ANCHOR}
    >
      <DeletionForm
        user={user}
        isPending={deletion.isPending || deletion.isSuccess}
        error={deletion.error}
        onDelete={(handle) => deletion.mutate({ handle })}
        onCancel={close}
      />
    </FreshSignInDialog>
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
      <p className="text-sm">What is erased can't be restored.</p>
      <ul className="list-disc space-y-1 pl-5 text-sm marker:text-text-muted">
        <li>Your name, picture, email, wallets, Telegram chat, sessions, bio and other texts are erased.</li>
        <li>Payments stay in the ledger without your name, and on Solana for ever.</li>
        {user.isCaller && (
          <>
            <li>
              Your ended calls stay in the record under "Deleted caller", without their texts. Erasing the
              texts of thousands of calls takes some minutes; nobody sees them meanwhile.
            </li>
            <li>
              If you sign in again with the same X account, this account opens again, empty. If you become a
              caller again, your record continues under your name. A suspension stays.
            </li>
            <li>
              If you have paid subscribers, the account is deleted when the last paid period ends, at the
              latest in {DELETION_MAX_WAIT_MS / DAY_MS} days. What is left of longer periods, you owe your
              subscribers. New calls and payments stop at once, and your email, Telegram chat, devices, API
              keys and webhook are erased at once. Open calls are ended on that day. Until then, you can take
              this back.
            </li>
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
        <Input value={handle} onChange={(event) => setHandle(event.target.value)} />
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
